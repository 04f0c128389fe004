/**
 * Earnings of the recorded makers on the recorded prints (docs/spec/models.md#spread-and-markout), as a benchmark for
 * backtests.
 *
 * A taker has side D (+1 buys YES). For its print at price p, the effective half-spread is D(p - M/2), with the double
 * mid M before the message. The realised half-spread at horizon h is D(p - M(t+h)/2). Means are weighted by shares, in
 * bps, as floats.
 */
import { CANCELLED_PAYOUT, SIDE } from '../../tape/index.ts';

export const FLOW_HORIZONS_MS: readonly number[] = [1_000, 5_000, 30_000, 60_000, 300_000, 900_000, 3_600_000];

interface HorizonEarnings {
  /** Infinity for the resolution. */
  readonly horizonMs: number;
  /** Null if unknown; see `reason`. */
  readonly realisedBps: number | null;
  /** `no resolution` if the tape has no payout, because the last mark does not replace a payout. */
  readonly reason?: 'no prints' | 'no resolution';
  /** Number of prints whose horizon ends after the last mark and before a resolution; measured at the last mark. */
  readonly censored: number;
}

export interface TakerFlowEarnings {
  /** Prints with a known side and a two-sided book. */
  readonly prints: number;
  /** Micro-shares of these prints. */
  readonly shares: number;
  /** Prints that have no side, or whose book has no mid. */
  readonly leftOut: number;
  readonly effectiveBps: number | undefined;
  readonly horizons: readonly HorizonEarnings[];
}

/** @param reason applies only if `bps` is undefined */
function toHorizonEarnings(
  horizonMs: number,
  bps: number | undefined,
  censored: number,
  reason: 'no prints' | 'no resolution',
): HorizonEarnings {
  return bps === undefined
    ? { horizonMs, realisedBps: null, reason, censored }
    : { horizonMs, realisedBps: bps, censored };
}

/** Measures one market's taker flow in order of exchange time. Stores each print until its longest horizon ends. */
export class TakerFlow {
  readonly #horizons: readonly number[];
  /** By horizon: the index of the first print that is not measured. */
  readonly #firstUnmeasured: number[];
  /** By horizon, over the measured prints. */
  readonly #realisedSums: number[];
  /** Columns of the stored prints, oldest first. Fully measured prints are deleted in batches. */
  readonly #time: number[] = [];
  readonly #signedShares: number[] = [];
  readonly #doublePrice: number[] = [];
  #doubleMark: number | undefined;
  #markTime = Number.NEGATIVE_INFINITY;
  #isTwoSided = false;
  #payout: number | undefined;
  #resolvedAt = Number.POSITIVE_INFINITY;
  #prints = 0;
  #shares = 0;
  #leftOut = 0;
  #effectiveSum = 0;
  #signedSharesSum = 0;
  #doublePaidSum = 0;
  #nextHorizonEnd = Number.POSITIVE_INFINITY;

  constructor(horizonsMs: readonly number[] = FLOW_HORIZONS_MS) {
    this.#horizons = horizonsMs;
    this.#firstUnmeasured = horizonsMs.map(() => 0);
    this.#realisedSums = horizonsMs.map(() => 0);
  }

