/**
 * Effective half-spread of maker fills and their markouts (docs/spec/models.md#spread-and-markout): what a fill was
 * worth against the mark just before it, and against the last mark at or before t + h. Weighted by shares.
 *
 * Invariant: memory holds the fills of the last five minutes and those since the last mark; the way to the resolution is a sum, as payout enters
 * every fill's markout linearly.
 */
import type { Random } from '../clock/index.ts';
import { BlockSums } from './block-bootstrap.ts';
import type { WeightedMean } from './figures.ts';

/** The horizons of every markout table. */
export const HORIZONS = [
  { label: '1 s', ms: 1_000 },
  { label: '5 s', ms: 5_000 },
  { label: '30 s', ms: 30_000 },
  { label: '1 m', ms: 60_000 },
  { label: '5 m', ms: 300_000 },
] as const;

const LEAST_BLOCK_MS = 60_000;
const NEAREST_MS = Math.min(...HORIZONS.map(({ ms }) => ms));

/** A fill in YES terms, from its maker's side: an own one, or that of a recorded print. */
export interface MakerFill {
  /** Exchange time, epoch ms. */
  readonly time: number;
  /** +1 bought YES exposure, -1 sold it. */
  readonly sign: number;
  /** YES price, bps. */
  readonly price: number;
  readonly lots: number;
}

/** A share-weighted mean in the making. Values are half-bps (`s * (M - 2p)`). */
export class MeanSums {
  #lots = 0;
  #sum = 0;
  #count = 0;
  #censored = 0;
  readonly #blocks: BlockSums | undefined;

  /** @param horizonMs how far the values reach: no two fills closer than that are independent; undefined for no interval */
  constructor(horizonMs: number | undefined) {
    if (horizonMs !== undefined) this.#blocks = new BlockSums(Math.max(horizonMs, LEAST_BLOCK_MS));
  }

  add(fill: MakerFill, mark: number, censored: boolean): void {
    const value = fill.sign * (mark - 2 * fill.price);
    this.#lots += fill.lots;
    this.#sum += fill.lots * value;
    this.#count += 1;
    if (censored) this.#censored += 1;
    this.#blocks?.add(fill.time, fill.lots, value);
  }

  /** Undefined when nothing was added. */
  mean(random: Random): WeightedMean | undefined {
    if (this.#lots === 0) return undefined;
    const interval = this.#blocks?.interval(random);
    return {
      bps: this.#sum / this.#lots / 2,
      count: this.#count,
      shares: this.#lots * 10_000,
      censored: this.#censored,
      interval: interval === undefined ? undefined : [interval[0] / 2, interval[1] / 2],
    };
  }
}

/** Sums over all markets of a run. */
export class MarkoutTotals {
  readonly effective: MeanSums;
  readonly horizons: readonly MeanSums[];
  #lots = 0;
  #sum = 0;
  #count = 0;

  /** @param intervals whether the means come with bootstrapped intervals */
  constructor(intervals = true) {
    this.effective = new MeanSums(intervals ? 0 : undefined);
    this.horizons = HORIZONS.map(({ ms }) => new MeanSums(intervals ? ms : undefined));
  }

  /** Adds a resolved market's fills to the way to the resolution. `sum` in half-bps times lots. */
  addResolution(lots: number, sum: number, count: number): void {
    this.#lots += lots;
    this.#sum += sum;
    this.#count += count;
  }

  /** Of markets that resolve on the tape; undefined where none with a fill does. No interval: fills of one market share one payout. */
  resolution(): WeightedMean | undefined {
    if (this.#lots === 0) return undefined;
    return {
      bps: this.#sum / this.#lots / 2,
      count: this.#count,
      shares: this.#lots * 10_000,
      censored: 0,
      interval: undefined,
    };
  }
}

/**
 * The fills of one market that wait for their marks.
 *
 * HOT: `mark` runs at every change of a mid. Measured in bench/replay.ts.
 */
export class MarketMarkouts {
  readonly #totals: MarkoutTotals;
  readonly #waiting: readonly Waiting[];
  /** When the first waiting fill reaches a horizon; there is nothing to settle before. */
  #due = Number.POSITIVE_INFINITY;
  /** Double mid in force. */
  #mark: number;
  #markTime = Number.NEGATIVE_INFINITY;
  #lots = 0;
  #signedLots = 0;
  #signedCost = 0;
  #count = 0;

