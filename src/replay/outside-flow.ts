/**
 * Outside flow against the orders of a replayed book (docs/spec/models.md#outside-flow, docs/spec/models.md#queue).
 *
 * R is the recorded size of a level, K the size that own orders consumed, and V = R - K the available size.
 * Invariants: a print fills at most its size, a crossing at most V. Prints never change R; only crossings consume size.
 * Fills are whole lots, rounded **down**. Orders at one price fill in order of arrival. A shrinking level fills none.
 *
 * HOT: called once per message and market with own orders (bench/replay.ts).
 */
import { FULL_BPS } from '../domain/index.ts';
import type { MatchSink, TapeEffects } from '../exchange/index.ts';
import { SIDE } from '../tape/index.ts';
import { LEVEL_FLAG } from './level-flags.ts';
import type { OwnQueues } from './own-queues.ts';
import { floorToLots, type Replay } from './replay.ts';
import type { ReplayBook } from './replay-book.ts';

/** Maximum delay of a late print, ms. A late print fills only orders that have rested for at least this time. */
const MAX_LATE_MS = 250;

/** A print that filled an order of the recording bot. */
interface OwnPrint {
  readonly price: number;
  /** Micro-shares that have not filled own orders yet. */
  shares: number;
}

export class OutsideFlow {
  readonly #book: ReplayBook;
  readonly #own: OwnQueues;
  readonly #replay: Replay;
  readonly #sink: Pick<MatchSink, 'paused'>;
  readonly #tape: TapeEffects;
  /** Prints of the current taker that filled orders of the recording bot. */
  readonly #sweep: OwnPrint[] = [];

  constructor(book: ReplayBook, replay: Replay, sink: Pick<MatchSink, 'paused'>, tape: TapeEffects) {
    this.#book = book;
    this.#own = book.own;
    this.#replay = replay;
    this.#sink = sink;
    this.#tape = tape;
  }

  /**
   * Fills orders by a print, except in a gap. A print of unknown side fills only strictly better orders.
   * @returns micro-shares filled
   */
  applyPrint(taker: number, price: number, shares: number): number {
    if (this.#book.outside.isInGap || this.#replay.tradesOnly?.fill === 'none') return 0;
    const own = this.#own;
    let filled = 0;
    if (taker !== SIDE.ask && own.ownAsk <= price) filled += this.#fillByPrint(true, price, shares, taker === SIDE.bid);
    if (taker !== SIDE.bid && own.ownBid >= price)
      filled += this.#fillByPrint(false, price, shares, taker === SIDE.ask);
    return filled;
  }

  /**
   * Applies a print that filled an order of the recording bot. The prints of one taker form a sweep. From the best
   * price on, each own order fills by the prints at its price, then by the prints beyond its price in one fill. The
   * recorded orders were first in their queues, so own orders are first, too
   * (docs/spec/models.md#own-trades-of-a-recording).
   * @param hasNext whether the next print is by the same taker
   */
  applyOwnPrint(taker: number, price: number, shares: number, hasNext: boolean): void {
    if (this.#book.outside.isInGap) return;
    this.#sweep.push({ price, shares });
    if (hasNext) return;
    this.#fillBySweep(taker, this.#sweep);
    this.#sweep.length = 0;
  }

  #fillBySweep(taker: number, prints: OwnPrint[]): void {
    const own = this.#own;
    const buys = taker === SIDE.bid;
    prints.sort((a, b) => (buys ? a.price - b.price : b.price - a.price));
    this.#beginTaker(buys);
    for (;;) {
      const best = buys ? own.ownAsk : own.ownBid;
      const slot = own.firstAt(best);
      if (slot === 0) return;
      const left = this.#fillFromPrints(slot, best, prints);
      if (left === 0) continue;
      const traded = consumeBeyond(prints, left, (price) => (buys ? price > best : price < best));
      if (traded > 0) this.#fill(slot, traded, 'through');
      if (traded < left) return;
    }
  }

  /** Makes a fill for each print at the order's price. @returns the remaining size of the order */
  #fillFromPrints(slot: number, price: number, prints: OwnPrint[]): number {
    let left = this.#own.remaining(slot);
    for (const print of prints) {
      const traded = print.price === price ? Math.min(print.shares, left) : 0;
      if (traded === 0) continue;
      print.shares -= traded;
      left -= traded;
      this.#fill(slot, traded, 'queue');
    }
    return left;
  }

