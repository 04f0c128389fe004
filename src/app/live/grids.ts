/** Price grids as the configuration has them: the venue's contract can tell a tick, and some markets have fewer prices. */
import { dirname, resolve } from 'node:path';
import type { GridConfig } from '../../config/grid-schema.ts';
import type { LiveConfiguration } from '../../config/live-file.ts';
import {
  column,
  FULL_BPS,
  fitsTick,
  InputFault,
  type MarketInfo,
  type PriceBps,
  type PriceGrid,
} from '../../domain/index.ts';
import { classicOdds, oddsGrid, TapeFile } from '../../history/index.ts';
import type { Selected } from '../../venues/service/index.ts';

export interface Grids {
  /** With its configured prices. @throws InputFault for prices off the venue's tick, a tape without this market */
  applied(selected: Selected): Selected;
  /** Undefined where the venue's tick says it all. @throws InputFault for a tape without this market */
  of(market: Named): PriceGrid | undefined;
}

interface Named {
  readonly id: string;
  readonly slug: string;
}
/** Undefined: the venue's tick says it all. */
type FindGrid = (market: Named) => PriceGrid | undefined;

/** Reads the tapes that grids are taken from. @throws FileFault for what is no tape */
export function openGrids({ file, configuration }: LiveConfiguration): Grids {
  const folder = dirname(configuration.path);
  const { grid, overrides } = file.markets;
  const preset = gridOf(grid, folder);
  const own = new Map<string, FindGrid>();
  for (const [market, { grid: wish }] of Object.entries(overrides)) {
    if (wish !== undefined) own.set(market, demanded(gridOf(wish, folder), wish, `markets.overrides.${market}.grid`));
  }
  const nameOf = ({ slug, id }: Named) => [slug, id].find((each) => own.has(each));
  const find: FindGrid = (market) => (own.get(nameOf(market) ?? '') ?? preset)(market);
  return {
    of: find,
    applied(selected) {
      const { info } = selected.setup;
      const found = find(info);
      if (found === undefined) return selected;
      const name = nameOf(info);
      demandTick(name === undefined ? 'markets.grid' : `markets.overrides.${name}.grid`, found, info);
      return { ...selected, setup: { ...selected.setup, info: { ...info, grid: found } } };
    },
  };
}

function gridOf(wish: GridConfig, folder: string): FindGrid {
  if (wish === 'tick') return () => undefined;
  if (typeof wish === 'string') {
    const grid = oddsGrid(classicOdds(), wish === 'betfair-two-runners');
    return () => grid;
  }
  if ('steps' in wish) {
    const prices = pricesOf(wish.steps);
    return () => ({ type: 'list', bids: prices, asks: prices });
  }
  const { markets } = TapeFile.open(resolve(folder, wish.tape)).manifest;
  const known = new Map(markets.map(({ id, grid }) => [String(id), grid]));
  return ({ id }) => known.get(id);
}

/** For one market a tape has to have it; for all of them, others keep the venue's tick. */
function demanded(grids: FindGrid, wish: GridConfig, field: string): FindGrid {
  if (typeof wish === 'string' || !('tape' in wish)) return grids;
  return (market) => {
    const grid = grids(market);
    if (grid === undefined) throw new InputFault(`${field}.tape`, wish.tape, `a tape with the market ${market.id}`);
    return grid;
  };
}

/** Ascending; 0 and 10000 are no prices. */
function pricesOf(bands: readonly { readonly to: number; readonly step: number }[]): readonly PriceBps[] {
  const prices: PriceBps[] = [];
  let last = 0;
  for (const { to, step } of bands) {
    for (last += step; last <= to && last < FULL_BPS; last += step) prices.push(column.price(last));
    last = to;
  }
  return prices;
}

/** Whatever is on such a list and not on the venue's tick would be refused for ever. */
function demandTick(field: string, grid: PriceGrid, { slug, grid: told }: MarketInfo): void {
  if (told.type !== 'tick' || fitsTick(grid, told.tickBps)) return;
  throw new InputFault(field, shownGrid(grid), `prices on the tick of ${slug}, which is ${told.tickBps} bps`);
}

function shownGrid(grid: PriceGrid): string {
  return grid.type === 'tick'
    ? `a tick of ${grid.tickBps} bps`
    : `a list that begins ${grid.bids.slice(0, 3).join(', ')}`;
}
