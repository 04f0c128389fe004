/** Fees: taker fee of the venue, commission on net winnings. Both in exact integers. */
import { column, lotsOf, type MicroShares, type MicroUsd, mulDivCeil, type PriceBps, ZERO_USD } from './units.ts';

/**
 * Taker fee of one fill: `floor(rateBps * lots * p * (10000 - p) / 10^8)` micro-USD, rounded **down** (venue.md 2).
 * @param rateBps 0..1000
 */
export function takerFee(rateBps: number, shares: MicroShares, price: PriceBps): MicroUsd {
  if (rateBps === 0) return ZERO_USD;
  const perLot = rateBps * price * (10_000 - price);
  const product = perLot * lotsOf(shares);
  if (Number.isSafeInteger(product)) return column.usd(Math.floor(product / 100_000_000));
  return column.usd(Number((BigInt(perLot) * BigInt(lotsOf(shares))) / 100_000_000n));
}

/**
 * Commission on net winnings: `ceil(rateBps * max(0, marketPnl) / 10000)`, once a market, at settlement (models 8).
 * @param rateBps 500 is 5 %
 */
export function commission(rateBps: number, marketPnl: MicroUsd): MicroUsd {
  return marketPnl <= 0 ? ZERO_USD : column.usd(mulDivCeil(marketPnl, rateBps, 10_000));
}
