/**
 * One market: its book kept in step with the venue's, and rows of what changed.
 *
 * HOT: every frame of its book passes `book` (bench/market-data.ts).
 * Invariants: rows are made of a book whose number and checksum fit, of nothing else; what does not fit asks for a snapshot
 * once, and until that is there the core has the book as it was. The book in the core is the outside book.
 */
import { type BookLevel, BookReplica, Ladder } from '../../../book/index.ts';
import { FULL_BPS, type MarketInfo, type MarketNo } from '../../../domain/index.ts';
import type { TradeFieldsFragment } from '../../../protocol/index.ts';
import { KIND, SIDE } from '../../../tape/index.ts';
import { BookFrame } from './book-frame-codec.ts';
import { type OwnLevel, OwnLevels } from './own-levels.ts';
import { DOUBT_MS, type Print, printOf } from './prints.ts';
import type { RowWriter } from './row-writer.ts';
import type { Selected } from './selection-port.ts';
import { Standing } from './standing.ts';

/** What a line stands on. */
export interface LineHost {
  readonly rows: RowWriter;
  now(): number;
  /** When a change at the venue's time `at` that is read now should have been heard of. */
  heard(at: number, now: number): number;
  /** Asks for a snapshot. @param isOffGrid a price was none of the market's: its tick may be another one */
  resync(line: MarketLine, problem: string, isOffGrid: boolean): void;
  /** Whether a trade was not told yet, by whichever socket; notes it. */
  isNews(seq: number): boolean;
  /** Whether a fill of ours has this trade. */
  isOwn(tradeId: string): boolean;
  /** Prints wait for their book: `flushPrints` when this burst of frames is over. */
  waiting(line: MarketLine): void;
}

/** An idle frame is passed on as a row when there was none for so long: the core reckons a book's age by rows. ms. */
const REFRESH_MS = 2_000;
const MOST_PRINTS = 512;

export class MarketLine {
  readonly info: MarketInfo;
  readonly own: OwnLevels;
  readonly standing: Standing;
  readonly #host: LineHost;
  readonly #market: MarketNo;
  readonly #tick: number;
  readonly #ladder: Ladder;
  readonly #replica: BookReplica;
  readonly #frame = new BookFrame();
  #prints: Print[] = [];
  #heardAt = Number.NEGATIVE_INFINITY;
  #rowsAt = 0;
  /** A socket was asked for the book: what it answers counts, even by a lower number (the venue began anew). */
  #isAsked = false;
  /** Since when the book has lost its thread; Infinity while it has not. */
  #lostAt: number;
  resyncs = 0;

