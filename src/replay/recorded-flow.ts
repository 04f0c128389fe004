/**
 * Recorded flow against the orders of a replayed book (docs/spec/models.md#outside-flow, docs/spec/models.md#queue).
 *
 * Invariants: a print gives at most its size, a crossing at most V; prints never change R; only what crosses is
 * consumed; fills are whole lots, rounded **down**; orders at one price are served in order of arrival; a shrinking
 * level never fills.
 *
 * HOT: called once per message and market with own orders. Measured in bench/replay.ts.
 */
import { FULL_BPS } from '../domain/index.ts';
import type { MatchSink, Tape } from '../exchange/index.ts';
import { SIDE } from '../tape/index.ts';
import { MARK } from './level-marks.ts';
import type { OwnQueues } from './own-queues.ts';
import { lotsDown, type Replay } from './replay.ts';
import type { ReplayBook } from './replay-book.ts';

/** A late print can be as much older than its message, ms: orders that came to rest since then are not reached. */
const MOST_LATE_MS = 250;

/** What traded at a price, or is left of it. */
interface OwnPrint {
  readonly price: number;
  /** Micro-shares. */
  shares: number;
}

/** Lets prints and crossings of one market fill its orders; within a step of the tape. */
export class RecordedFlow {
  readonly #book: ReplayBook;
  readonly #own: OwnQueues;
  readonly #replay: Replay;
  readonly #sink: Pick<MatchSink, 'paused'>;
  readonly #tape: Tape;
  /** Of the present taker that filled the recording bot. */
  readonly #sweep: OwnPrint[] = [];

  constructor(book: ReplayBook, replay: Replay, sink: Pick<MatchSink, 'paused'>, tape: Tape) {
    this.#book = book;
    this.#own = book.own;
    this.#replay = replay;
    this.#sink = sink;
    this.#tape = tape;
  }

  /** Rules 2 and 4: of an unknown side only strictly through prices fill; in a gap none. @returns micro-shares that met orders */
  print(taker: number, price: number, shares: number): number {
    if (this.#book.outside.isLost || this.#replay.tradesOnly?.fill === 'none') return 0;
    const own = this.#own;
    let met = 0;
    if (taker !== SIDE.ask && own.ownAsk <= price) met += this.#hit(true, price, shares, taker === SIDE.bid);
    if (taker !== SIDE.bid && own.ownBid >= price) met += this.#hit(false, price, shares, taker === SIDE.ask);
    return met;
  }

  /**
   * A print that filled an order of the recording bot. Those of one taker are one sweep: from the best price on, each
   * order of ours gets what traded at its price, as it was recorded, then what traded beyond as one fill. Nothing stood
   * before the recorded orders any more, so nothing stands before ours (docs/spec/models.md#own-trades-of-a-recording).
   * @param sweeps whether the next print is of the same taker
   */
  ownPrint(taker: number, price: number, shares: number, sweeps: boolean): void {
    if (this.#book.outside.isLost) return;
    this.#sweep.push({ price, shares });
    if (sweeps) return;
    this.#fillBySweep(taker, this.#sweep);
    this.#sweep.length = 0;
  }

  #fillBySweep(taker: number, prints: OwnPrint[]): void {
    const own = this.#own;
    const buys = taker === SIDE.bid;
    prints.sort((a, b) => (buys ? a.price - b.price : b.price - a.price));
    this.#come(buys);
    for (;;) {
      const best = buys ? own.ownAsk : own.ownBid;
      const slot = own.firstAt(best);
      if (slot === 0) return;
      const left = this.#giveAtPrice(slot, best, prints);
      if (left === 0) continue;
      const given = takeBeyond(prints, left, (price) => (buys ? price > best : price < best));
      if (given > 0) this.#make(slot, given, 'through');
      if (given < left) return;
    }
  }

  /** A fill for each print at the order's price. @returns what is left of the order */
  #giveAtPrice(slot: number, price: number, prints: OwnPrint[]): number {
    let left = this.#own.remaining(slot);
    for (const print of prints) {
      const given = print.price === price ? Math.min(print.shares, left) : 0;
      if (given === 0) continue;
      print.shares -= given;
      left -= given;
      this.#make(slot, given, 'queue');
    }
    return left;
  }

