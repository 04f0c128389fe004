/** Queue positions of open orders. `queuesAhead` walks each level only once. */
import type { MarketRecord } from '../markets/market-record.ts';
import type { Book } from '../matching/book.ts';
import type { OrderSlots } from '../matching/order-slots.ts';

export interface QueuesDeps {
  readonly slots: OrderSlots;
  readonly closing: { marketOf(slot: number): Readonly<MarketRecord> };
}

interface Level {
  readonly book: Book;
  readonly price: number;
  readonly orders: Set<number>;
}

/** Returns the micro-shares before an open order at its price; undefined if it is not in a public book. */
export function queueAhead({ slots, closing }: QueuesDeps, order: number): number | undefined {
  const slot = slots.find(order);
  if (slot === 0) return undefined;
  const { status, book } = closing.marketOf(slot);
  return status === 'OPEN' ? book.queueAhead(slot) : undefined;
}

/** Returns the micro-shares before each open order at its price, by order; only orders in public books. */
export function queuesAhead({ slots, closing }: QueuesDeps, orders: Iterable<number>): ReadonlyMap<number, number> {
  const levels = new Map<string, Level>();
  for (const order of orders) {
    const slot = slots.find(order);
    if (slot === 0) continue;
    const { no, status, book } = closing.marketOf(slot);
    if (status !== 'OPEN') continue;
    const price = slots.level(slot) * book.tickBps;
    const key = `${no} ${price}`;
    const level = levels.get(key) ?? { book, price, orders: new Set() };
    level.orders.add(slot);
    levels.set(key, level);
  }
  const found = new Map<number, number>();
  for (const level of levels.values()) walk(slots, level, found);
  return found;
}

function walk(slots: OrderSlots, { book, price, orders }: Level, found: Map<number, number>): void {
  let ahead = 0;
  let left = orders.size;
  for (let slot = book.firstAt(price); slot !== 0 && left > 0; slot = slots.behind(slot)) {
    if (orders.has(slot)) {
      found.set(slots.order(slot), book.recordedFront(slot) + ahead);
      left -= 1;
    }
    ahead += slots.remaining(slot);
  }
}
