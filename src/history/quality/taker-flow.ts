/**
 * What the recorded makers earned on the recorded prints (docs/spec/models.md#spread-and-markout): the yardstick for a
 * backtest of our own making.
 *
 * For a print on the taker's side D (+1 buys YES) at p: effective half-spread = D(p - M/2) with M before the message,
 * realised half-spread at h = D(p - M(t+h)/2). Means weighted by shares, floats, in bps.
 */
import { CANCELLED_PAYOUT, SIDE } from '../../tape/index.ts';

/** Horizons of the report, ms. */
export const FLOW_HORIZONS_MS: readonly number[] = [1_000, 5_000, 30_000, 60_000, 300_000, 900_000, 3_600_000];

interface HorizonEarnings {
  /** Infinity: to the resolution. */
  readonly horizonMs: number;
  /** Null if it cannot be measured; `reason` says why. */
  readonly realisedBps: number | null;
  /** `no resolution`: the tape does not say how the market ends, and the last mark is no payout. */
  readonly reason?: 'no prints' | 'no resolution';
  /** Prints whose t+h is past the last mark: the market had not resolved by then. */
  readonly censored: number;
}

export interface TakerFlowEarnings {
  /** Prints with a side that met a book with both sides. */
  readonly prints: number;
  /** Their micro-shares. */
  readonly shares: number;
  /** Prints left out: of unknown side, or there was no mid to measure from. */
  readonly leftOut: number;
  readonly effectiveBps: number | undefined;
  readonly horizons: readonly HorizonEarnings[];
}

/** @param bps undefined where there is no figure */
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

/**
 * One market's flow, fed in order of exchange time. Keeps the prints of the longest horizon and those since the last
 * mark.
 */
export class TakerFlow {
  readonly #horizons: readonly number[];
  readonly #next: number[];
  readonly #realised: number[];
  /** Prints that some horizon still waits for, side by side. */
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
  /** When the first waiting horizon is over; nothing has to be looked at before. */
  #due = Number.POSITIVE_INFINITY;

  constructor(horizonsMs: readonly number[] = FLOW_HORIZONS_MS) {
    this.#horizons = horizonsMs;
    this.#next = horizonsMs.map(() => 0);
    this.#realised = horizonsMs.map(() => 0);
  }

  /** A print, before the mark of its own message. `side` as in rows: `bid` is a buyer of YES. */
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

  /** Best bid + best ask, undefined when a side is missing or the market is halted. An unchanged mid is no new mark. */
  mark(time: number, doubleMid: number | undefined): void {
    const isNew = doubleMid !== undefined && !(this.#twoSided && doubleMid === this.#mark);
    this.#twoSided = doubleMid !== undefined;
    if (!isNew) return;
    this.#settle(time);
    this.#mark = doubleMid;
    this.#markTime = time;
  }

  /** The market is decided; after this come no prints. */
  resolve(time: number, payout: number): void {
    this.#resolvedAt = time;
    this.#payout = payout === CANCELLED_PAYOUT ? undefined : payout;
  }

  /** The sums so far; prints whose horizon is not over count with what is known now. */
  earnings(): TakerFlowEarnings {
    const mean = (sum: number): number | undefined => (this.#shares === 0 ? undefined : sum / this.#shares / 2);
    const atEnd = this.#payout === undefined ? (this.#mark ?? 0) : 2 * this.#payout;
    const horizons = this.#horizons.map((horizonMs, index): HorizonEarnings => {
      let sum = this.#realised[index] ?? 0;
      let censored = 0;
      for (let print = this.#next[index] ?? 0; print < this.#time.length; print += 1) {
        const due = (this.#time[print] ?? 0) + horizonMs;
        const paid = this.#payout !== undefined && due >= this.#resolvedAt;
        if (!paid && due > this.#markTime) censored += 1;
        sum +=
          (this.#signedShares[print] ?? 0) * ((this.#doublePrice[print] ?? 0) - (paid ? atEnd : (this.#mark ?? 0)));
      }
      return earningsOf(horizonMs, mean(sum), censored, 'no prints');
    });
    // The last mark is no payout: without one there is no figure.
    const isPaid = this.#payout !== undefined;
    const toPayout = isPaid ? mean(this.#paidTotal - this.#signedTotal * atEnd) : undefined;
    horizons.push(earningsOf(Number.POSITIVE_INFINITY, toPayout, 0, isPaid ? 'no prints' : 'no resolution'));
    const effectiveBps = mean(this.#effective);
    return { prints: this.#prints, shares: this.#shares, leftOut: this.#leftOut, effectiveBps, horizons };
  }

  /** Books what came due before a new mark at `time`, at the mark that was in force until then. */
  #settle(time: number): void {
    if (time <= this.#due || this.#mark === undefined) return;
    let waiting = this.#time.length;
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
      waiting = Math.min(waiting, next);
      const first = this.#time[next];
      if (first !== undefined && first + horizonMs < due) due = first + horizonMs;
    }
    this.#due = due;
    if (waiting > FORGET_AT) this.#forget(waiting);
  }

  #forget(count: number): void {
    for (const column of [this.#time, this.#signedShares, this.#doublePrice]) column.splice(0, count);
    for (let index = 0; index < this.#next.length; index += 1) this.#next[index] = (this.#next[index] ?? 0) - count;
  }
}

/** Prints that no horizon waits for are dropped in such lots. */
const FORGET_AT = 4_096;