  /** @param mark double mid in force now */
  constructor(totals: MarkoutTotals, mark: number) {
    this.#totals = totals;
    this.#mark = mark;
    this.#waiting = HORIZONS.map(({ ms }, index) => new Waiting(ms, totals, index));
  }

  /** A maker fill. @param before mark in force strictly before the message that caused it, the own price if none */
  fill(fill: MakerFill, before: number): void {
    this.#totals.effective.add(fill, before, false);
    this.#lots += fill.lots;
    this.#signedLots += fill.sign * fill.lots;
    this.#signedCost += fill.sign * fill.lots * fill.price;
    this.#count += 1;
    for (const queue of this.#waiting) queue.push(fill);
    this.#due = Math.min(this.#due, fill.time + NEAREST_MS);
  }

  /** A new mark at exchange time `time`. */
  mark(time: number, mark: number): void {
    this.#settleBefore(time);
    this.#mark = mark;
    this.#markTime = time;
  }

  /**
   * The end of this market: what still waits is past the last mark. At a resolution those whose horizon reaches it get
   * the payout; without one, or before it, they keep the last mark and count as censored.
   * @param payout twice the payout in bps; undefined when nothing was decided
   */
  finish(time: number, payout: number | undefined): void {
    const mark = this.#mark;
    if (mark === undefined) return;
    for (const queue of this.#waiting)
      queue.flush(this.#markTime, mark, payout === undefined ? undefined : { time, payout });
    // The last mark is no payout.
    if (payout !== undefined) {
      this.#totals.addResolution(this.#lots, payout * this.#signedLots - 2 * this.#signedCost, this.#count);
    }
    this.#lots = 0;
    this.#signedLots = 0;
    this.#signedCost = 0;
    this.#count = 0;
  }

  /** Not before a mark comes: what no mark follows is censored. */
  #settleBefore(time: number): void {
    if (time <= this.#due) return;
    this.#due = Number.POSITIVE_INFINITY;
    for (const queue of this.#waiting) this.#due = Math.min(this.#due, queue.settleBefore(time, this.#mark));
  }
}

interface Resolved {
  readonly time: number;
  readonly payout: number;
}

/** First in, first out: fills of one horizon. */
class Waiting {
  readonly #ms: number;
  readonly #totals: MarkoutTotals;
  readonly #horizon: number;
  #fills: MakerFill[] = [];
  #head = 0;

  constructor(ms: number, totals: MarkoutTotals, horizon: number) {
    this.#ms = ms;
    this.#totals = totals;
    this.#horizon = horizon;
  }

  push(fill: MakerFill): void {
    this.#fills.push(fill);
  }

  /** Counts what was due before `time`. Answers when the next fill is due, Infinity for none. */
  settleBefore(time: number, mark: number): number {
    for (;;) {
      const fill = this.#fills[this.#head];
      if (fill === undefined) return Number.POSITIVE_INFINITY;
      const due = fill.time + this.#ms;
      if (due >= time) return due;
      this.#take(fill, mark, false);
    }
  }

  flush(markTime: number, mark: number, end: Resolved | undefined): void {
    for (;;) {
      const fill = this.#fills[this.#head];
      if (fill === undefined) return;
      const due = fill.time + this.#ms;
      if (end !== undefined && due >= end.time) this.#take(fill, end.payout, false);
      else this.#take(fill, mark, due > markTime);
    }
  }

  #take(fill: MakerFill, mark: number, censored: boolean): void {
    this.#totals.horizons[this.#horizon]?.add(fill, mark, censored);
    this.#head += 1;
    if (this.#head < 1_024) return;
    this.#fills = this.#fills.slice(this.#head);
    this.#head = 0;
  }
}
