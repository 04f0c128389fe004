/** Price grids that a venue's schema cannot tell: it has one tick a market, a recorded market has a list of prices. */
import type { PriceGrid } from '../domain/index.ts';
import type { Selected } from '../venues/remote/index.ts';
import type { LiveMarkets } from './live-markets.ts';

/** By market id. */
export type Grids = ReadonlyMap<string, PriceGrid>;

/** The markets with the grids that are known from elsewhere. */
export function withGrids(markets: LiveMarkets, grids: Grids): LiveMarkets {
  const known = (each: Selected): Selected => {
    const { setup } = each;
    const grid = grids.get(setup.info.id);
    return grid === undefined ? each : { ...each, setup: { ...setup, info: { ...setup.info, grid } } };
  };
  return { ...markets, present: markets.present.map(known), added: markets.added.map(known) };
}
