import { InputFault, LOT } from '../../domain/index.ts';
import type { BookSideCode } from './side-levels.ts';

const MAX_ORDERS = 1_000_000;

interface Order {
  readonly id: string;
  readonly side: BookSideCode;
  /** Price on the grid, bps. */
  readonly price: number;
  /** Price of the source, bps. */
  readonly sourcePrice: number;
  /** Remaining micro-shares. */
  shares: number;
  /** `shares` before the current message, or at the arrival of a new order. */
  before: number;
  /** Whether the order arrived in the current message. */
  isNew: boolean;
}

/** Orders of one side and price in order of arrival. */
interface Queue {
  readonly orders: Order[];
  /** Micro-shares of unknown orders after the last message. They are ahead of all known orders. */
  unknown: number;
  /** Micro-shares traded since the level last decreased. */
  printed: number;
}

/** Saved state: side, price, unknown and printed micro-shares; id, source price and micro-shares of each order. */
export type SavedQueue = [BookSideCode, number, number, number, [string, number, number][]];

/**
 * Keeps the open orders of a market by id, and computes the size ahead of each cancelled order
 * (docs/spec/models.md#recorded-order-ids).
 *
 * `SideLevels` has the sizes of the levels. The excess of a level over its known orders belongs to unknown orders. If a
 * level is smaller than the sum of its known orders, the source lost messages, and these orders become unknown.
 */
export class OrderQueues {
  readonly #orders = new Map<string, Order>();
  readonly #queues = new Map<number, Queue>();

  get(id: string): Readonly<Order> | undefined {
    return this.#orders.get(id);
  }

  /** @param id id that no open order has @throws InputFault for too many orders */
  insert(id: string, side: BookSideCode, price: number, sourcePrice: number, microShares: number): void {
    if (this.#orders.size === MAX_ORDERS)
      throw new InputFault('order_id', id, `at most ${MAX_ORDERS} open orders per market`);
    const order: Order = { id, side, price, sourcePrice, shares: microShares, before: microShares, isNew: true };
    this.#orders.set(id, order);
    const key = toKey(side, price);
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, { orders: [order], unknown: 0, printed: 0 });
    else queue.orders.push(order);
  }

  /** Reduces an open order. @param microShares at most the remaining size */
  reduce(id: string, microShares: number): void {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`Invariant: no order ${id}`);
    order.shares -= microShares;
    if (order.shares === 0) this.#orders.delete(id);
  }

  addTrade(side: BookSideCode, price: number, microShares: number): void {
    const queue = this.#queues.get(toKey(side, price));
    if (queue !== undefined) queue.printed += microShares;
  }

  clear(): void {
    this.#orders.clear();
    this.#queues.clear();
  }

  /**
   * Ends a message for a level. Calls `onSize` for the successive sizes of the level, rounded **down** to lots. For a
   * cancelled order, it also passes the size ahead of the order, rounded **up** to lots. Decreases by trades come
   * first, new orders last.
   * @param shown micro-shares on the tape before the message
   * @param total micro-shares after the message, including unknown orders
   * @returns false if the level is below the sum of its orders, which become unknown
   */
  flush(
    side: BookSideCode,
    price: number,
    shown: number,
    total: number,
    onSize: (size: number, ahead: number | undefined) => void,
  ): boolean {
    const key = toKey(side, price);
    const queue = this.#queues.get(key);
    const knownShares = queue?.orders.reduce((sum, { shares }) => sum + shares, 0) ?? 0;
    const unknown = total - knownShares;
    let lastSize = shown;
    const report = (size: number, ahead?: number): void => {
      const lots = size - (size % LOT);
      if (lots !== lastSize) onSize(lots, ahead);
      lastSize = lots;
    };
    if (queue !== undefined && unknown >= 0) {
      const cancelled = findCancelledOrders(queue, unknown);
      const newShares = queue.orders.reduce((sum, { shares, isNew }) => sum + (isNew ? shares : 0), 0);
      let size = cancelled.reduce((sum, { shares }) => sum + shares, total - newShares);
      report(size);
      for (const { shares, ahead } of cancelled) {
        size -= shares;
        report(size, ahead + ((LOT - (ahead % LOT)) % LOT));
      }
    }
    report(total);
    if (queue !== undefined) this.#endMessage(key, queue, unknown);
    return unknown >= 0;
  }

  /** Returns the state between two messages as plain values, for `restore`. */
  save(): SavedQueue[] {
    return [...this.#queues].map(([key, { orders, unknown, printed }]) => [
      key % 2 === 0 ? 0 : 1,
      Math.floor(key / 2),
      unknown,
      printed,
      orders.map(({ id, sourcePrice, shares }) => [id, sourcePrice, shares]),
    ]);
  }

  restore(queues: readonly SavedQueue[]): void {
    for (const [side, price, unknown, printed, saved] of queues) {
      const orders = saved.map(([id, sourcePrice, shares]) => {
        return { id, side, price, sourcePrice, shares, before: shares, isNew: false };
      });
      for (const order of orders) this.#orders.set(order.id, order);
      this.#queues.set(toKey(side, price), { orders, unknown, printed });
    }
  }

  #endMessage(key: number, queue: Queue, unknown: number): void {
    const remaining = unknown < 0 ? [] : queue.orders.filter(({ shares }) => shares > 0);
    if (unknown < 0) for (const { id } of queue.orders) this.#orders.delete(id);
    if (remaining.length === 0) {
      this.#queues.delete(key);
      return;
    }
    for (const order of remaining) {
      order.before = order.shares;
      order.isNew = false;
    }
    queue.orders.splice(0, queue.orders.length, ...remaining);
    queue.unknown = unknown;
  }
}

/**
 * Returns the cancelled size of each order, and the micro-shares ahead of it. Trades since the level's last decrease
 * fill unknown orders first, then known orders in order of arrival. The rest of an order's decrease is cancelled.
 */
function findCancelledOrders(queue: Queue, unknown: number): { readonly shares: number; readonly ahead: number }[] {
  const unknownDecrease = Math.max(0, queue.unknown - unknown);
  let printed = Math.max(0, queue.printed - unknownDecrease);
  let ahead = unknown;
  let hasDecreased = unknownDecrease > 0;
  const cancelled: { readonly shares: number; readonly ahead: number }[] = [];
  for (const { shares, before, isNew } of queue.orders) {
    const decrease = before - shares;
    const traded = Math.min(decrease, printed);
    printed -= traded;
    if (decrease > 0) hasDecreased = true;
    if (decrease > traded && !isNew) cancelled.push({ shares: decrease - traded, ahead });
    ahead += shares;
  }
  if (hasDecreased) queue.printed = 0;
  return cancelled;
}

function toKey(side: BookSideCode, price: number): number {
  return 2 * price + side;
}
