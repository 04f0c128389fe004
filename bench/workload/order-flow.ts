/** Seeded streams of orders and cancels, made beforehand, so that a bench times the book and not the dice. */
import { seededRandom } from '../../src/clock/index.ts';
import { CheckedBook, FORCE, type MatchSink, OrderSlots, orderKind } from '../../src/exchange/index.ts';

/** The shape of a flow. */
export interface FlowShape {
  /** Commands after the book is filled. */
  readonly operations: number;
  /** Open orders at the start, and about as many throughout. */
  readonly openOrders: number;
  readonly tickBps: number;
  /** Mean distance of a new order from the middle, in ticks (exponential): how many levels the orders spread over. */
  readonly meanDistanceTicks: number;
  /** Sizes are whole shares, all from 1 to this alike. */
  readonly mostShares: number;
  readonly seed: number;
}

/**
 * Commands in columns: first `opening` places that fill the book, then the operations. A cancel has price 0.
 * Orders are numbered 1, 2, 3 …
 */
export interface OrderFlow {
  readonly shape: FlowShape;
  readonly opening: number;
  readonly length: number;
  readonly order: Int32Array;
  readonly kind: Uint8Array;
  /** In the terms of the kind's outcome. */
  readonly price: Uint16Array;
  readonly shares: Float64Array;
}

/** Whether a row takes an order out; it places one otherwise. */
export function isCancel(flow: OrderFlow, at: number): boolean {
  return flow.price[at] === 0;
}

const ADDS = 0.48;
const CANCELS = 0.42;

/**
 * 48 % orders that rest, 42 % cancels of a random open order, 10 % orders that cross; all four kinds alike. Takers are
 * sized so that the number of open orders stays: 0.6 makers each on average.
 */
export function orderFlow(shape: FlowShape): OrderFlow {
  const { openOrders, tickBps, meanDistanceTicks, mostShares, seed } = shape;
  const random = seededRandom(seed);
  const length = openOrders + shape.operations;
  const columns = {
    order: new Int32Array(length),
    kind: new Uint8Array(length),
    price: new Uint16Array(length),
    shares: new Float64Array(length),
  };
  const slots = new OrderSlots();
  const open = new OpenOrders(length, slots);
  const book = new CheckedBook({ slots, sink: open, number: 0, tickBps });
  let middle = 5000;
  let placed = 0;

  const place = (at: number, isBid: boolean, yesPrice: number, shares: number): void => {
    const asYes = random.int(2) === 0;
    const kind = orderKind(asYes ? 'YES' : 'NO', isBid === asYes ? 'BUY' : 'SELL');
    const price = asYes ? yesPrice : 10_000 - yesPrice;
    write(columns, at, { order: ++placed, kind, price, shares });
    if (book.place(placed, kind, FORCE.gtc, price, shares) !== 0)
      throw new Error(`Invariant: order ${placed} was refused`);
  };
  const add = (at: number): void => {
    const isBid = random.int(2) === 0;
    const away = Math.floor(random.exponential() * meanDistanceTicks) * tickBps;
    const wanted = isBid
      ? Math.min(middle - away, book.bestAsk - tickBps)
      : Math.max(middle + away, book.bestBid + tickBps);
    place(at, isBid, Math.min(Math.max(wanted, tickBps), 10_000 - tickBps), (1 + random.int(mostShares)) * 1_000_000);
  };
  const cross = (at: number): void => {
    const isBid = (random.int(2) === 0 && book.bestAsk < 10_000) || book.bestBid === 0;
    const reach = meanDistanceTicks * tickBps;
    const price = isBid ? Math.min(book.bestAsk + reach, 10_000 - tickBps) : Math.max(book.bestBid - reach, tickBps);
    const most = mostShares * 0.6 * (open.size / openOrders);
    place(at, isBid, price, (1 + Math.floor(random.uniform() * most)) * 1_000_000);
  };

  for (let at = 0; at < openOrders; at++) add(at);
  for (let at = openOrders; at < length; at++) {
    if (random.int(100) === 0) middle = Math.min(Math.max(middle + (random.int(3) - 1) * tickBps, 2000), 8000);
    const draw = random.uniform();
    if (draw < ADDS) add(at);
    else if (draw < ADDS + CANCELS && open.size > 0) {
      const order = open.at(random.int(open.size));
      columns.order[at] = order;
      book.cancel(order);
    } else cross(at);
  }
  return { shape, opening: openOrders, length, ...columns };
}

/** The numbers of all open orders, in no order, so that one can be drawn. */
class OpenOrders implements MatchSink {
  size = 0;
  readonly #orders: Int32Array;
  readonly #places: Int32Array;

  readonly #slots: OrderSlots;

  constructor(most: number, slots: OrderSlots) {
    this.#slots = slots;
    this.#orders = new Int32Array(most + 1);
    this.#places = new Int32Array(most + 1).fill(-1);
  }

  at(place: number): number {
    return this.#orders[place] ?? 0;
  }

  rested(slot: number): void {
    const order = this.#slots.order(slot);
    this.#places[order] = this.size;
    this.#orders[this.size++] = order;
  }

  closed(slot: number): void {
    const order = this.#slots.order(slot);
    const place = this.#places[order] ?? -1;
    if (place < 0) return;
    const last = this.at(--this.size);
    this.#orders[place] = last;
    this.#places[last] = place;
    this.#places[order] = -1;
  }

  filled(): boolean {
    return false;
  }
  paused(): number {
    return 0;
  }
  reduced(): void {}
  ended(): void {}
}

function write(
  columns: Pick<OrderFlow, 'order' | 'kind' | 'price' | 'shares'>,
  at: number,
  row: { readonly order: number; readonly kind: number; readonly price: number; readonly shares: number },
): void {
  columns.order[at] = row.order;
  columns.kind[at] = row.kind;
  columns.price[at] = row.price;
  columns.shares[at] = row.shares;
}
