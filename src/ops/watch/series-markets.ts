/**
 * Chooses the markets with their own series, so that ten thousand markets do not create a hundred thousand series. A market
 * is chosen when it first has a position or an order, and stays chosen until it ends.
 */
import type { MarketReportLine } from '../feed/report-types.ts';

/** Most markets with their own series. */
export const MAX_MARKETS = 200;

export class SeriesMarkets {
  readonly #chosen = new Set<string>();
  /** Number of markets with a position or an order that were not chosen because the limit was reached. */
  omitted = 0;

  select(markets: readonly MarketReportLine[]): readonly MarketReportLine[] {
    const present = new Set(markets.filter((line) => line.acceptingOrders || isUsed(line)).map(({ slug }) => slug));
    for (const slug of this.#chosen) if (!present.has(slug)) this.#chosen.delete(slug);
    this.omitted = 0;
    for (const line of markets) {
      if (!isUsed(line) || this.#chosen.has(line.slug)) continue;
      if (this.#chosen.size < MAX_MARKETS) this.#chosen.add(line.slug);
      else this.omitted += 1;
    }
    return markets.filter(({ slug }) => this.#chosen.has(slug));
  }
}

function isUsed({ position, openOrders }: MarketReportLine): boolean {
  return position !== 0 || openOrders > 0;
}
