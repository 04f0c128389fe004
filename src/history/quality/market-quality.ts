import type { PriceGrid } from '../../domain/index.ts';
import { type Block, FLAG, type KIND, SIDE } from '../../tape/index.ts';
import { MarketReplay } from './market-replay.ts';
import { type QuietPeriod, QuietPeriodMeter, SpreadMeter, VariationMeter } from './meters.ts';
import { TakerFlow, type TakerFlowEarnings } from './taker-flow.ts';

/** Quality and statistics of one market's recording, from `QualityOptions.from` on. */
export interface MarketQuality {
  readonly messages: number;
  readonly rows: Readonly<Record<keyof typeof KIND, number>>;
  readonly prints: {
    readonly count: number;
    readonly microShares: number;
    readonly largestMicroShares: number;
    readonly buy: number;
    readonly sell: number;
    readonly unknown: number;
    /** Inferred from book changes, not reported by the source. */
    readonly inferred: number;
  };
  /** Level and trade rows at prices off the market's grid. The measured book omits levels off the market's tick. */
  readonly offGrid: number;
  /** Messages with the same rows and time as the market's previous message. */
  readonly duplicates: number;
  /** Messages after which an open book was crossed or locked. */
  readonly crossed: number;
  readonly openMs: number;
  readonly haltedMs: number;
  readonly halts: number;
  /** Number of gap rows, and the time without a book after them. `openMs` excludes this time. */
  readonly gaps: { readonly count: number; readonly ms: number };
  /** Part of `openMs` without a bid or without an ask. */
  readonly oneSidedMs: number;
  /** Time-weighted quantiles of best ask - best bid while open and two-sided; undefined if there was no such time. */
  readonly spreadBps: { readonly p10: number; readonly p50: number; readonly p90: number } | undefined;
  /** Periods without messages while open: the longest, and how many took at least `minQuietMs`. */
  readonly quietPeriods: { readonly longest: readonly QuietPeriod[]; readonly count: number };
  /** Squared changes of best bid + best ask on a fixed time grid, without halts (docs/spec/models.md#volatility). */
  readonly variation: {
    readonly everyMs: number;
    readonly steps: number;
    readonly first: number | undefined;
    readonly last: number | undefined;
    readonly sumSquares: number;
  };
  readonly takerFlow: TakerFlowEarnings;
  /** YES payout in bps or `CANCELLED_PAYOUT`; undefined when the tape ends before the resolution. */
  readonly payout: number | undefined;
}

export interface QualityOptions {
  /** First exchange time to measure; earlier rows only build the book. Default: the beginning. */
  readonly from?: number;
  /** Minimum length of a counted quiet period. Default: 60,000 ms. */
  readonly minQuietMs?: number;
  /** Step of the time grid for the variation. Default: 5,000 ms. */
  readonly stepMs?: number;
}

const KINDS = ['level', 'trade', 'status', 'resolution', 'clear', 'placeDelay', 'gap', 'ahead'] as const;

export class MarketQualityMeter {
  readonly #replay: MarketReplay;
  readonly #flow = new TakerFlow();
  readonly #quietPeriods: QuietPeriodMeter;
  readonly #spread = new SpreadMeter();
  readonly #variation: VariationMeter;
  readonly #from: number;
  readonly #stepMs: number;
  readonly #rows = { level: 0, trade: 0, status: 0, resolution: 0, clear: 0, placeDelay: 0, gap: 0, ahead: 0 };
  readonly #prints = { count: 0, microShares: 0, largestMicroShares: 0, buy: 0, sell: 0, unknown: 0, inferred: 0 };
  readonly #totals = { messages: 0, crossed: 0, duplicates: 0, openMs: 0, haltedMs: 0, halts: 0, oneSidedMs: 0 };
  #unknownMs = 0;
  /** Rows of the current and of the previous message, four numbers per row. */
  #rowsNow: number[] = [];
  #rowsBefore: number[] = [];
  #previousTime: number | undefined;
  #doubleMid: number | undefined;
  #isInMessage = false;

  constructor(grid: PriceGrid, options: QualityOptions = {}) {
    this.#replay = new MarketReplay(grid);
    this.#from = options.from ?? Number.NEGATIVE_INFINITY;
    this.#quietPeriods = new QuietPeriodMeter(options.minQuietMs ?? 60_000);
    this.#stepMs = options.stepMs ?? 5_000;
    this.#variation = new VariationMeter(this.#stepMs);
  }