  /**
   * A print that comes after the set of its level. Orders at its price go back to before that set, meet the print, and
   * move by the sets again: else they would move twice (docs/spec/models.md#late-prints).
   * @param now exchange time of its message, epoch ms
   */
  latePrint(taker: number, price: number, shares: number, now: number): void {
    if (this.#book.outside.isLost) return;
    const own = this.#own;
    const { queue, waiting } = this.#replay;
    const { front, printed, sets, since } = waiting;
    const isOlder = (slot: number): boolean => since[slot]! <= now - MOST_LATE_MS;
    const met = new Map<number, { readonly entry: number; readonly front: number; readonly printed: number }>();
    for (let slot = own.firstAt(price); slot !== 0; slot = own.behind(slot)) {
      const entry = isOlder(slot) ? sets.explainedBy(slot, shares) : -1;
      met.set(slot, { entry, front: front[slot]!, printed: printed[slot]! });
      front[slot] = entry < 0 ? Number.POSITIVE_INFINITY : sets.frontBefore(slot, entry);
    }
    if (taker !== SIDE.ask) this.#hitOlder(true, price, shares, taker === SIDE.bid, isOlder);
    if (taker !== SIDE.bid) this.#hitOlder(false, price, shares, taker === SIDE.ask, isOlder);
    for (const [slot, { entry, front: was, printed: before }] of met) {
      const late = printed[slot]! - before;
      if (entry < 0) front[slot] = was;
      else front[slot] = Math.max(0, sets.moveAgain(slot, entry, front[slot]!, late, queue) - before);
      printed[slot] = before;
    }
  }

  #hitOlder(buys: boolean, price: number, shares: number, isKnown: boolean, isOlder: (slot: number) => boolean): void {
    const own = this.#own;
    this.#come(buys);
    let left = shares;
    const beyond = own.inOrder().filter((slot) => {
      if (own.isBid(slot) === buys || !isOlder(slot)) return false;
      return buys ? own.priceOf(slot) < price : own.priceOf(slot) > price;
    });
    const side = buys ? 1 : -1;
    for (const slot of beyond.toSorted((a, b) => side * (own.priceOf(a) - own.priceOf(b)))) {
      const given = Math.min(own.remaining(slot), left);
      left -= given;
      if (given > 0) this.#make(slot, given, 'through');
    }
    const slot = own.firstAt(price);
    if (isKnown && slot !== 0 && own.isBid(slot) !== buys) this.#atPrice(price, left, shares);
  }

  /**
   * The level is recorded at R' from now on: who waits there moves, K shrinks. @returns V
   * @param ahead of its `ahead` row; infinite without one
   */
  level(side: number, price: number, recorded: number, ahead = Number.POSITIVE_INFINITY): number {
    const { marks, outside } = this.#book;
    if (outside.isLost) return recorded;
    const of = marks.bits[price]! >> side;
    if ((of & MARK.own) !== 0) {
      const before = outside.recorded(side, price);
      this.#queueAfterSet(price, before, recorded, ahead - (before - outside.visible(side, price)));
    }
    if ((of & MARK.taken) !== 0) return outside.set(side, price, recorded);
    outside.ladder.set(side, price, recorded);
    return recorded;
  }