  /** Adds a print. Call it before `addMid` for the same message. @param side of the taker; `bid` buys YES */
  addPrint(time: number, side: number, price: number, shares: number): void {
    if (this.#doubleMark === undefined || !this.#isTwoSided || side === SIDE.unknown) {
      this.#leftOut += 1;
      return;
    }
    const signed = side === SIDE.bid ? shares : -shares;
    this.#prints += 1;
    this.#shares += shares;
    this.#effectiveSum += signed * (2 * price - this.#doubleMark);
    this.#signedSharesSum += signed;
    this.#doublePaidSum += signed * 2 * price;
    for (const horizonMs of this.#horizons)
      if (time + horizonMs < this.#nextHorizonEnd) this.#nextHorizonEnd = time + horizonMs;
    this.#time.push(time);
    this.#signedShares.push(signed);
    this.#doublePrice.push(2 * price);
  }

  /** Sets the mark if the mid changed. @param doubleMid best bid + best ask; undefined when one-sided or halted */
  addMid(time: number, doubleMid: number | undefined): void {
    const isNew = doubleMid !== undefined && !(this.#isTwoSided && doubleMid === this.#doubleMark);
    this.#isTwoSided = doubleMid !== undefined;
    if (!isNew) return;
    this.#measureUntil(time);
    this.#doubleMark = doubleMid;
    this.#markTime = time;
  }

  /** Resolves the market; no prints may follow. */
  resolve(time: number, payout: number): void {
    this.#resolvedAt = time;
    this.#payout = payout === CANCELLED_PAYOUT ? undefined : payout;
  }

  /** Returns the results so far. Prints whose horizon has not ended are measured at the last mark. */
  earnings(): TakerFlowEarnings {
    const mean = (sum: number): number | undefined => (this.#shares === 0 ? undefined : sum / this.#shares / 2);
    const isPaid = this.#payout !== undefined;
    const doublePayout = 2 * (this.#payout ?? 0);
    const horizons = this.#horizons.map((horizonMs, index): HorizonEarnings => {
      let sum = this.#realisedSums[index] ?? 0;
      let censored = 0;
      for (let print = this.#firstUnmeasured[index] ?? 0; print < this.#time.length; print += 1) {
        const horizonEnd = (this.#time[print] ?? 0) + horizonMs;
        const isResolved = isPaid && horizonEnd >= this.#resolvedAt;
        if (!isResolved && horizonEnd > this.#markTime) censored += 1;
        sum +=
          (this.#signedShares[print] ?? 0) *
          ((this.#doublePrice[print] ?? 0) - (isResolved ? doublePayout : (this.#doubleMark ?? 0)));
      }
      return toHorizonEarnings(horizonMs, mean(sum), censored, 'no prints');
    });
    const toPayout = isPaid ? mean(this.#doublePaidSum - this.#signedSharesSum * doublePayout) : undefined;
    horizons.push(toHorizonEarnings(Number.POSITIVE_INFINITY, toPayout, 0, isPaid ? 'no prints' : 'no resolution'));
    const effectiveBps = mean(this.#effectiveSum);
    return { prints: this.#prints, shares: this.#shares, leftOut: this.#leftOut, effectiveBps, horizons };
  }

  /** Measures the horizons that end before `time`, at the current mark. */
  #measureUntil(time: number): void {
    if (time <= this.#nextHorizonEnd || this.#doubleMark === undefined) return;
    let measured = this.#time.length;
    let horizonEnd = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.#horizons.length; index += 1) {
      const horizonMs = this.#horizons[index] ?? 0;
      let next = this.#firstUnmeasured[index] ?? 0;
      let sum = this.#realisedSums[index] ?? 0;
      for (; next < this.#time.length && (this.#time[next] ?? 0) + horizonMs < time; next += 1) {
        sum += (this.#signedShares[next] ?? 0) * ((this.#doublePrice[next] ?? 0) - this.#doubleMark);
      }
      this.#firstUnmeasured[index] = next;
      this.#realisedSums[index] = sum;
      measured = Math.min(measured, next);
      const first = this.#time[next];
      if (first !== undefined && first + horizonMs < horizonEnd) horizonEnd = first + horizonMs;
    }
    this.#nextHorizonEnd = horizonEnd;
    if (measured <= DELETE_BATCH) return;
    for (const column of [this.#time, this.#signedShares, this.#doublePrice]) column.splice(0, measured);
    for (const [index, first] of this.#firstUnmeasured.entries()) this.#firstUnmeasured[index] = first - measured;
  }
}

/** Number of measured prints that triggers their deletion. */
const DELETE_BATCH = 4_096;
