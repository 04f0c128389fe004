import { InputFault, LOT } from '../../domain/index.ts';
import type { BookSideCode } from './side-levels.ts';

/** Orders of a market that are remembered at once. */
const MAX_ORDERS = 1_000_000;

/** An order of the source. */
interface Order {
  readonly id: string;
  readonly side: BookSideCode;
  /** Of the grid, bps. */
  readonly price: number;
  /** Of the source, bps. */
  readonly source: number;
  /** Micro-shares that are left. */
  shares: number;
  /** `shares` when the open message began, or when the order came in it. */
  before: number;
  /** Came in the open message. */
  isNew: boolean;
}

/** Orders of one side and price in order of arrival. */
interface Queue {
  readonly orders: Order[];
  /** Micro-shares of orders without a known id after the last message. They count as before all known ones. */
  unknown: number;
  /** Micro-shares traded at the level that no fall of it has explained yet. */
  printed: number;
}

/** Side, price, unknown and printed micro-shares; id, source price and micro-shares of each order. */
export type SavedQueue = [BookSideCode, number, number, number, [string, number, number][]];

/**
 * The orders of a market by their ids, which say what stood before an order that is cancelled
 * (docs/spec/models.md#recorded-order-ids).
 *
 * The sizes of the levels stand in `SideLevels`. What a level has beyond its known orders belongs to unknown ones. A level
 * below the sum of its orders shows that the source lost something: its orders are then unknown, too.
 */
export class OrderQueues {
  readonly #orders = new Map<string, Order>();
  readonly #queues = new Map<number, Queue>();

  get(id: string): Readonly<Order> | undefined {
    return this.#orders.get(id);
  }

  /** @param id of no order that is there @throws InputFault for too many orders */
  insert(id: string, side: BookSideCode, price: number, source: number, microShares: number): void {
    if (this.#orders.size === MAX_ORDERS) {
      throw new InputFault('order_id', id, `at most ${MAX_ORDERS} orders of a market that were not cancelled`);
    }
    const order: Order = { id, side, price, source, shares: microShares, before: microShares, isNew: true };
    this.#orders.set(id, order);
    const key = keyOf(side, price);
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, { orders: [order], unknown: 0, printed: 0 });
    else queue.orders.push(order);
  }

  /** Lowers an order that is there. @param microShares at most what is left of it */
  reduce(id: string, microShares: number): void {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`Invariant: no order ${id}`);
    order.shares -= microShares;
    if (order.shares === 0) this.#orders.delete(id);
  }

  /** Something traded with the orders of a level. */
  print(side: BookSideCode, price: number, microShares: number): void {
    const queue = this.#queues.get(keyOf(side, price));
    if (queue !== undefined) queue.printed += microShares;
  }

  clear(): void {
    this.#orders.clear();
    this.#queues.clear();
  }

  /**
   * Closes the changes of a level: hands on its sizes in lots, those that an order was cancelled from with what stood
   * before it, rounded **up** to lots. Falls that trades explain come first, orders that came last.
   * @param shown lots before the message @param total micro-shares after it, those of unknown orders included
   * @returns false when the orders of the level are forgotten, because it is below their sum
   */
  flush(
    side: BookSideCode,
    price: number,
    shown: number,
    total: number,
    level: (size: number, ahead: number | undefined) => void,
  ): boolean {
    const key = keyOf(side, price);
    const queue = this.#queues.get(key);
    const known = queue?.orders.reduce((sum, { shares }) => sum + shares, 0) ?? 0;
    const unknown = total - known;
    let last = shown;
    const set = (size: number, ahead?: number): void => {
      const lots = size - (size % LOT);
      if (lots !== last) level(lots, ahead);
      last = lots;
    };
    if (queue !== undefined && unknown >= 0) {
      const cancelled = cancelledOf(queue, unknown);
      let size = cancelled.reduce((sum, { shares }) => sum + shares, total - cameOf(queue));
      set(size);
      for (const { shares, ahead } of cancelled) {
        size -= shares;
        set(size, ahead + ((LOT - (ahead % LOT)) % LOT));
      }
    }
    set(total);
    if (queue !== undefined) this.#close(key, queue, unknown);
    return unknown >= 0;
  }

  /** Plain values between two messages, for `restore`. */
  save(): SavedQueue[] {
    return [...this.#queues].map(([key, { orders, unknown, printed }]) => [
      key % 2 === 0 ? 0 : 1,
      Math.floor(key / 2),
      unknown,
      printed,
      orders.map(({ id, source, shares }) => [id, source, shares]),
    ]);
  }

  restore(queues: readonly SavedQueue[]): void {
    for (const [side, price, unknown, printed, saved] of queues) {
      const orders = saved.map(([id, source, shares]) => ({
        id,
        side,
        price,
        source,
        shares,
        before: shares,
        isNew: false,
      }));
      for (const order of orders) this.#orders.set(order.id, order);
      this.#queues.set(keyOf(side, price), { orders, unknown, printed });
    }
  }

  #close(key: number, queue: Queue, unknown: number): void {
    const left = unknown < 0 ? [] : queue.orders.filter(({ shares }) => shares > 0);
    if (unknown < 0) for (const { id } of queue.orders) this.#orders.delete(id);
    if (left.length === 0) {
      this.#queues.delete(key);
      return;
    }
    for (const order of left) {
      order.before = order.shares;
      order.isNew = false;
    }
    queue.orders.splice(0, queue.orders.length, ...left);
    queue.unknown = unknown;
  }
}

/**
 * What was cancelled of each order, with the micro-shares that then stood before it. What traded took from the first orders
 * on, and until the level falls, trades of earlier messages count, too.
 */
function cancelledOf(queue: Queue, unknown: number): { readonly shares: number; readonly ahead: number }[] {
  const unknownFall = Math.max(0, queue.unknown - unknown);
  let printed = Math.max(0, queue.printed - unknownFall);
  let ahead = unknown;
  let hasFallen = unknownFall > 0;
  const cancelled: { readonly shares: number; readonly ahead: number }[] = [];
  for (const { shares, before, isNew } of queue.orders) {
    const fall = before - shares;
    const traded = Math.min(fall, printed);
    printed -= traded;
    if (fall > 0) hasFallen = true;
    if (fall > traded && !isNew) cancelled.push({ shares: fall - traded, ahead });
    ahead += shares;
  }
  if (hasFallen) queue.printed = 0;
  return cancelled;
}

/** Micro-shares of orders that came in the open message. */
function cameOf({ orders }: Queue): number {
  return orders.reduce((sum, { shares, isNew }) => sum + (isNew ? shares : 0), 0);
}

function keyOf(side: BookSideCode, price: number): number {
  return 2 * price + side;
}
