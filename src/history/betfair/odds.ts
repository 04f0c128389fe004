/**
 * Converts Betfair's decimal odds to prices. Odds are integer hundredths `b` (1.26 is 126), stakes integer pence `a`. A
 * bet has the price 10^6/b bps and the size a*b/10^4 shares (docs/spec/models.md#betfair-in-yes-terms).
 */
import { ascending, FULL_BPS, type PriceBps, type PriceGrid, priceBps } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';

/** Side of a runner's book: available to back (`atb`) or to lay (`atl`). */
export type OddsSide = 'atb' | 'atl';

export interface YesPrice {
  readonly side: typeof SIDE.bid | typeof SIDE.ask;
  readonly price: number;
}

/** Upper end and step of each band of the CLASSIC ladder, in hundredths. */
const BANDS = [
  [200, 1],
  [300, 2],
  [400, 5],
  [600, 10],
  [1_000, 20],
  [2_000, 50],
  [3_000, 100],
  [5_000, 200],
  [10_000, 500],
  [100_000, 1_000],
] as const;

/** Returns the 350 odds of the CLASSIC ladder, 1.01 to 1000, in hundredths. */
export function classicOdds(): number[] {
  const odds = [101];
  for (const [end, step] of BANDS)
    for (let next = (odds.at(-1) ?? 0) + step; next <= end; next += step) odds.push(next);
  return odds;
}

/** Converts odds. Rounds the runner's price `atb` **up**, `atl` **down**. @param isMirrored whether the runner is NO */
export function toYesPrice(side: OddsSide, odds: number, isMirrored: boolean): YesPrice {
  const price = side === 'atb' ? Math.ceil(1_000_000 / odds) : Math.floor(1_000_000 / odds);
  return { side: (side === 'atb') === isMirrored ? SIDE.bid : SIDE.ask, price: isMirrored ? FULL_BPS - price : price };
}

/**
 * Returns a market's price grid (docs/spec/models.md#market-facts).
 * @param books whether each runner has its own book, or one runner is NO of a merged book
 */
export function oddsGrid(odds: readonly number[], books: 'separate' | 'merged'): PriceGrid {
  const outcomes = books === 'merged' ? ['YES', 'NO'] : ['YES'];
  const prices = odds.flatMap((each) =>
    outcomes.flatMap((outcome) => (['atb', 'atl'] as const).map((side) => toYesPrice(side, each, outcome === 'NO'))),
  );
  return { type: 'list', bids: selectPrices(SIDE.bid, prices), asks: selectPrices(SIDE.ask, prices) };
}

function selectPrices(side: number, all: readonly YesPrice[]): PriceBps[] {
  const prices = new Set(all.filter((price) => price.side === side).map(({ price }) => price));
  return [...prices].sort(ascending).map(priceBps);
}
