/**
 * Earnings of the recorded makers on the recorded prints (docs/spec/models.md#spread-and-markout), as a benchmark for
 * backtests.
 *
 * For a print of a taker with side D (+1 buys YES) at price p, the effective half-spread is D(p - M/2) with the double
 * mid M before the message. The realised half-spread at horizon h is D(p - M(t+h)/2). Means are weighted by shares, in
 * bps, as floats.
 */
import { CANCELLED_PAYOUT, SIDE } from '../../tape/index.ts';

/** Default horizons, ms. */
export const FLOW_HORIZONS_MS: readonly number[] = [1_000, 5_000, 30_000, 60_000, 300_000, 900_000, 3_600_000];

interface HorizonEarnings {
  /** Infinity for the resolution. */
  readonly horizonMs: number;
  /** Null if unknown; see `reason`. */
  readonly realisedBps: number | null;
  /** `no resolution`: the tape has no payout. The last mark is not used instead. */
  readonly reason?: 'no prints' | 'no resolution';
  /** Prints whose horizon ends after the last mark and before a resolution. They count at the last mark. */
  readonly censored: number;
}

export interface TakerFlowEarnings {
  /** Prints with a known side, at a two-sided book. */
  readonly prints: number;
  /** Micro-shares of these prints. */
  readonly shares: number;
  /** Prints that are left out, because they had no side or the book had no mid. */
  readonly leftOut: number;
  readonly effectiveBps: number | undefined;
  readonly horizons: readonly HorizonEarnings[];
}

/** Returns the earnings at a horizon. `reason` applies only if `bps` is undefined. */
function earningsOf(
  horizonMs: number,
  bps: number | undefined,
  censored: number,
  reason: 'no prints' | 'no resolution',
): HorizonEarnings {
  return bps === undefined
    ? { horizonMs, realisedBps: null, reason, censored }
    : { horizonMs, realisedBps: bps, censored };
}

/** Measures the taker flow of one market, in order of exchange time. Stores each print until its longest horizon ends. */
export class TakerFlow {
  readonly #horizons: readonly number[];
  readonly #next: number[];
  readonly #realised: number[];
  /** Columns of the stored prints, oldest first. Fully measured prints are deleted in batches. */
  readonly #time: number[] = [];
  readonly #signedShares: number[] = [];
  readonly #doublePrice: number[] = [];
  #mark: number | undefined;
  #markTime = Number.NEGATIVE_INFINITY;
  #twoSided = false;
  #payout: number | undefined;
  #resolvedAt = Number.POSITIVE_INFINITY;
  #prints = 0;
  #shares = 0;
  #leftOut = 0;
  #effective = 0;
  #signedTotal = 0;
  #paidTotal = 0;
  /** Time at which the next horizon of any print ends. */
  #due = Number.POSITIVE_INFINITY;

  constructor(horizonsMs: readonly number[] = FLOW_HORIZONS_MS) {
    this.#horizons = horizonsMs;
    this.#next = horizonsMs.map(() => 0);
    this.#realised = horizonsMs.map(() => 0);
  }

  /** Adds a print. Call it before `mark` for the same message. @param side of the taker; `bid` buys YES */
  print(time: number, side: number, price: number, shares: number): void {
    if (this.#mark === undefined || !this.#twoSided || side === SIDE.unknown) {
      this.#leftOut += 1;
      return;
    }
    const signed = side === SIDE.bid ? shares : -shares;
    this.#prints += 1;
    this.#shares += shares;
    this.#effective += signed * (2 * price - this.#mark);
    this.#signedTotal += signed;
    this.#paidTotal += signed * 2 * price;
    for (const horizonMs of this.#horizons) if (time + horizonMs < this.#due) this.#due = time + horizonMs;
    this.#time.push(time);
    this.#signedShares.push(signed);
    this.#doublePrice.push(2 * price);
  }

  /**
   * Sets the mark after a message. An unchanged mid does not make a new mark.
   * @param doubleMid best bid + best ask; undefined when a side is missing or the market is halted
   */
  mark(time: number, doubleMid: number | undefined): void {
    const isNew = doubleMid !== undefined && !(this.#twoSided && doubleMid === this.#mark);
    this.#twoSided = doubleMid !== undefined;
    if (!isNew) return;
    this.#measureUntil(time);
    this.#mark = doubleMid;
    this.#markTime = time;
  }

  /** Resolves the market; no prints may follow. */
  resolve(time: number, payout: number): void {
    this.#resolvedAt = time;
    this.#payout = payout === CANCELLED_PAYOUT ? undefined : payout;
  }

  /** Returns the results so far. Prints with an open horizon count at the last mark. */
  earnings(): TakerFlowEarnings {
    const mean = (sum: number): number | undefined => (this.#shares === 0 ? undefined : sum / this.#shares / 2);
    const atEnd = this.#payout === undefined ? (this.#mark ?? 0) : 2 * this.#payout;
    const horizons = this.#horizons.map((horizonMs, index): HorizonEarnings => {
      let sum = this.#realised[index] ?? 0;
      let censored = 0;
      for (let print = this.#next[index] ?? 0; print < this.#time.length; print += 1) {
        const due = (this.#time[print] ?? 0) + horizonMs;
        const isResolved = this.#payout !== undefined && due >= this.#resolvedAt;
        if (!isResolved && due > this.#markTime) censored += 1;
        sum +=
          (this.#signedShares[print] ?? 0) *
          ((this.#doublePrice[print] ?? 0) - (isResolved ? atEnd : (this.#mark ?? 0)));
      }
      return earningsOf(horizonMs, mean(sum), censored, 'no prints');
    });
    const isPaid = this.#payout !== undefined;
    const toPayout = isPaid ? mean(this.#paidTotal - this.#signedTotal * atEnd) : undefined;
    horizons.push(earningsOf(Number.POSITIVE_INFINITY, toPayout, 0, isPaid ? 'no prints' : 'no resolution'));
    const effectiveBps = mean(this.#effective);
    return { prints: this.#prints, shares: this.#shares, leftOut: this.#leftOut, effectiveBps, horizons };
  }

  /** Measures the horizons that end before `time`, at the current mark. */
  #measureUntil(time: number): void {
    if (time <= this.#due || this.#mark === undefined) return;
    let measured = this.#time.length;
    let due = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.#horizons.length; index += 1) {
      const horizonMs = this.#horizons[index] ?? 0;
      let next = this.#next[index] ?? 0;
      let sum = this.#realised[index] ?? 0;
      for (; next < this.#time.length && (this.#time[next] ?? 0) + horizonMs < time; next += 1) {
        sum += (this.#signedShares[next] ?? 0) * ((this.#doublePrice[next] ?? 0) - this.#mark);
      }
      this.#next[index] = next;
      this.#realised[index] = sum;
      measured = Math.min(measured, next);
      const first = this.#time[next];
      if (first !== undefined && first + horizonMs < due) due = first + horizonMs;
    }
    this.#due = due;
    if (measured > DELETE_BATCH) this.#delete(measured);
  }

  #delete(count: number): void {
    for (const column of [this.#time, this.#signedShares, this.#doublePrice]) column.splice(0, count);
    for (let index = 0; index < this.#next.length; index += 1) this.#next[index] = (this.#next[index] ?? 0) - count;
  }
}

/** Number of measured prints that triggers their deletion. */
const DELETE_BATCH = 4_096;
