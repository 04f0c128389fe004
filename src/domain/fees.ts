/** Fees: taker fee of the venue, commission on net winnings. Both in exact integers. */
import { column, lotsOf, type MicroShares, type MicroUsd, mulDivCeil, type PriceBps, ZERO_USD } from './units.ts';

/** The contract's highest taker fee rate (docs/spec/venue.md#reserves), bps. */
export const MOST_FEE_BPS = 1_000;

/** Stands for a fee rate that is none, such as null, -1 or 65535: above every limit, so that nothing is signed for it. */
export const INVALID_FEE_BPS = 10_001;

/** A fee rate as a venue names it: whole bps of 0..10000, else `INVALID_FEE_BPS`. */
export function feeRateBps(value: unknown): number {
  const isRate = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 10_000;
  return isRate ? value : INVALID_FEE_BPS;
}

/**
 * Taker fee of one fill: `floor(rateBps * lots * p * (10000 - p) / 10^8)` micro-USD, rounded **down**
 * (docs/spec/venue.md#reserves).
 * @param rateBps 0..10001
 */
export function takerFee(rateBps: number, shares: MicroShares, price: PriceBps): MicroUsd {
  if (rateBps === 0) return ZERO_USD;
  const perLot = rateBps * price * (10_000 - price);
  const product = perLot * lotsOf(shares);
  if (Number.isSafeInteger(product)) return column.usd(Math.floor(product / 100_000_000));
  return column.usd(Number((BigInt(perLot) * BigInt(lotsOf(shares))) / 100_000_000n));
}

/**
 * Commission on net winnings: `ceil(rateBps * max(0, marketPnl) / 10000)`, once a market, at settlement
 * (docs/spec/models.md#fees-commission-rewards).
 * @param rateBps 500 is 5 %
 */
export function commission(rateBps: number, marketPnl: MicroUsd): MicroUsd {
  return marketPnl <= 0 ? ZERO_USD : column.usd(mulDivCeil(marketPnl, rateBps, 10_000));
}
