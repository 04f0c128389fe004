/**
 * Subtracts own orders from one market's book, so that the core sees the outside book (docs/spec/models.md#mark).
 *
 * Two streams report the book and the own orders, and either may be ahead. Both carry the venue's event number. In the
 * book with number S, an order counts with its remaining size after the last own event up to S.
 *
 * The book may or may not contain a place or cancel that the own stream has not reported. Until the stream reports it,
 * only bounds of the outside size are known. The last outside size stays while it is within the bounds, so that own
 * orders never look like orders of others.
 *
 * HOT: each frame of a book with own orders passes here (bench/tick-to-order.ts), so loops use indexes.
 *
 * Invariant: `OwnLevels` has a level exactly while an own order at that price may be in the book.
 */
import type { BookView } from '../../book/index.ts';
import type { MarketNo, MicroShares, PriceBps } from '../../domain/index.ts';
import type { RowWriter } from './row-writer.ts';

/** The open size from event `seq` on. */
export interface SeqRemaining {
  readonly seq: number;
  readonly remaining: number;
}

/** An own order that may be in the book, in YES terms. */
export interface BookedOrder {
  readonly side: 'bid' | 'ask';
  readonly price: PriceBps;
  readonly shares: MicroShares;
  /** Ascending by `seq`; empty until the venue's stream has reported the order. */
  remainingAt: SeqRemaining[];
  /** Whether the stream has not yet reported a cancel or reduce that was sent. */
  isLeaving: boolean;
}

export interface OwnLevel {
  readonly side: 0 | 1;
  readonly price: number;
  readonly orders: BookedOrder[];
  /** Micro-shares in the venue's book, own orders included. */
  totalShares: number;
  /** Outside micro-shares that the core has received. */
  publishedShares: number;
}

/** Exceeds the largest price, so that side and price form one key. */
const KEYS_PER_SIDE = 16_384;
const BID = 0;
const ASK = 1;

export class OwnLevels {
  readonly #book: BookView;
  readonly #orders = new Set<BookedOrder>();
  readonly #levels = new Map<number, OwnLevel>();
  readonly #levelList: OwnLevel[] = [];
  /** Whether some order has entries in `remainingAt` that a later book makes obsolete. */
  #mayHaveObsolete = false;

  /** @param book the venue's book, own orders included */
  constructor(book: BookView) {
    this.#book = book;
  }

  get isEmpty(): boolean {
    return this.#levelList.length === 0;
  }

  /** Returns the own level at a price, if any. @param side 0 bid, 1 ask */
  at(side: number, price: number): OwnLevel | undefined {
    return this.#levels.get(side * KEYS_PER_SIDE + price);
  }