  /**
   * Applies a print recorded after the level change that it caused. Orders at the price return to their queue position
   * before this change. They meet the print and repeat the changes, so that no order advances twice
   * (docs/spec/models.md#late-prints).
   * @param now exchange time of the print's message, epoch ms
   */
  applyLatePrint(taker: number, price: number, shares: number, now: number): void {
    if (this.#book.outside.isInGap) return;
    const own = this.#own;
    const { queue, positions } = this.#replay;
    // By slot: `front` is the outside size before the order, `printed` the size of prints since the last size change.
    const { front, printed, sizeChanges, since } = positions;
    const canFill = (slot: number): boolean => since[slot]! <= now - MAX_LATE_MS;
    const before = new Map<number, { readonly entry: number; readonly front: number; readonly printed: number }>();
    for (let slot = own.firstAt(price); slot !== 0; slot = own.behind(slot)) {
      const entry = canFill(slot) ? sizeChanges.findChangeOfPrint(slot, shares) : -1;
      before.set(slot, { entry, front: front[slot]!, printed: printed[slot]! });
      front[slot] = entry < 0 ? Number.POSITIVE_INFINITY : sizeChanges.frontBefore(slot, entry);
    }
    if (taker !== SIDE.ask) this.#fillLate(true, price, shares, taker === SIDE.bid, canFill);
    if (taker !== SIDE.bid) this.#fillLate(false, price, shares, taker === SIDE.ask, canFill);
    for (const [slot, { entry, front: frontBefore, printed: printedBefore }] of before) {
      const late = printed[slot]! - printedBefore;
      if (entry < 0) front[slot] = frontBefore;
      else front[slot] = Math.max(0, sizeChanges.reapply(slot, entry, front[slot]!, late, queue) - printedBefore);
      printed[slot] = printedBefore;
    }
  }

  #fillLate(buys: boolean, price: number, shares: number, hasSide: boolean, canFill: (slot: number) => boolean): void {
    const own = this.#own;
    this.#beginTaker(buys);
    let left = shares;
    const beyond = own.inOrder().filter((slot) => {
      if (own.isBid(slot) === buys || !canFill(slot)) return false;
      return buys ? own.priceAt(slot) < price : own.priceAt(slot) > price;
    });
    const side = buys ? 1 : -1;
    for (const slot of beyond.toSorted((a, b) => side * (own.priceAt(a) - own.priceAt(b)))) {
      const traded = Math.min(own.remaining(slot), left);
      left -= traded;
      if (traded > 0) this.#fill(slot, traded, 'through');
    }
    const slot = own.firstAt(price);
    if (hasSide && slot !== 0 && own.isBid(slot) !== buys) this.#fillAtPrice(price, left, shares);
  }

