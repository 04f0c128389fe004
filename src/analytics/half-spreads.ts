/** Half-spreads of own or recorded maker fills against one mid (docs/spec/models.md#spread-and-markout). */
import type { Random } from '../clock/index.ts';
import type { MakerFill } from './fill-ring.ts';
import { HORIZONS, MarketMarkouts, type MarkoutTotals } from './markouts.ts';
import type { HalfSpreads, MakerHalfSpreads } from './measure-types.ts';

export function halfSpreads(totals: MarkoutTotals, random: Random): MakerHalfSpreads {
  const horizons = HORIZONS.map(({ label }, index) => ({
    label,
    mean: totals.horizons[index]?.mean(random.fork(`markout/${label}`)),
  }));
  return {
    effective: totals.effective.mean(random.fork('effective')),
    horizons: [...horizons, { label: 'resolution', mean: totals.resolution.mean(random) }],
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
  /** Created at the first fill, because most markets have none. */
  #markouts: MarketMarkouts | undefined;

  constructor(totals: MarkoutTotals) {
    this.#totals = totals;
  }

  /** @param mid double mid, in force from now on */
  mid(time: number, mid: number): void {
    this.#mid = mid;
    this.#markouts?.mark(time, mid);
  }

  /** Returns the fill's number. @param before double mid strictly before its message @param provisional whether it may be reversed */
  fill(fill: MakerFill, before: number, provisional = false): number {
    this.#markouts ??= new MarketMarkouts(this.#totals, this.#mid ?? before);
    return this.#markouts.fill(fill, before, provisional);
  }

  /** Makes a provisional fill final. @param number the number that `fill` returned */
  settled(number: number): void {
    this.#markouts?.settled(number);
  }

  reversed(number: number, fill: MakerFill, before: number): void {
    this.#markouts?.reversed(number, fill, before);
  }

  /** Brings the totals up to the last mid, so they can be read before the end. */
  processMarks(): void {
    this.#markouts?.processMarks();
  }

  /** Ends this market. @param payout twice the payout in bps; undefined for an undecided or void market */
  finish(time: number, payout: number | undefined): void {
    this.#markouts?.finish(time, payout);
  }
}
