/** Half-spreads of own maker fills and of the makers of the recorded prints, both against the same mid (docs/spec/models.md#spread-and-markout). */
import type { Random } from '../clock/index.ts';
import type { HalfSpreads, HorizonRow } from './figures.ts';
import { HORIZONS, type MakerFill, MarketMarkouts, MarkoutTotals } from './markouts.ts';

/** Sums over all markets of a run. */
export class HalfSpreadTotals {
  readonly own: MarkoutTotals;
  readonly recorded = new MarkoutTotals(false);

  /** @param ownIntervals whether own means come with bootstrapped intervals */
  constructor(ownIntervals: boolean) {
    this.own = new MarkoutTotals(ownIntervals);
  }

  /** @param random draws the intervals */
  result(random: Random): HalfSpreads {
    const { own, recorded } = this;
    const horizons = HORIZONS.map(({ label }, index): HorizonRow => {
      const draws = random.fork(`markout/${label}`);
      return { label, own: own.horizons[index]?.mean(draws), recorded: recorded.horizons[index]?.mean(draws) };
    });
    const draws = random.fork('effective');
    return {
      effective: { own: own.effective.mean(draws), recorded: recorded.effective.mean(draws) },
      horizons: [...horizons, { label: 'resolution', own: own.resolution(), recorded: recorded.resolution() }],
    };
  }
}

/** The fills and prints of one market. */
export class MarketHalfSpreads {
  readonly #totals: HalfSpreadTotals;
  #mid: number | undefined;
  /** Made with the first fill and the first print: many of ten thousand markets see none. */
  #own: MarketMarkouts | undefined;
  #recorded: MarketMarkouts | undefined;

  constructor(totals: HalfSpreadTotals) {
    this.#totals = totals;
  }

  /** @param mid double mid, in force from now on */
  mid(time: number, mid: number): void {
    this.#mid = mid;
    this.#own?.mark(time, mid);
    this.#recorded?.mark(time, mid);
  }

  /** An own maker fill, or that of a recorded maker. @param before double mid strictly before its message */
  fill(whose: 'own' | 'recorded', fill: MakerFill, before: number): void {
    const mid = this.#mid ?? before;
    if (whose === 'own') {
      this.#own ??= new MarketMarkouts(this.#totals.own, mid);
      this.#own.fill(fill, before);
    } else {
      this.#recorded ??= new MarketMarkouts(this.#totals.recorded, mid);
      this.#recorded.fill(fill, before);
    }
  }

  /** The end of this market. @param payout twice the payout in bps; undefined when nothing was decided */
  finish(time: number, payout: number | undefined): void {
    this.#own?.finish(time, payout);
    this.#recorded?.finish(time, payout);
  }
}
