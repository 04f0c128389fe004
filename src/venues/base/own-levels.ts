/**
 * Own orders in one market's book, so that what the core sees is the outside book (docs/spec/models.md#mark).
 *
 * Two streams report the book and our own orders, and each may be ahead. Every fact has the venue's event number: at
 * book number S an order counts with what the last fact up to S left of it. What is on its way (placed and not
 * reported, about to be cancelled) may be in the book or not: within these bounds the outside size stays what it was,
 * so that a change of ours is never taken for one of others'. When the fact comes, it is exact again.
 *
 * HOT: each frame of a book in which orders of ours are passes here (bench/tick-to-order.ts), so lists are walked by
 * their places.
 *
 * Invariants: a level is here exactly while an order of ours that may be in the book stands at it; `shown` is the
 * outside size that the core has.
 */
import type { BookView } from '../../book/index.ts';
import type { MarketNo, MicroShares, PriceBps } from '../../domain/index.ts';
import type { RowWriter } from './row-writer.ts';

/** From event `seq` on, this size is open. */
export interface SeqRemaining {
  readonly seq: number;
  readonly remaining: number;
}

/** An own order as its book has it. Prices and sides are in YES terms. */
export interface BookedOrder {
  readonly side: 'bid' | 'ask';
  readonly price: PriceBps;
  readonly shares: MicroShares;
  /** Ascending by `seq`; empty until the venue's stream has reported it. */
  remainingAt: SeqRemaining[];
  /** A cancel or reduce was sent that the stream has not reported. */
  isLeaving: boolean;
}

/** One price on one side. */
export interface OwnLevel {
  readonly side: 0 | 1;
  readonly price: number;
  readonly orders: BookedOrder[];
  /** Micro-shares in the venue's book, own orders included. */
  whole: number;
  /** Outside micro-shares that the core has. */
  shown: number;
}

const KEYS = 16_384;
const BID = 0;
const ASK = 1;

export class OwnLevels {
  readonly #book: BookView;
  readonly #orders = new Set<BookedOrder>();
  readonly #levels = new Map<number, OwnLevel>();
  readonly #list: OwnLevel[] = [];
  /** Some order has facts that a later book leaves behind. */
  #isUnsettled = false;

  /** @param book as the venue has it, own orders included */
  constructor(book: BookView) {
    this.#book = book;
  }

  /** Whether no order of ours can be in the book: the short way. */
  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  /** In no order. */
  get levels(): readonly OwnLevel[] {
    return this.#list;
  }

  /** The own level at a price; undefined if there is none. @param side 0 bid, 1 ask */
  at(side: number, price: number): OwnLevel | undefined {
    return this.#levels.get(side * KEYS + price);
  }

