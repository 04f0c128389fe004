/**
 * Own orders in one market's book, so that what the core sees is the outside book (docs/spec/models.md#mark).
 *
 * The book and our own orders are told by two streams, and each may be ahead. Every fact has the venue's event number: at
 * book number S an order counts with what the last fact up to S left of it. What is on its way (placed and not told of, about
 * to be cancelled) may be in the book or not: within these bounds the outside size stays what it was, so that a change of
 * ours is never taken for one of others'. When the fact comes, it is exact again.
 *
 * HOT: each frame of a book in which orders of ours are passes here (bench/tick-to-order.ts), so lists are walked by their places.
 *
 * Invariants: a level is here exactly while an order of ours that may be in the book stands at it; `shown` is the outside size
 * that the core has.
 */
import type { BookView } from '../../../book/index.ts';
import type { OwnPlace } from './own-orders-port.ts';

/** From event `seq` on, so much rests. */
interface Fact {
  readonly seq: number;
  readonly remaining: number;
}

interface OwnOrder {
  readonly place: OwnPlace;
  /** Ascending by `seq`. */
  facts: Fact[];
  isCancelling: boolean;
}

/** One price on one side. */
export interface OwnLevel {
  readonly side: 0 | 1;
  readonly price: number;
  readonly orders: OwnOrder[];
  shown: number;
}

const KEYS = 16_384;
const BID = 0;
const ASK = 1;

export class OwnLevels {
  readonly #book: BookView;
  readonly #orders = new Map<string, OwnOrder>();
  readonly #levels = new Map<number, OwnLevel>();
  readonly #list: OwnLevel[] = [];
  /** Some order has facts that a later book leaves behind. */
  #isUnsettled = false;

  /** @param book with own orders, as the venue tells it */
  constructor(book: BookView) {
    this.#book = book;
  }

  /** Whether no order of ours can be in the book: the short way. */
  get isEmpty(): boolean {
    return this.#list.length === 0;
  }

  /** In no order; `drop` puts the last one in the place of the one that goes. */
  get levels(): readonly OwnLevel[] {
    return this.#list;
  }

  /** The level of ours at a price; undefined when there is none. @param side 0 bid, 1 ask */
  at(side: number, price: number): OwnLevel | undefined {
    return this.#levels.get(side * KEYS + price);
  }

  has(order: string): boolean {
    return this.#orders.has(order);
  }

  placing(order: string, place: OwnPlace): void {
    if (this.#orders.has(order)) return;
    const own: OwnOrder = { place, facts: [], isCancelling: false };
    this.#orders.set(order, own);
    this.#levelOf(place).orders.push(own);
  }

  /** @returns the level that may have to be shown anew */
  rests(order: string, fact: Fact): OwnLevel | undefined {
    const own = this.#orders.get(order);
    if (own === undefined) return undefined;
    own.isCancelling = false;
    this.#isUnsettled = true;
    const { facts } = own;
    const at = lastUpTo(facts, fact.seq);
    // Several facts of one event: the last one told counts, as in a replace.
    if (facts[at]?.seq === fact.seq) facts[at] = fact;
    else facts.splice(at + 1, 0, fact);
    return this.#levelOf(own.place);
  }

  cancelling(order: string): void {
    const own = this.#orders.get(order);
    if (own !== undefined) own.isCancelling = true;
  }

  never(order: string): OwnLevel | undefined {
    const own = this.#orders.get(order);
    if (own === undefined) return undefined;
    const level = this.#levelOf(own.place);
    this.#forget(order, own, level);
    return level;
  }

  /** Whether an order on its way reaches so far as to have taken at a price. @param side 0 bid, 1 ask */
  takesAt(side: number, price: number): boolean {
    for (const { place, facts } of this.#orders.values()) {
      if (facts.length > 0 || (place.side === 'bid') !== (side === BID)) continue;
      if (side === BID ? place.price >= price : place.price <= price) return true;
    }
    return false;
  }

  /** Outside micro-shares of a level at book number `seq`, given what the book shows there. */
  outside({ orders, shown }: OwnLevel, raw: number, seq: number): number {
    let [known, arriving, leaving] = [0, 0, 0];
    for (let at = 0; at < orders.length; at += 1) {
      const { facts, place, isCancelling } = orders[at]!;
      if (facts.length === 0) {
        arriving += place.shares;
        continue;
      }
      const remaining = facts[lastUpTo(facts, seq)]?.remaining ?? 0;
      known += remaining;
      if (isCancelling) leaving += remaining;
    }
    const least = Math.max(0, raw - known - arriving);
    const most = Math.max(0, raw - known + leaving);
    return Math.min(Math.max(shown, least), most);
  }

  /** Forgets what the book at `seq` has behind it. Orders that are gone for good go, levels without orders too. */
  settle(seq: number): void {
    if (!this.#isUnsettled) return;
    this.#isUnsettled = false;
    for (const [order, own] of this.#orders) {
      const at = lastUpTo(own.facts, seq);
      if (at > 0) own.facts.splice(0, at);
      const [only] = own.facts;
      if (own.facts.length === 1 && only !== undefined && only.remaining === 0 && only.seq <= seq) {
        this.#forget(order, own, this.#levelOf(own.place));
      } else if (own.facts.length > 1 || (only !== undefined && only.seq > seq)) {
        this.#isUnsettled = true;
      }
    }
  }

  /** A level without orders is shown as it is and needs no keeping. */
  drop(level: OwnLevel): void {
    if (level.orders.length > 0 || !this.#levels.delete(level.side * KEYS + level.price)) return;
    const last = this.#list.pop();
    if (last !== undefined && last !== level) this.#list[this.#list.indexOf(level)] = last;
  }

  #forget(order: string, own: OwnOrder, level: OwnLevel): void {
    this.#orders.delete(order);
    level.orders.splice(level.orders.indexOf(own), 1);
  }

  #levelOf({ side, price }: OwnPlace): OwnLevel {
    const number = side === 'bid' ? BID : ASK;
    const key = number * KEYS + price;
    const known = this.#levels.get(key);
    if (known !== undefined) return known;
    const shown = number === BID ? this.#book.bidAt(price) : this.#book.askAt(price);
    const level: OwnLevel = { side: number, price, orders: [], shown };
    this.#levels.set(key, level);
    this.#list.push(level);
    return level;
  }
}

/** Place of the last fact up to an event's number, -1 when there is none. */
function lastUpTo(facts: readonly Fact[], seq: number): number {
  let at = facts.length - 1;
  while (at >= 0 && facts[at]!.seq > seq) at -= 1;
  return at;
}