  /**
   * Sets R of a level. Orders at the level advance, and K shrinks to at most R. @returns V
   * @param ahead size of the level's `ahead` row; infinite without this row
   */
  setLevel(side: number, price: number, recorded: number, ahead = Number.POSITIVE_INFINITY): number {
    const { levelFlags, outside } = this.#book;
    if (outside.isInGap) return recorded;
    const bits = levelFlags.bits[price]! >> side;
    if ((bits & LEVEL_FLAG.own) !== 0) {
      const { queue, positions } = this.#replay;
      const before = outside.recorded(side, price);
      const outsideAhead = ahead - (before - outside.available(side, price));
      for (let slot = this.#own.firstAt(price); slot !== 0; slot = this.#own.behind(slot))
        positions.move(slot, queue, before, recorded, outsideAhead);
    }
    if ((bits & LEVEL_FLAG.consumed) !== 0) return outside.set(side, price, recorded);
    outside.ladder.set(side, price, recorded);
    return recorded;
  }

  /** Resets the queues after a gap. Each own order is then behind all outside size at its price. */
  requeue(): void {
    const { outside } = this.#book;
    const { front, printed, sizeChanges } = this.#replay.positions;
    outside.hasGapEnded = false;
    for (const slot of this.#own.inOrder()) {
      front[slot] = outside.available(this.#own.isBid(slot) ? SIDE.bid : SIDE.ask, this.#own.priceAt(slot));
      printed[slot] = 0;
      sizeChanges.reset(slot);
    }
  }

  /** Fills each own order by the available size V at or beyond its price, at the price of the order. */
  cross(): void {
    const { ladder } = this.#book.outside;
    const own = this.#own;
    while (ladder.topBid >= own.ownAsk && this.#crossOrder(own.firstAt(own.ownAsk), own.ownAsk, true));
    while (ladder.topAsk <= own.ownBid && this.#crossOrder(own.firstAt(own.ownBid), own.ownBid, false));
  }

  #fillByPrint(buys: boolean, price: number, shares: number, hasSide: boolean): number {
    this.#beginTaker(buys);
    const left = this.#fillBeyond(buys, price, shares);
    return shares - left + (hasSide ? this.#fillAtPrice(price, left, shares) : 0);
  }

  /** Fills own orders strictly better than a print, at their own price. Returns the rest of the print. */
  #fillBeyond(buys: boolean, price: number, shares: number): number {
    const own = this.#own;
    let left = shares;
    for (;;) {
      const best = buys ? own.ownAsk : own.ownBid;
      if (left === 0 || (buys ? best >= price : best <= price)) return left;
      const slot = own.firstAt(best);
      const traded = Math.min(own.remaining(slot), left);
      left -= traded;
      this.#fill(slot, traded, 'through');
    }
  }

  /** Fills own orders at a print's price by `left`, the unused part of the print. Returns the micro-shares filled. */
  #fillAtPrice(price: number, left: number, printed: number): number {
    const own = this.#own;
    const { positions } = this.#replay;
    let filled = 0;
    let reaching = this.#sizeAtPrice(left);
    let canFill = true;
    for (let slot = own.firstAt(price); slot !== 0; ) {
      const front = positions.front[slot]!;
      const remaining = own.remaining(slot);
      const traded: number = canFill ? floorToLots(Math.min(remaining, reaching - front)) : 0;
      const order = own.orderNumber(slot);
      const next = own.behind(slot);
      const paused = traded > 0 && this.#fill(slot, traded, this.#replay.tradesOnly === undefined ? 'queue' : 'touch');
      // The earlier order is filled first, even if the model would fill the later one.
      canFill = canFill && traded === remaining;
      if (traded < remaining) {
        positions.front[slot] = Math.max(0, front - reaching);
        positions.printed[slot]! += printed;
      }
      reaching -= traded;
      filled += traded;
      // All orders before this order are closed. A pause may have closed other orders, too.
      if (!paused) slot = next;
      else slot = own.isOpen(slot, order) ? own.behind(slot) : own.firstAt(price);
    }
    return filled;
  }

  /** Returns the part of a print that reaches orders at its price; on a tape without a book, a fixed share or 0. */
  #sizeAtPrice(left: number): number {
    const { tradesOnly } = this.#replay;
    if (tradesOnly === undefined) return left;
    return tradesOnly.fill === 'touch' ? tradesOnly.share * left : 0;
  }

  /** Fills one order by V at or beyond its price. Returns whether it was filled completely. */
  #crossOrder(slot: number, limit: number, buys: boolean): boolean {
    const { outside } = this.#book;
    const { ladder } = outside;
    const side = buys ? SIDE.bid : SIDE.ask;
    const remaining = this.#own.remaining(slot);
    let filled = 0;
    let price = buys ? ladder.topBid : ladder.topAsk;
    while (filled < remaining && (buys ? price >= limit : price <= limit)) {
      const shares = floorToLots(Math.min(remaining - filled, outside.available(side, price)));
      if (shares > 0) this.#book.liquidity.consume(side, price, shares);
      filled += shares;
      price = buys ? (ladder.nextBid(price) ?? 0) : (ladder.nextAsk(price) ?? FULL_BPS);
    }
    if (filled === 0) return false;
    this.#beginTaker(buys);
    this.#fill(slot, filled, 'cross');
    return filled === remaining;
  }

  #beginTaker(buys: boolean): void {
    this.#own.takerSells = 0;
    this.#tape.beginTaker(this.#book.number, buys);
  }

  /** @param basis cause of the fill, as in `FillBasis` @returns whether a pause may have closed orders */
  #fill(slot: number, shares: number, basis: 'through' | 'queue' | 'touch' | 'cross'): boolean {
    const replay = this.#replay;
    replay.basis = basis;
    replay.isInside = replay.tradesOnly === undefined && this.#isInside(slot);
    const pause = this.#own.fill(slot, shares);
    // The result of `paused` concerns order groups, which the tape account does not have.
    if (pause) this.#sink.paused();
    return pause;
  }

  /** Returns whether the order is better than the recorded touch before this message. */
  #isInside(slot: number): boolean {
    const { touchBid, touchAsk } = this.#book.outside;
    const price = this.#own.priceAt(slot);
    return this.#own.isBid(slot) ? price > touchBid : price < touchAsk;
  }
}

/** Consumes prints beyond a price, in their order. @returns the consumed micro-shares, at most `maxShares` */
function consumeBeyond(prints: OwnPrint[], maxShares: number, isBeyond: (price: number) => boolean): number {
  let consumed = 0;
  for (const print of prints) {
    const shares = isBeyond(print.price) ? Math.min(print.shares, maxShares - consumed) : 0;
    print.shares -= shares;
    consumed += shares;
  }
  return consumed;
}
