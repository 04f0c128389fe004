/** Half-spreads of maker fills against one mid: those of own orders, or those of the makers of the recorded prints (docs/spec/models.md#spread-and-markout). */
import type { Random } from '../clock/index.ts';
import type { HalfSpreads, MakerHalfSpreads } from './figures.ts';
import { HORIZONS, type MakerFill, MarketMarkouts, type MarkoutTotals } from './markouts.ts';

/** @param random draws the intervals */
export function halfSpreads(totals: MarkoutTotals, random: Random): MakerHalfSpreads {
  const horizons = HORIZONS.map(({ label }, index) => ({
    label,
    mean: totals.horizons[index]?.mean(random.fork(`markout/${label}`)),
  }));
  return {
    effective: totals.effective.mean(random.fork('effective')),
    horizons: [...horizons, { label: 'resolution', mean: totals.resolution() }],
  };
}

export function sideBySide(own: MakerHalfSpreads, recorded: MakerHalfSpreads): HalfSpreads {
  return {
    effective: { own: own.effective, recorded: recorded.effective },
    horizons: own.horizons.map(({ label, mean }, index) => ({
      label,
      own: mean,
      recorded: recorded.horizons[index]?.mean,
    })),
  };
}

export class MarketHalfSpreads {
  readonly #totals: MarkoutTotals;
  #mid: number | undefined;
  /** Made with the first fill: many of ten thousand markets see none. */
  #markouts: MarketMarkouts | undefined;

  constructor(totals: MarkoutTotals) {
    this.#totals = totals;
  }

  /** @param mid double mid, in force from now on */
  mid(time: number, mid: number): void {
    this.#mid = mid;
    this.#markouts?.mark(time, mid);
  }

  /** Answers the fill's number. @param before double mid strictly before the message of the fill @param provisional whether it may be taken back */
  fill(fill: MakerFill, before: number, provisional = false): number {
    this.#markouts ??= new MarketMarkouts(this.#totals, this.#mid ?? before);
    return this.#markouts.fill(fill, before, provisional);
  }

  /** A provisional fill is final. @param number what `fill` answered */
  settled(number: number): void {
    this.#markouts?.settled(number);
  }

  /** The venue took a provisional fill back. */
  reversed(number: number, fill: MakerFill, before: number): void {
    this.#markouts?.reversed(number, fill, before);
  }

  /** Brings the totals up to the last mid: for who reads them before the end. */
  settle(): void {
    this.#markouts?.settle();
  }

  /** The end of this market. @param payout twice the payout in bps; undefined when nothing was decided */
  finish(time: number, payout: number | undefined): void {
    this.#markouts?.finish(time, payout);
  }
}
