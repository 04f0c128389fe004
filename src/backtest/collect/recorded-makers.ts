import { FLOW_HORIZONS_MS, type TakerFlowEarnings } from '../../history/index.ts';
import type { WeightedMean } from '../run-detail.ts';

interface Sum {
  /** Mean times shares. */
  weighted: number;
  shares: number;
  prints: number;
  censored: number;
}

/**
 * What the makers on the tape earned, over all markets of a run: the yardstick beside our own fills
 * (docs/spec/models.md#plausibility).
 */
export class RecordedMakers {
  readonly #effective = emptySum();
  readonly #horizons = new Map<number, Sum>(
    [...FLOW_HORIZONS_MS, Number.POSITIVE_INFINITY].map((ms) => [ms, emptySum()]),
  );

  /** Adds one market. */
  add({ prints, shares, effectiveBps, horizons }: TakerFlowEarnings): void {
    const share = (sum: Sum, bps: number | null | undefined, censored: number): void => {
      if (bps === undefined || bps === null) return;
      sum.weighted += bps * shares;
      sum.shares += shares;
      sum.prints += prints;
      sum.censored += censored;
    };
    share(this.#effective, effectiveBps, 0);
    for (const { horizonMs, realisedBps, censored } of horizons) {
      const sum = this.#horizons.get(horizonMs);
      if (sum !== undefined) share(sum, realisedBps, censored);
    }
  }

  effective(): WeightedMean | undefined {
    return meanOf(this.#effective);
  }

  /** @param ms one of `FLOW_HORIZONS_MS`, or Infinity for the resolution: undefined where no market has one */
  realised(ms: number): WeightedMean | undefined {
    const sum = this.#horizons.get(ms);
    return sum === undefined ? undefined : meanOf(sum);
  }
}

function emptySum(): Sum {
  return { weighted: 0, shares: 0, prints: 0, censored: 0 };
}

function meanOf({ weighted, shares, prints, censored }: Sum): WeightedMean | undefined {
  return shares === 0 ? undefined : { bps: weighted / shares, count: prints, shares, censored, interval: undefined };
}
