/** The price grids of the configuration, for markets with fewer valid prices than the venue's tick allows. */
import { dirname, resolve } from 'node:path';
import type { LiveConfiguration } from '../../config/live-file.ts';
import type { GridConfig } from '../../config/markets-schema.ts';
import { FULL_BPS, fitsTick, InputFault, type PriceBps, type PriceGrid, unchecked } from '../../domain/index.ts';
import { classicOdds, oddsGrid, TapeFile } from '../../history/index.ts';
import { type NamedMarket, toIdOrSlug } from '../../runtime/index.ts';
import type { MarketSetup } from '../../state/index.ts';

export type Grids = Readonly<ReturnType<typeof openGrids>>;

type FindGrid = (market: NamedMarket) => PriceGrid | undefined;

/** Reads the tapes from which the configuration takes grids. @throws FileFault for a file that is not a tape */
export function openGrids({ file, configuration }: LiveConfiguration) {
  const folder = dirname(configuration.path);
  const { grid, overrides } = file.markets;
  const findDefault = toGridFinder(grid, folder);
  const byMarket = new Map<string, { readonly field: string; readonly findGrid: FindGrid }>();
  for (const [market, { grid: config }] of Object.entries(overrides)) {
    if (config === undefined) continue;
    const field = `markets.overrides.${market}.grid`;
    byMarket.set(toIdOrSlug(market), {
      field,
      findGrid: toThrowingFinder(toGridFinder(config, folder), config, field),
    });
  }
  const findOverride = ({ slug, id }: NamedMarket) => byMarket.get(slug) ?? byMarket.get(id);
  const findGrid: FindGrid = (market) => (findOverride(market)?.findGrid ?? findDefault)(market);
  return {
    /** The configured grid; undefined for the venue's tick. @throws InputFault for a tape without this market */
    findGrid,
    /** Applies the configured grid. @throws InputFault for prices off the tick, or a tape without this market */
    apply(selected: MarketSetup): MarketSetup {
      const { info } = selected;
      const found = findGrid(info);
      if (found === undefined) return selected;
      if (info.grid.type === 'list' || fitsTick(found, info.grid.tickBps))
        return { ...selected, info: { ...info, grid: found } };
      // The venue accepts no orders at prices off its tick.
      const field = findOverride(info)?.field ?? 'markets.grid';
      const expected = `prices on the tick of ${info.slug}, which is ${info.grid.tickBps} bps`;
      throw new InputFault(field, describeGrid(found), expected);
    },
  };
}

function toGridFinder(config: GridConfig, folder: string): FindGrid {
  if (config === 'tick') return () => undefined;
  if (typeof config === 'string') {
    const grid = oddsGrid(classicOdds(), config === 'betfair-two-runners' ? 'merged' : 'separate');
    return () => grid;
  }
  if ('steps' in config) {
    const prices = toPrices(config.steps);
    return () => ({ type: 'list', bids: prices, asks: prices });
  }
  const { markets } = TapeFile.open(resolve(folder, config.tape)).manifest;
  // A venue that replays the tape shows a market with the same slug in all its APIs, but with another id in each.
  const known = new Map(markets.flatMap(({ id, slug, grid }) => [[String(id), grid] as const, [slug, grid] as const]));
  return ({ id, slug }) => known.get(id) ?? known.get(slug);
}

function toThrowingFinder(findGrid: FindGrid, config: GridConfig, field: string): FindGrid {
  if (typeof config === 'string' || !('tape' in config)) return findGrid;
  return (market) => {
    const grid = findGrid(market);
    if (grid === undefined) throw new InputFault(`${field}.tape`, config.tape, `a tape with the market ${market.id}`);
    return grid;
  };
}

/** Returns the prices of the bands, ascending, without 0 and 10000. */
function toPrices(bands: readonly { readonly to: number; readonly step: number }[]): readonly PriceBps[] {
  const prices: PriceBps[] = [];
  let from = 0;
  for (const { to, step } of bands) {
    for (let price = from + step; price <= to && price < FULL_BPS; price += step) prices.push(unchecked.price(price));
    from = to;
  }
  return prices;
}

function describeGrid(grid: PriceGrid): string {
  return grid.type === 'tick'
    ? `a tick of ${grid.tickBps} bps`
    : `a list that begins ${grid.bids.slice(0, 3).join(', ')}`;
}