  constructor({ setup: { info, state } }: Selected, host: LineHost) {
    this.info = info;
    this.#host = host;
    this.#market = info.market;
    this.#ladder = Ladder.forGrid(info.grid);
    this.#tick = this.#ladder.tickBps;
    this.#replica = new BookReplica(this.#ladder);
    this.own = new OwnLevels(this.#ladder);
    this.standing = new Standing(info.market, state ?? { status: 'OPEN', acceptingOrders: true });
    this.#lostAt = host.now();
  }

  /** As far as anybody can know, the book is the venue's. */
  get isSynced(): boolean {
    return this.#replica.synced && this.#lostAt === Number.POSITIVE_INFINITY;
  }

  /** Number from which the venue may go on telling; undefined when it has to begin with a snapshot. */
  get resumesAt(): number | undefined {
    return this.#replica.synced ? this.#replica.seq : undefined;
  }

  get seq(): number {
    return this.#replica.seq;
  }

  /** When the book was last heard of, by our clock; -Infinity before. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Since when it has lost its thread; Infinity while it has not. */
  get lostAt(): number {
    return this.#lostAt;
  }

  /** Takes a frame of `orderBookUpdated`: anything that came as JSON. */
  book(event: unknown): void {
    const frame = this.#frame;
    const problem = frame.read(event, this.info.id, this.#tick);
    if (problem !== undefined) {
      this.malformed(`orderBookUpdated: ${problem}`);
      return;
    }
    const wasSynced = this.#replica.synced;
    const outcome = frame.isSnapshot ? this.#snapshot(frame) : this.#replica.delta(frame);
    if (outcome === 'applied') {
      const now = this.#host.now();
      this.#heardAt = frame.isChange ? this.#host.heard(frame.at, now) : now;
      this.#isAsked = false;
      this.#lostAt = Number.POSITIVE_INFINITY;
      if (frame.isSnapshot) this.#tellSnapshot(now);
      else this.#tellDelta(now);
    } else if (outcome !== 'old' && (wasSynced || frame.isSnapshot)) {
      this.#lose(outcome === 'gap' ? `from ${this.#replica.seq} to ${frame.prevSeq}` : 'its checksum is another one');
    }
  }

  /** A frame of its book cannot be read: the book is lost, and asked for anew. */
  malformed(problem: string): void {
    this.standing.malformed(this.#host.now());
    this.tellStanding(0);
    this.#lose(problem);
  }

  trade(trade: TradeFieldsFragment): void {
    const print = printOf(trade, this.#host.now());
    if (print === undefined || !this.#host.isNews(print.seq) || this.#host.isOwn(print.id)) return;
    print.isDoubtful = this.#mayBeOurs(print);
    this.#prints.push(print);
    if (this.#prints.length >= MOST_PRINTS) this.flushPrints();
    else this.#host.waiting(this);
  }

  /**
   * Hands on prints whose book has not come: after a burst, or later when they were doubtful. @param ownSeq up to which event
   * our own stream has been told. @returns whether some go on waiting
   */
  flushPrints(ownSeq = 0): boolean {
    if (this.#prints.length === 0) return false;
    const now = this.#host.now();
    const waiting: Print[] = [];
    for (const print of this.#prints) {
      if (this.#host.isOwn(print.id)) continue;
      if (print.isDoubtful && print.seq > ownSeq && now - print.heardAt < DOUBT_MS) waiting.push(print);
      else this.#tellPrint(print);
    }
    const at = this.#prints.at(-1)?.at ?? 0;
    this.#prints = waiting;
    this.#host.rows.end(at, now);
    return waiting.length > 0;
  }

  /** Own orders have changed something at a level: shown anew where the outside size is another one. */
  reveal(level: OwnLevel | undefined): void {
    if (level === undefined || !this.#replica.synced) return;
    this.#settleOwn();
    this.#host.rows.end(0, this.#host.now());
  }

  /** State or trust has changed. @param at venue's time, 0 for ours */
  tellStanding(at: number): void {
    this.standing.tell(this.#host.rows);
    this.#host.rows.end(at, this.#host.now());
  }

  /** A socket is asked for it. */
  asked(): void {
    this.#isAsked = true;
  }

  /**
   * The socket that carried the book is gone. From now on it is a book of the past, and a new socket is up before it has told
   * the book: nobody is to quote on it in between.
   */
  carrierLost(): void {
    if (this.#lostAt === Number.POSITIVE_INFINITY) this.#lostAt = this.#host.now();
    this.standing.trust(false);
    this.tellStanding(0);
  }

  #snapshot(frame: BookFrame) {
    // One of a socket that woke up: the book is further by now.
    if (this.#replica.synced && !this.#isAsked && frame.seq < this.#replica.seq) return 'old';
    return this.#replica.snapshot(frame);
  }

  #lose(problem: string): void {
    if (this.#lostAt === Number.POSITIVE_INFINITY) this.#lostAt = this.#host.now();
    this.resyncs += 1;
    this.#host.resync(this, problem, this.#frame.isOffGrid);
  }

  #tellDelta(now: number): void {
    const { rows } = this.#host;
    const { bids, asks, at, seq } = this.#frame;
    if (this.#prints.length > 0) this.#tellPrintsUpTo(seq);
    const isRegained = !this.standing.isTrusted && this.#heardAt === now && this.standing.mayTrust(now);
    const count = isRegained ? this.#regain(now) : 0;
    this.#tellOthers(SIDE.bid, bids);
    this.#tellOthers(SIDE.ask, asks);
    if (!this.own.isEmpty) this.#settleOwn();
    // After a silence the core's book is as old as that, and its strategies wait for news of it.
    if (rows.count === count && (isRegained || now - this.#rowsAt >= REFRESH_MS)) this.#tellTouch();
    if (rows.count > 0) this.#rowsAt = now;
    rows.end(at, now);
  }

  #tellSnapshot(now: number): void {
    const { rows } = this.#host;
    const { bids, asks, at, seq } = this.#frame;
    this.#tellPrintsUpTo(seq);
    this.#regain(now);
    rows.row(this.#market, KIND.clear, 0, 0, 0);
    for (const level of this.own.levels) level.shown = this.own.outside(level, this.#rawAt(level), seq);
    for (const { price, shares } of bids) this.#tellWhole(SIDE.bid, price, shares);
    for (const { price, shares } of asks) this.#tellWhole(SIDE.ask, price, shares);
    this.#settleOwn();
    this.#rowsAt = now;
    rows.end(at, now);
  }

  #tellWhole(side: number, price: number, shares: number): void {
    const outside = this.own.at(side, price)?.shown ?? shares;
    if (outside > 0) this.#host.rows.level(this.#market, side, price, outside);
  }

  /** Levels of a delta where no order of ours can be. */
  #tellOthers(side: number, levels: readonly BookLevel[]): void {
    const { own } = this;
    const { rows } = this.#host;
    for (let at = 0; at < levels.length; at += 1) {
      const { price, shares } = levels[at]!;
      if (own.isEmpty || own.at(side, price) === undefined) rows.level(this.#market, side, price, shares);
    }
  }

  /** All levels of ours at the book's present number: what was known ahead of it counts now. */
  #settleOwn(): void {
    const { levels } = this.own;
    for (let at = 0; at < levels.length; at += 1) this.#tellOwn(levels[at]!);
    this.own.settle(this.#replica.seq);
    for (let at = levels.length - 1; at >= 0; at -= 1) this.#dropIfBare(levels[at]!);
  }

  #dropIfBare(level: OwnLevel): void {
    if (level.orders.length > 0) return;
    this.#tellOwn(level);
    this.own.drop(level);
  }

  #tellOwn(level: OwnLevel): void {
    const outside = this.own.outside(level, this.#rawAt(level), this.#replica.seq);
    if (outside === level.shown) return;
    level.shown = outside;
    this.#host.rows.level(this.#market, level.side, level.price, outside);
  }

  #rawAt({ side, price }: OwnLevel): number {
    return side === SIDE.bid ? this.#ladder.bidAt(price) : this.#ladder.askAt(price);
  }

  /** The best level told again: nothing changed, and it is known to be so. */
  #tellTouch(): void {
    const { rows } = this.#host;
    const { topBid, topAsk } = this.#ladder;
    if (topBid !== 0) this.#tellAgain(SIDE.bid, topBid, this.#ladder.bidAt(topBid));
    else if (topAsk !== FULL_BPS) this.#tellAgain(SIDE.ask, topAsk, this.#ladder.askAt(topAsk));
    else rows.row(this.#market, KIND.clear, 0, 0, 0);
  }

  #tellAgain(side: number, price: number, raw: number): void {
    this.#host.rows.level(this.#market, side, price, this.own.at(side, price)?.shown ?? raw);
  }

  #tellPrintsUpTo(seq: number): void {
    const later: Print[] = [];
    for (const print of this.#prints) {
      if (print.seq > seq || print.isDoubtful) later.push(print);
      else if (!this.#host.isOwn(print.id)) this.#tellPrint(print);
    }
    this.#prints = later;
  }

  #tellPrint({ taker, price, shares }: Print): void {
    this.#host.rows.row(this.#market, KIND.trade, taker, price, shares);
  }

  /** The book is right again. @returns rows told so far */
  #regain(now: number): number {
    if (this.standing.mayTrust(now)) this.standing.trust(true);
    this.standing.tell(this.#host.rows);
    return this.#host.rows.count;
  }

  /** An order of ours may have made it: it stands, or is on its way, where it could meet that taker; or took it. */
  #mayBeOurs({ taker, price }: Print): boolean {
    if (this.own.isEmpty) return false;
    const made = taker === SIDE.bid ? SIDE.ask : SIDE.bid;
    if (this.own.at(made, price) !== undefined) return true;
    return this.own.takesAt(taker, price);
  }
}
