/** Half-spreads of maker fills, own or recorded, against one mark (docs/spec/models.md#spread-and-markout). */
import type { Random } from '../clock/index.ts';
import { BlockDraws } from './block-bootstrap.ts';
import type { MakerFill } from './fill-ring.ts';
import { HORIZONS, MarketMarkouts, type MarkoutTotals } from './markouts.ts';
import type { HalfSpreads, MakerHalfSpreads } from './measure-types.ts';

export function computeHalfSpreads(totals: MarkoutTotals, random: Random): MakerHalfSpreads {
  const draws = new BlockDraws(random);
  const horizons = HORIZONS.map(({ label }, index) => ({ label, mean: totals.horizons[index]?.mean(draws) }));
  return {
    effective: totals.effective.mean(draws),
    horizons: [...horizons, { label: 'resolution', mean: totals.resolution.mean(draws) }],
  };
}

export function pairHalfSpreads(own: MakerHalfSpreads, recorded: MakerHalfSpreads): HalfSpreads {
  return {
    effective: { own: own.effective, recorded: recorded.effective },
    horizons: own.horizons.map(({ label, mean }, at) => ({ label, own: mean, recorded: recorded.horizons[at]?.mean })),
  };
}

export class MarketHalfSpreads {
  readonly #totals: MarkoutTotals;
  #mark: number | undefined;
  /** Created at the first fill, because most markets have none. */
  #markouts: MarketMarkouts | undefined;

  constructor(totals: MarkoutTotals) {
    this.#totals = totals;
  }

  /** Sets the mark, a double mid (best bid + best ask, bps), from `time` on. */
  setMark(time: number, mark: number): void {
    this.#mark = mark;
    this.#markouts?.setMark(time, mark);
  }

  /** Adds a fill and returns its number. @param markBefore double mid strictly before the fill's message */
  addFill(fill: MakerFill, markBefore: number, isProvisional = false): number {
    this.#markouts ??= new MarketMarkouts(this.#totals, this.#mark ?? markBefore);
    return this.#markouts.addFill(fill, markBefore, isProvisional);
  }

  /** Makes a provisional fill final. @param number the number that `addFill` returned */
  settleFill(number: number): void {
    this.#markouts?.settleFill(number);
  }

  reverseFill(number: number, fill: MakerFill, markBefore: number): void {
    this.#markouts?.reverseFill(number, fill, markBefore);
  }

  /** Adds to the totals the fills whose marks are known. Call this before you read the totals of an unfinished run. */
  processMarks(): void {
    this.#markouts?.processMarks();
  }

  /** @param doublePayout twice the payout in bps; undefined for an undecided or void market */
  finish(time: number, doublePayout: number | undefined): void {
    this.#markouts?.finish(time, doublePayout);
  }
}