  addRow(block: Block, row: number): void {
    const time = block.tx[row] ?? 0;
    if (!this.#isInMessage) this.#countTimeUntil(time);
    this.#isInMessage = true;
    if (time >= this.#from) this.#countRow(block, row, time);
    const wasOpen = this.#replay.isOpen;
    this.#replay.apply(block, row);
    if (wasOpen && !this.#replay.isOpen && this.#replay.payout === undefined && time >= this.#from)
      this.#totals.halts += 1;
    const { kind, side, price, shares } = block;
    this.#rowsNow.push(kind[row] ?? 0, side[row] ?? 0, price[row] ?? 0, shares[row] ?? 0);
  }

  endMessage(time: number): void {
    this.#isInMessage = false;
    const isRepeated = time === this.#previousTime && isSame(this.#rowsNow, this.#rowsBefore);
    if (isRepeated && time >= this.#from) this.#totals.duplicates += 1;
    [this.#rowsBefore, this.#rowsNow] = [this.#rowsNow, this.#rowsBefore];
    this.#rowsNow.length = 0;
    this.#previousTime = time;
    this.#doubleMid = this.#replay.endMessage();
    this.#flow.addMid(time, this.#doubleMid);
    if (this.#replay.payout !== undefined) this.#flow.resolve(time, this.#replay.payout);
    if (!this.#isBookKnown) this.#variation.stop();
    else if (!this.#variation.isRunning && time >= this.#from) this.#variation.start(time);
    if (time < this.#from) return;
    this.#totals.messages += 1;
    if (this.#isBookKnown && this.#replay.book.crossed()) this.#totals.crossed += 1;
  }

  /** Ends the measurement and returns its results. */
  finish(): MarketQuality {
    const [p10, p50, p90] = [0.1, 0.5, 0.9].map((fraction) => this.#spread.quantile(fraction));
    const { steps, first, last, sumSquares } = this.#variation;
    return {
      ...this.#totals,
      rows: { ...this.#rows },
      prints: { ...this.#prints },
      offGrid: this.#replay.offGrid,
      gaps: { count: this.#rows.gap, ms: this.#unknownMs },
      spreadBps: p10 === undefined || p50 === undefined || p90 === undefined ? undefined : { p10, p50, p90 },
      quietPeriods: { longest: [...this.#quietPeriods.longest], count: this.#quietPeriods.count },
      variation: { everyMs: this.#stepMs, steps, first, last, sumSquares },
      takerFlow: this.#flow.finish(),
      payout: this.#replay.payout,
    };
  }

  /** Counts the time from the previous message to `time`, during which the book did not change. */
  #countTimeUntil(time: number): void {
    const since = Math.max(this.#previousTime ?? time, this.#from);
    const ms = time - since;
    const { isOpen, doubleMark, book, isBookUnknown } = this.#replay;
    if (ms > 0 && isOpen && isBookUnknown) this.#unknownMs += ms;
    else if (ms > 0 && isOpen) {
      this.#totals.openMs += ms;
      this.#quietPeriods.add(since, ms);
      if (this.#doubleMid === undefined) this.#totals.oneSidedMs += ms;
      else this.#spread.add(book.topAsk - book.topBid, ms);
    } else if (ms > 0) this.#totals.haltedMs += ms;
    if (time >= this.#from && this.#isBookKnown && !this.#variation.isRunning) this.#variation.start(since);
    this.#variation.advance(time, doubleMark);
  }

  #countRow(block: Block, row: number, time: number): void {
    const kind = KINDS[block.kind[row] ?? 0];
    if (kind !== undefined) this.#rows[kind] += 1;
    if (kind !== 'trade') return;
    const [side, shares] = [block.side[row] ?? 0, block.shares[row] ?? 0];
    this.#flow.addPrint(time, side, block.price[row] ?? 0, shares);
    this.#prints.count += 1;
    this.#prints.microShares += shares;
    this.#prints.largestMicroShares = Math.max(this.#prints.largestMicroShares, shares);
    this.#prints[side === SIDE.bid ? 'buy' : side === SIDE.ask ? 'sell' : 'unknown'] += 1;
    if (((block.flags[row] ?? 0) & FLAG.inferred) !== 0) this.#prints.inferred += 1;
  }

  get #isBookKnown(): boolean {
    return this.#replay.isOpen && !this.#replay.isBookUnknown;
  }
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}
