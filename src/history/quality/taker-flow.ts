import { computeHalfSpreads, HORIZONS, MarketHalfSpreads, MarkoutTotals } from '../../analytics/index.ts';
import { seededRandom } from '../../clock/index.ts';
import { LOT } from '../../domain/index.ts';
import { CANCELLED_PAYOUT, SIDE } from '../../tape/index.ts';

/**
 * Earnings of the recorded makers on the recorded prints (docs/spec/models.md#spread-and-markout), as a benchmark for
 * backtests. The report of a backtest measures own fills in the same way.
 */

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

/** Measures one market's taker flow in order of exchange time. */
export class TakerFlow {
  readonly #totals = new MarkoutTotals({ hasIntervals: false });
  readonly #halfSpreads = new MarketHalfSpreads(this.#totals);
  /** Best bid + best ask after the last message; undefined when one-sided or halted. */
  #doubleMid: number | undefined;
  #leftOut = 0;
  #isResolved = false;
  #hasPayout = false;

  /** Adds a print. Call it before `addMid` for the same message. @param side of the taker; `bid` buys YES */
  addPrint(time: number, side: number, price: number, shares: number): void {
    if (this.#doubleMid === undefined || side === SIDE.unknown) {
      this.#leftOut += 1;
      return;
    }
    const makerFill = { time, sign: side === SIDE.bid ? -1 : 1, price, lots: shares / LOT };
    this.#halfSpreads.addFill(makerFill, this.#doubleMid);
  }

  /** Sets the mark if the mid changed. @param doubleMid best bid + best ask; undefined when one-sided or halted */
  addMid(time: number, doubleMid: number | undefined): void {
    if (doubleMid !== undefined && doubleMid !== this.#doubleMid) this.#halfSpreads.setMark(time, doubleMid);
    this.#doubleMid = doubleMid;
  }

  /** Resolves the market; no prints may follow. Does nothing after the first call. */
  resolve(time: number, payout: number): void {
    if (this.#isResolved) return;
    this.#isResolved = true;
    this.#hasPayout = payout !== CANCELLED_PAYOUT;
    this.#halfSpreads.finish(time, this.#hasPayout ? 2 * payout : undefined);
  }

  /** Ends the measurement. Prints whose horizon has not ended are measured at the last mark. */
  finish(): TakerFlowEarnings {
    if (!this.#isResolved) this.#halfSpreads.finish(Number.POSITIVE_INFINITY, undefined);
    // These means have no intervals, so nothing is drawn.
    const { effective, horizons } = computeHalfSpreads(this.#totals, seededRandom(0));
    return {
      prints: effective?.count ?? 0,
      shares: effective?.shares ?? 0,
      leftOut: this.#leftOut,
      effectiveBps: effective?.bps,
      horizons: horizons.map(({ mean }, index): HorizonEarnings => {
        const horizonMs = HORIZONS[index]?.ms ?? Number.POSITIVE_INFINITY;
        if (mean !== undefined) return { horizonMs, realisedBps: mean.bps, censored: mean.censored };
        const isUnresolved = horizonMs === Number.POSITIVE_INFINITY && !this.#hasPayout;
        return { horizonMs, realisedBps: null, reason: isUnresolved ? 'no resolution' : 'no prints', censored: 0 };
      }),
    };
  }
}
