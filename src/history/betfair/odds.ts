/**
 * Betfair's decimal odds as prices. Odds are integer hundredths `b` (1.26 is 126), stakes integer pence `a`; the price of
 * a bet is 10^6/b bps of its payout, its size a*b/10^4 shares (docs/spec/models.md#betfair-in-yes-terms).
 */
import { ascending, FULL_BPS, type PriceBps, type PriceGrid, priceBps } from '../../domain/index.ts';
import { SIDE } from '../../tape/index.ts';

/** What others offer to a backer (`atb`) and to a layer (`atl`). */
export type OddsSide = 'atb' | 'atl';

export interface YesPrice {
  readonly side: typeof SIDE.bid | typeof SIDE.ask;
  readonly price: number;
}

/** Upper end of each band of the CLASSIC ladder, and the step in it, in hundredths. */
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

/** The 350 odds of the CLASSIC ladder, 1.01 to 1000, in hundredths. */
export function classicOdds(): number[] {
  const odds = [101];
  let last = 101;
  for (const [end, step] of BANDS) {
    while (last < end) {
      last += step;
      odds.push(last);
    }
  }
  return odds;
}

/** Odds in the YES book: asks round **up**, bids **down**. `mirrored`: the runner is the NO outcome. */
export function yesPrice(side: OddsSide, odds: number, mirrored: boolean): YesPrice {
  const price = side === 'atb' ? Math.ceil(1_000_000 / odds) : Math.floor(1_000_000 / odds);
  return {
    side: (side === 'atb') === mirrored ? SIDE.bid : SIDE.ask,
    price: mirrored ? FULL_BPS - price : price,
  };
}

/** Prices of a market on these odds; `merged`: through both of two runners (docs/spec/models.md#market-facts). */
export function oddsGrid(odds: readonly number[], merged: boolean): PriceGrid {
  const runners = merged ? [false, true] : [false];
  const all = odds.flatMap((b) =>
    runners.flatMap((mirrored) => [yesPrice('atb', b, mirrored), yesPrice('atl', b, mirrored)]),
  );
  return { type: 'list', bids: pricesOf(SIDE.bid, all), asks: pricesOf(SIDE.ask, all) };
}

function pricesOf(side: number, all: readonly YesPrice[]): PriceBps[] {
  const prices = new Set(all.filter((at) => at.side === side).map(({ price }) => price));
  return [...prices].sort(ascending).map(priceBps);
}
