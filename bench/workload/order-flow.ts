/** Seeded streams of orders and cancels, generated before a bench measures, and the outcome of a stream. */
import { seededRandom } from '../../src/clock/index.ts';
import { SHARE } from '../../src/domain/index.ts';
import { FORCE, type MatchSink, OrderSlots, orderKind } from '../../src/exchange/index.ts';
import { CheckedBook } from '../../test/exchange/matching/checked-book.ts';

/** The size and distribution of a flow. */
export interface FlowShape {
  /** Number of commands after the book is filled. */
  readonly operations: number;
  /** Number of open orders, which stays approximately constant. */
  readonly openOrders: number;
  readonly tickBps: number;
  /** Mean distance of a new order from the middle, in ticks (exponential distribution). */
  readonly meanDistanceTicks: number;
  /** Maximum size in whole shares. Sizes are uniform from 1. */
  readonly maxShares: number;
  readonly seed: number;
}

/**
 * Commands as rows of `ROW` numbers. A row is in one cache line, so that reading costs every implementation the same.
 * The first `opening` rows fill the book, and the operations follow. Orders are numbered 1, 2, 3 … Half of the accounts
 * bid and the others ask, so that no account trades with itself.
 */
export interface OrderFlow {
  readonly shape: FlowShape;
  /** Number of rows that fill the book, and number of all rows. */
  readonly opening: number;
  readonly length: number;
  /** Shared memory. Each row has the order, its terms (0 for a cancel), whole shares and the account. */
  readonly rows: Int32Array;
}

/** A million operations at the venue's default tick. Orders are 4 cents from the middle on average. */
export const MAIN_SHAPE: FlowShape = {
  operations: 1_000_000,
  openOrders: 10_000,
  tickBps: 10,
  meanDistanceTicks: 40,
  maxShares: 1000,
  seed: 1,
};

/** Numbers in a row. */
export const ROW = 4;
/** Columns of a row. */
export const [ORDER, TERMS, SHARES, ACCOUNT] = [0, 1, 2, 3] as const;
/** Number of accounts, numbered from 1. */
export const ACCOUNTS = 1000;

/** Returns whether a row cancels an order. Other rows place an order. */
export function isCancel(flow: OrderFlow, at: number): boolean {
  return flow.rows[ROW * at + TERMS] === 0;
}

/** Returns the order number of a row. */
export function orderAt({ rows }: OrderFlow, at: number): number {
  return rows[ROW * at + ORDER]!;
}

/** Returns the code of `ORDER_KIND`, the lowest two bits of a row's terms. */
export function kindIn(terms: number): number {
  return terms & 3;
}

/** Returns the limit in the other bits of a row's terms, in bps of the kind's outcome. */
export function priceIn(terms: number): number {
  return terms >> 2;
}

/** Returns the account of a row. */
export function accountAt({ rows }: OrderFlow, at: number): number {
  return rows[ROW * at + ACCOUNT]!;
}

/** Returns the terms of a place: its kind and limit. */
export function termsAt({ rows }: OrderFlow, at: number): number {
  return rows[ROW * at + TERMS]!;
}

/** Returns the micro-shares of a place. */
export function sharesAt({ rows }: OrderFlow, at: number): number {
  return rows[ROW * at + SHARES]! * SHARE;
}

const ADDS = 0.48;
const CANCELS = 0.42;

/**
 * Generates 48 % orders that rest, 42 % cancels of a random open order and 10 % orders that cross, uniform over the
 * four kinds. A taker fills 0.6 makers on average, which keeps the number of open orders constant.
 */
