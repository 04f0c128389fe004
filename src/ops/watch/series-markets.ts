/**
 * Chooses the markets that have series of their own, so that ten thousand markets do not make a hundred thousand series. A market
 * gets them when it first has a position or an order, and keeps them until it is over.
 */
import type { MarketReportLine } from '../feed/report-types.ts';

/** Markets with series of their own at once. */
export const MOST_MARKETS = 200;

export class SeriesMarkets {
  readonly #chosen = new Set<string>();
  /** Markets with a position or an order for which no place is left. */
  leftOut = 0;

  of(markets: readonly MarketReportLine[]): readonly MarketReportLine[] {
    const present = new Set(markets.filter((line) => line.acceptingOrders || isUsed(line)).map(({ slug }) => slug));
    for (const slug of this.#chosen) if (!present.has(slug)) this.#chosen.delete(slug);
    this.leftOut = 0;
    for (const line of markets) {
      if (!isUsed(line) || this.#chosen.has(line.slug)) continue;
      if (this.#chosen.size < MOST_MARKETS) this.#chosen.add(line.slug);
      else this.leftOut += 1;
    }
    return markets.filter(({ slug }) => this.#chosen.has(slug));
  }
}

function isUsed({ position, openOrders }: MarketReportLine): boolean {
  return position !== 0 || openOrders > 0;
}