  /** Adds an order that is about to be sent. A taking order is added, too, because its size may appear in the book. */
  addPending(order: BookedOrder): void {
    if (this.#orders.has(order)) return;
    this.#orders.add(order);
    this.#levelOf(order).orders.push(order);
  }

  /** Records the remaining size of an added order. Returns whether the level's outside size may change. */
  setRemaining(order: BookedOrder, entry: SeqRemaining): boolean {
    if (!this.#orders.has(order) || hasEnded(order)) return false;
    order.isLeaving = false;
    this.#mayHaveObsolete = true;
    const { remainingAt } = order;
    const at = findLastUpTo(remainingAt, entry.seq);
    // A replace has several entries with one number. The last entry replaces the earlier entries.
    if (remainingAt[at]?.seq === entry.seq) remainingAt[at] = entry;
    else remainingAt.splice(at + 1, 0, entry);
    return true;
  }

  /** Marks an order whose cancel or reduce is about to be sent. */
  markLeaving(order: BookedOrder): void {
    if (this.#orders.has(order)) order.isLeaving = true;
  }

  /** Drops an order that never arrived. Returns whether the level's outside size may change. */
  drop(order: BookedOrder): boolean {
    if (!this.#orders.has(order) || hasEnded(order)) return false;
    this.#delete(order);
    return true;
  }

  /** Returns whether an unreported own order on this side may have taken at a price. @param side 0 bid, 1 ask */
  mayTakeAt(side: number, price: number): boolean {
    for (const order of this.#orders) {
      if (order.remainingAt.length > 0 || (order.side === 'bid') !== (side === BID)) continue;
      if (side === BID ? order.price >= price : order.price <= price) return true;
    }
    return false;
  }

  /** Writes each level whose outside size changed at book number `seq`, and drops obsolete entries. */
  write(rows: RowWriter, market: MarketNo, seq: number): void {
    const list = this.#levelList;
    for (let at = 0; at < list.length; at += 1) this.#write(list[at]!, rows, market, seq);
    this.#dropObsolete(seq);
    for (let at = list.length - 1; at >= 0; at -= 1) {
      const level = list[at]!;
      if (level.orders.length > 0) continue;
      // Without own orders, the level shows the whole size and is dropped.
      this.#write(level, rows, market, seq);
      this.#dropLevel(level);
    }
  }

  /** Recomputes all levels from the book, which is the snapshot with number `seq`. The caller writes all levels. */
  restart(seq: number): void {
    for (const level of this.#levelList) {
      level.totalShares = this.#totalAt(level.side, level.price);
      level.publishedShares = computeOutside(level, seq);
    }
  }

  #write(level: OwnLevel, rows: RowWriter, market: MarketNo, seq: number): void {
    const outside = computeOutside(level, seq);
    if (outside === level.publishedShares) return;
    level.publishedShares = outside;
    rows.level(market, level.side, level.price, outside);
  }

  /** Drops the entries, and the ended orders, that the book at `seq` makes obsolete. */
  #dropObsolete(seq: number): void {
    if (!this.#mayHaveObsolete) return;
    this.#mayHaveObsolete = false;
    for (const order of this.#orders) {
      const { remainingAt } = order;
      const at = findLastUpTo(remainingAt, seq);
      if (at > 0) remainingAt.splice(0, at);
      const [oldest] = remainingAt;
      if (remainingAt.length === 1 && oldest !== undefined && oldest.remaining === 0 && oldest.seq <= seq)
        this.#delete(order);
      else if (remainingAt.length > 1 || (oldest !== undefined && oldest.seq > seq)) this.#mayHaveObsolete = true;
    }
  }

  #dropLevel(level: OwnLevel): void {
    this.#levels.delete(level.side * KEYS_PER_SIDE + level.price);
    this.#levelList.splice(this.#levelList.indexOf(level), 1);
  }

  #delete(order: BookedOrder): void {
    this.#orders.delete(order);
    const { orders } = this.#levelOf(order);
    orders.splice(orders.indexOf(order), 1);
  }

  #levelOf({ side, price }: BookedOrder): OwnLevel {
    const sideCode = side === 'bid' ? BID : ASK;
    const key = sideCode * KEYS_PER_SIDE + price;
    const known = this.#levels.get(key);
    if (known !== undefined) return known;
    const totalShares = this.#totalAt(sideCode, price);
    const level: OwnLevel = { side: sideCode, price, orders: [], totalShares, publishedShares: totalShares };
    this.#levels.set(key, level);
    this.#levelList.push(level);
    return level;
  }

  #totalAt(side: number, price: number): number {
    return side === BID ? this.#book.bidAt(price) : this.#book.askAt(price);
  }
}

/** Computes the outside micro-shares of a level at book number `seq`. */
function computeOutside({ totalShares, orders, publishedShares }: OwnLevel, seq: number): number {
  let [knownShares, arrivingShares, leavingShares] = [0, 0, 0];
  for (let at = 0; at < orders.length; at += 1) {
    const { remainingAt, shares, isLeaving } = orders[at]!;
    if (remainingAt.length === 0) {
      arrivingShares += shares;
      continue;
    }
    const remaining = remainingAt[findLastUpTo(remainingAt, seq)]?.remaining ?? 0;
    knownShares += remaining;
    if (isLeaving) leavingShares += remaining;
  }
  const least = Math.max(0, totalShares - knownShares - arrivingShares);
  const greatest = Math.max(0, totalShares - knownShares + leavingShares);
  return Math.min(Math.max(publishedShares, least), greatest);
}

function hasEnded({ remainingAt }: BookedOrder): boolean {
  return remainingAt.at(-1)?.remaining === 0;
}

/** Returns the index of the last entry up to `seq`, or -1. */
function findLastUpTo(entries: readonly SeqRemaining[], seq: number): number {
  let at = entries.length - 1;
  while (at >= 0 && entries[at]!.seq > seq) at -= 1;
  return at;
}