export function orderFlow(shape: FlowShape): OrderFlow {
  const { openOrders, tickBps, meanDistanceTicks, maxShares, seed } = shape;
  const random = seededRandom(seed);
  const length = openOrders + shape.operations;
  const rows = new Int32Array(new SharedArrayBuffer(4 * ROW * length));
  const accountOf = new Uint16Array(length + 1);
  const slots = new OrderSlots();
  const open = new OpenOrders(length, slots);
  const book = new CheckedBook({ slots, sink: open, number: 0, tickBps });
  let middle = 5000;
  let placed = 0;
  let accountSeed = 12_345;

  const write = (at: number, order: number, terms: number, shares: number): void => {
    rows.set([order, terms, shares, accountOf[order]!], ROW * at);
  };

  const place = (at: number, isBid: boolean, yesPrice: number, shares: number): void => {
    const isYes = random.int(2) === 0;
    const kind = orderKind(isYes ? 'YES' : 'NO', isBid === isYes ? 'BUY' : 'SELL');
    const price = isYes ? yesPrice : 10_000 - yesPrice;
    accountSeed = (Math.imul(accountSeed, 1_103_515_245) + 12_345) >>> 0;
    accountOf[++placed] = 1 + 2 * ((accountSeed >>> 8) % (ACCOUNTS / 2)) + (isBid ? 1 : 0);
    write(at, placed, (price << 2) | kind, shares);
    if (book.place(placed, kind, FORCE.gtc, price, shares * SHARE) !== 0)
      throw new Error(`Invariant: order ${placed} was refused`);
  };
  const add = (at: number): void => {
    const isBid = random.int(2) === 0;
    const away = Math.floor(random.exponential() * meanDistanceTicks) * tickBps;
    const wanted = isBid
      ? Math.min(middle - away, book.bestAsk - tickBps)
      : Math.max(middle + away, book.bestBid + tickBps);
    place(at, isBid, Math.min(Math.max(wanted, tickBps), 10_000 - tickBps), 1 + random.int(maxShares));
  };
  const cross = (at: number): void => {
    const isBid = (random.int(2) === 0 && book.bestAsk < 10_000) || book.bestBid === 0;
    const reach = meanDistanceTicks * tickBps;
    const price = isBid ? Math.min(book.bestAsk + reach, 10_000 - tickBps) : Math.max(book.bestBid - reach, tickBps);
    const limit = maxShares * 0.6 * (open.size / openOrders);
    place(at, isBid, price, 1 + Math.floor(random.uniform() * limit));
  };

  for (let at = 0; at < openOrders; at++) add(at);
  for (let at = openOrders; at < length; at++) {
    if (random.int(100) === 0) middle = Math.min(Math.max(middle + (random.int(3) - 1) * tickBps, 2000), 8000);
    const draw = random.uniform();
    if (draw < ADDS) add(at);
    else if (draw < ADDS + CANCELS && open.size > 0) {
      const order = open.at(random.int(open.size));
      write(at, order, 0, 0);
      book.cancel(order);
    } else cross(at);
  }
  return { shape, opening: openOrders, length, rows };
}

/** Unsorted numbers of all open orders, for random draws. */
class OpenOrders implements MatchSink {
  size = 0;
  readonly #orders: Int32Array;
  readonly #indexes: Int32Array;
  readonly #slots: OrderSlots;

  constructor(capacity: number, slots: OrderSlots) {
    this.#slots = slots;
    this.#orders = new Int32Array(capacity + 1);
    this.#indexes = new Int32Array(capacity + 1).fill(-1);
  }

  at(place: number): number {
    return this.#orders[place] ?? 0;
  }

  rested(slot: number): void {
    const order = this.#slots.order(slot);
    this.#indexes[order] = this.size;
    this.#orders[this.size++] = order;
  }

  closed(slot: number): void {
    const order = this.#slots.order(slot);
    const place = this.#indexes[order] ?? -1;
    if (place < 0) return;
    const last = this.at(--this.size);
    this.#orders[place] = last;
    this.#indexes[last] = place;
    this.#indexes[order] = -1;
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

/** The outcome of a flow. Two books that did the same work have equal outcomes. */
export interface Outcome {
  readonly fills: number;
  /** Micro-shares. */
  readonly traded: number;
  readonly open: number;
  /** `price:shares` of each level, lowest price first. */
  readonly ladder: readonly string[];
}

/** @throws Error when the outcomes differ */
export function assertSameWork(ours: Outcome, peer: Outcome): void {
  if (JSON.stringify(ours) === JSON.stringify(peer)) return;
  const show = ({ fills, traded, open, ladder }: Outcome): string =>
    `${fills} fills, ${traded} traded, ${open} open orders, ${ladder.length} levels`;
  throw new Error(`the books did not do the same work: ${show(ours)}; the peer: ${show(peer)}`);
}