  /** After the message that ends a gap: all that is recorded at an own price counts as standing before it. */
  requeue(): void {
    const { outside } = this.#book;
    const { front, printed, sets } = this.#replay.waiting;
    outside.isBack = false;
    for (const slot of this.#own.inOrder()) {
      front[slot] = outside.visible(this.#own.isBid(slot) ? SIDE.bid : SIDE.ask, this.#own.priceOf(slot));
      printed[slot] = 0;
      sets.open(slot);
    }
  }

  /** Rule 3: V at or beyond an own price fills it, at the own price. */
  cross(): void {
    const { ladder } = this.#book.outside;
    const own = this.#own;
    while (ladder.topBid >= own.ownAsk && this.#crossOne(own.firstAt(own.ownAsk), own.ownAsk, true));
    while (ladder.topAsk <= own.ownBid && this.#crossOne(own.firstAt(own.ownBid), own.ownBid, false));
  }

  /** From R to R': who waits there moves by the queue model. */
  #queueAfterSet(price: number, before: number, after: number, ahead: number): void {
    const { queue, waiting } = this.#replay;
    for (let slot = this.#own.firstAt(price); slot !== 0; slot = this.#own.behind(slot)) {
      waiting.move(slot, queue, before, after, ahead);
    }
  }

  #hit(buys: boolean, price: number, shares: number, isKnown: boolean): number {
    this.#come(buys);
    const left = this.#through(buys, price, shares);
    return shares - left + (isKnown ? this.#atPrice(price, left, shares) : 0);
  }

  /** Own orders strictly better than a print, at their own price; answers what is left of it. */
  #through(buys: boolean, price: number, shares: number): number {
    const own = this.#own;
    let left = shares;
    for (;;) {
      const best = buys ? own.ownAsk : own.ownBid;
      if (left === 0 || (buys ? best >= price : best <= price)) return left;
      const slot = own.firstAt(best);
      const given = Math.min(own.remaining(slot), left);
      left -= given;
      this.#make(slot, given, 'through');
    }
  }

  /** Own orders at the price of a print of which `left` reaches it; answers what they got. */
  #atPrice(price: number, left: number, printed: number): number {
    const own = this.#own;
    const { waiting } = this.#replay;
    let met = 0;
    let reaching = this.#reaching(left);
    let open = true;
    for (let slot = own.firstAt(price); slot !== 0; ) {
      const front = waiting.front[slot]!;
      const remaining = own.remaining(slot);
      const given: number = open ? lotsDown(Math.min(remaining, reaching - front)) : 0;
      const order = own.orderOf(slot);
      const next = own.behind(slot);
      const paused = given > 0 && this.#make(slot, given, this.#replay.tradesOnly === undefined ? 'queue' : 'touch');
      // The earlier order is filled first, even if the model would fill the later one.
      open = open && given === remaining;
      if (given < remaining) {
        waiting.front[slot] = Math.max(0, front - reaching);
        waiting.printed[slot]! += printed;
      }
      reaching -= given;
      met += given;
      // All before this one are gone, and in a pause others may have gone, too.
      if (!paused) slot = next;
      else slot = own.isOpen(slot, order) ? own.behind(slot) : own.firstAt(price);
    }
    return met;
  }

  /** How much of a print reaches its own price: without a book the queue is unknown, and a share stands in for it. */
  #reaching(left: number): number {
    const { tradesOnly } = this.#replay;
    if (tradesOnly === undefined) return left;
    return tradesOnly.fill === 'touch' ? tradesOnly.share * left : 0;
  }

  /** Answers whether the order was filled whole: else nothing more stands at or beyond its price. */
  #crossOne(slot: number, limit: number, buys: boolean): boolean {
    const { outside } = this.#book;
    const { ladder } = outside;
    const side = buys ? SIDE.bid : SIDE.ask;
    const remaining = this.#own.remaining(slot);
    let filled = 0;
    let price = buys ? ladder.topBid : ladder.topAsk;
    while (filled < remaining && (buys ? price >= limit : price <= limit)) {
      const shares = lotsDown(Math.min(remaining - filled, outside.visible(side, price)));
      if (shares > 0) this.#book.liquidity.consume(side, price, shares);
      filled += shares;
      price = buys ? (ladder.nextBid(price) ?? 0) : (ladder.nextAsk(price) ?? FULL_BPS);
    }
    if (filled === 0) return false;
    this.#come(buys);
    this.#make(slot, filled, 'cross');
    return filled === remaining;
  }

  #come(buys: boolean): void {
    this.#own.takerSells = 0;
    this.#tape.comes(this.#book.number, buys);
  }

  /** @returns whether orders may have gone in a pause */
  #make(slot: number, shares: number, tag: 'through' | 'queue' | 'touch' | 'cross'): boolean {
    const replay = this.#replay;
    replay.tag = tag;
    replay.inside = replay.tradesOnly === undefined && this.#isInside(slot);
    const pause = this.#own.fill(slot, shares);
    // The outside has no group that could end it.
    if (pause) this.#sink.paused();
    return pause;
  }

  /** Better than the recorded touch was before this message; a tape without a book has no touch. */
  #isInside(slot: number): boolean {
    const { touchBid, touchAsk } = this.#book.outside;
    const price = this.#own.priceOf(slot);
    return this.#own.isBid(slot) ? price > touchBid : price < touchAsk;
  }
}

/** The prints that reach the fewest orders first. @returns what was taken, at most `most` */
function takeBeyond(prints: OwnPrint[], most: number, isBeyond: (price: number) => boolean): number {
  let taken = 0;
  for (const print of prints) {
    const shares = isBeyond(print.price) ? Math.min(print.shares, most - taken) : 0;
    print.shares -= shares;
    taken += shares;
  }
  return taken;
}
