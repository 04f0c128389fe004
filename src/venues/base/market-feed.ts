/**
 * Writes the rows of one market: its outside book (the venue's sizes, less own orders), public trades and status.
 *
 * HOT: `writeLevels` is called for each frame of the book (bench/market-data.ts).
 */
import type { BookLevel, Ladder } from '../../book/index.ts';
import type { Clock } from '../../clock/index.ts';
import { FULL_BPS, type MarketInfo, type MarketLimits, type MarketNo } from '../../domain/index.ts';
import type { MarketSetup } from '../../state/index.ts';
import { KIND, SIDE } from '../../tape/index.ts';
import { MarketStatusTracker } from './market-status-tracker.ts';
import { OwnLevels } from './own-levels.ts';
import { type PrintFlusher, PrintQueue, type PrintQueueDeps } from './prints.ts';
import type { RowWriter } from './row-writer.ts';

export interface MarketFeedDeps extends PrintQueueDeps {
  readonly flusher: PrintFlusher;
}

export abstract class MarketFeed {
  readonly info: MarketInfo;
  readonly ownLevels: OwnLevels;
  readonly status: MarketStatusTracker;
  limits: MarketLimits;
  /** When the book was last known to equal the venue's, by this machine's clock; -Infinity before the first book. */
  seenAt = Number.NEGATIVE_INFINITY;
  /** When the book began to differ from the venue's, by this machine's clock; Infinity while both are equal. */
  differsSince: number;
  /** Number of books requested after a failed check. */
  resyncs = 0;
  protected readonly prints: PrintQueue;
  protected readonly rows: RowWriter;
  protected readonly clock: Pick<Clock, 'now'>;
  protected hasEnded = false;
  /** The venue's book, own orders included. */
  readonly #ladder: Ladder;
  readonly #market: MarketNo;

  constructor({ info, limits, state }: MarketSetup, ladder: Ladder, deps: MarketFeedDeps) {
    this.info = info;
    this.limits = limits;
    this.#market = info.market;
    this.#ladder = ladder;
    this.rows = deps.rows;
    this.clock = deps.clock;
    this.ownLevels = new OwnLevels(ladder);
    this.prints = new PrintQueue(info.market, this.ownLevels, deps);
    this.status = new MarketStatusTracker(info.market, state ?? { status: 'OPEN', acceptingOrders: true });
    this.differsSince = deps.clock.now();
  }

  /** Whether the book is believed to equal the venue's. */
  abstract get isSynced(): boolean;

  /** Number of the book's last change at the venue. */
  abstract get seq(): number;

  /** Passes to the core the levels whose outside size changed. */
  abstract publishWithoutOwnOrders(): void;

  /**
   * Writes the prints that need not wait any longer. Returns whether some prints still wait.
   * @param ownSeq position of the own stream
   */
  abstract flushPrints(ownSeq?: number): boolean;

  /** Marks the book as unusable until the book is known to be correct. If the book already differs, begins a gap. */
  distrust(): void {
    if (this.differsSince === Number.POSITIVE_INFINITY) this.status.setTrusted(false);
    else this.status.beginGap();
    this.writeStatus();
  }

  /** Halts the market until at least `until`, by this machine's clock. */
  halt(until: number): void {
    this.status.halt(until);
    this.writeStatus();
  }

  /** Begins a gap. Afterwards, no rows are written. */
  endInGap(): void {
    this.status.beginGap();
    this.writeStatus();
    this.hasEnded = true;
  }

  /** Writes the market's status if it changed. @param at venue time; 0 for this machine's time */
  writeStatus(at = 0): void {
    if (this.hasEnded) return;
    this.status.write(this.rows);
    this.rows.end(at, this.clock.now());
  }

  protected markDiffering(): void {
    if (this.differsSince === Number.POSITIVE_INFINITY) this.differsSince = this.clock.now();
  }

  /** Marks the book as correct, unless the market is halted. */
  protected markCorrect(now: number): void {
    this.status.endGap();
    if (this.status.mayTrust(now)) this.status.setTrusted(true);
    this.status.write(this.rows);
  }

  protected writeBook(bids: readonly BookLevel[], asks: readonly BookLevel[], at: number, now: number): void {
    this.prints.writeUpTo(this.seq);
    this.markCorrect(now);
    this.rows.row(this.#market, KIND.clear, 0, 0, 0);
    this.ownLevels.restart(this.seq);
    this.#writeOutside(SIDE.bid, bids);
    this.#writeOutside(SIDE.ask, asks);
    this.ownLevels.write(this.rows, this.#market, this.seq);
    this.rows.end(at, now);
  }

  /** Writes changed levels, and own levels whose outside size changed at book number `seq`. */
  protected writeLevels(bids: readonly BookLevel[], asks: readonly BookLevel[], seq: number): void {
    this.#writeChanges(SIDE.bid, bids);
    this.#writeChanges(SIDE.ask, asks);
    if (!this.ownLevels.isEmpty) this.ownLevels.write(this.rows, this.#market, seq);
  }

  protected writeLadder(): void {
    this.rows.row(this.#market, KIND.clear, 0, 0, 0);
    this.#writeOutside(SIDE.bid, this.#ladder.depth('bid', FULL_BPS));
    this.#writeOutside(SIDE.ask, this.#ladder.depth('ask', FULL_BPS));
  }

  protected writeOwnLevels(): void {
    this.ownLevels.write(this.rows, this.#market, this.seq);
    this.rows.end(0, this.clock.now());
  }

  /** Writes the best level again, to show that the book is current and unchanged. */
  protected rewriteBest(): void {
    const { topBid, topAsk } = this.#ladder;
    if (topBid !== 0) this.#writeLevel(SIDE.bid, topBid, this.#ladder.bidAt(topBid));
    else if (topAsk !== FULL_BPS) this.#writeLevel(SIDE.ask, topAsk, this.#ladder.askAt(topAsk));
    else this.rows.row(this.#market, KIND.clear, 0, 0, 0);
  }

  /** Writes changed levels, except levels where an own order may rest, which `OwnLevels` writes. */
  #writeChanges(side: number, levels: readonly BookLevel[]): void {
    const { ownLevels } = this;
    for (let at = 0; at < levels.length; at += 1) {
      const { price, shares } = levels[at]!;
      const level = ownLevels.isEmpty ? undefined : ownLevels.at(side, price);
      if (level === undefined) this.rows.level(this.#market, side, price, shares);
      else level.totalShares = shares;
    }
  }

  /** Writes the outside sizes of a whole book. Skips levels without outside size. */
  #writeOutside(side: number, levels: readonly BookLevel[]): void {
    for (const { price, shares } of levels) {
      const outside = this.ownLevels.at(side, price)?.publishedShares ?? shares;
      if (outside > 0) this.rows.level(this.#market, side, price, outside);
    }
  }

  #writeLevel(side: number, price: number, totalShares: number): void {
    this.rows.level(this.#market, side, price, this.ownLevels.at(side, price)?.publishedShares ?? totalShares);
  }
}