  /** It is about to be sent: what grows at its price may be it. Takers too. */
  placing(order: BookedOrder): void {
    if (this.#orders.has(order)) return;
    this.#orders.add(order);
    this.#levelOf(order).orders.push(order);
  }

  /** Only for orders that were `placing`. @returns whether its level may show another size now */
  rests(order: BookedOrder, fact: SeqRemaining): boolean {
    if (!this.#orders.has(order) || isOver(order)) return false;
    order.isLeaving = false;
    this.#isUnsettled = true;
    const { remainingAt } = order;
    const at = lastUpTo(remainingAt, fact.seq);
    // Several facts of one event: the last one counts, as in a replace.
    if (remainingAt[at]?.seq === fact.seq) remainingAt[at] = fact;
    else remainingAt.splice(at + 1, 0, fact);
    return true;
  }

  cancelling(order: BookedOrder): void {
    if (this.#orders.has(order)) order.isLeaving = true;
  }

  /** @returns whether its level may show another size now */
  never(order: BookedOrder): boolean {
    if (!this.#orders.has(order) || isOver(order)) return false;
    this.#forget(order, this.#levelOf(order));
    return true;
  }

  /** Whether an order on its way reaches so far as to have taken at a price. @param side 0 bid, 1 ask */
  takesAt(side: number, price: number): boolean {
    for (const order of this.#orders) {
      if (order.remainingAt.length > 0 || (order.side === 'bid') !== (side === BID)) continue;
      if (side === BID ? order.price >= price : order.price <= price) return true;
    }
    return false;
  }

  /**
   * Writes each level that shows another outside size at book number `seq`, and forgets what that book has behind it.
   */
  write(rows: RowWriter, market: MarketNo, seq: number): void {
    const list = this.#list;
    for (let at = 0; at < list.length; at += 1) this.#write(list[at]!, rows, market, seq);
    this.#settle(seq);
    for (let at = list.length - 1; at >= 0; at -= 1) {
      const level = list[at]!;
      if (level.orders.length > 0) continue;
      // Nothing of ours stands there any more: the level shows what the book has, and is no longer kept.
      this.#write(level, rows, market, seq);
      this.#drop(level);
    }
  }

  /** The sizes of a snapshot with this number, which the book has. All of its levels are written. */
  restart(seq: number): void {
    for (const level of this.#list) {
      level.whole = this.#wholeAt(level.side, level.price);
      level.shown = outsideAt(level, seq);
    }
  }

  #write(level: OwnLevel, rows: RowWriter, market: MarketNo, seq: number): void {
    const outside = outsideAt(level, seq);
    if (outside === level.shown) return;
    level.shown = outside;
    rows.level(market, level.side, level.price, outside);
  }

  /** Forgets what the book at `seq` has behind it, orders that have ended too. */
  #settle(seq: number): void {
    if (!this.#isUnsettled) return;
    this.#isUnsettled = false;
    for (const order of this.#orders) {
      const { remainingAt } = order;
      const at = lastUpTo(remainingAt, seq);
      if (at > 0) remainingAt.splice(0, at);
      const [only] = remainingAt;
      if (remainingAt.length === 1 && only !== undefined && only.remaining === 0 && only.seq <= seq) {
        this.#forget(order, this.#levelOf(order));
      } else if (remainingAt.length > 1 || (only !== undefined && only.seq > seq)) {
        this.#isUnsettled = true;
      }
    }
  }

  #drop(level: OwnLevel): void {
    if (level.orders.length > 0 || !this.#levels.delete(level.side * KEYS + level.price)) return;
    const last = this.#list.pop();
    if (last !== undefined && last !== level) this.#list[this.#list.indexOf(level)] = last;
  }

  #forget(order: BookedOrder, level: OwnLevel): void {
    this.#orders.delete(order);
    level.orders.splice(level.orders.indexOf(order), 1);
  }

  #levelOf({ side, price }: BookedOrder): OwnLevel {
    const number = side === 'bid' ? BID : ASK;
    const key = number * KEYS + price;
    const known = this.#levels.get(key);
    if (known !== undefined) return known;
    const whole = this.#wholeAt(number, price);
    const level: OwnLevel = { side: number, price, orders: [], whole, shown: whole };
    this.#levels.set(key, level);
    this.#list.push(level);
    return level;
  }

  #wholeAt(side: number, price: number): number {
    return side === BID ? this.#book.bidAt(price) : this.#book.askAt(price);
  }
}

/** Outside micro-shares of a level at book number `seq`. */
function outsideAt({ whole, orders, shown }: OwnLevel, seq: number): number {
  let [known, arriving, leaving] = [0, 0, 0];
  for (let at = 0; at < orders.length; at += 1) {
    const { remainingAt, shares, isLeaving } = orders[at]!;
    if (remainingAt.length === 0) {
      arriving += shares;
      continue;
    }
    const remaining = remainingAt[lastUpTo(remainingAt, seq)]?.remaining ?? 0;
    known += remaining;
    if (isLeaving) leaving += remaining;
  }
  const least = Math.max(0, whole - known - arriving);
  const most = Math.max(0, whole - known + leaving);
  return Math.min(Math.max(shown, least), most);
}

/** Its last fact says that nothing rests. */
function isOver({ remainingAt }: BookedOrder): boolean {
  return remainingAt.at(-1)?.remaining === 0;
}

/** Place of the last fact up to an event's number, -1 when there is none. */
function lastUpTo(facts: readonly SeqRemaining[], seq: number): number {
  let at = facts.length - 1;
  while (at >= 0 && facts[at]!.seq > seq) at -= 1;
  return at;
}
