/** Is it an order at all? Asked of raw numbers, before anything is reckoned with them. */
import {
  FULL_BPS,
  gridDown,
  gridUp,
  LOT,
  MAX_ORDER_SHARES,
  type MarketInfo,
  onGrid,
  type Refused,
  type Sign,
} from '../domain/index.ts';
import { refusal } from './refusal.ts';

/**
 * A price at which such an order may stand, YES terms; a taker (no sign) may name a price of either side. The limit told
 * is the nearest price on the passive side, 0 where there is none.
 */
export function offGrid(info: MarketInfo, price: number, sign?: Sign): Refused | undefined {
  if (Number.isInteger(price) && price > 0 && price < FULL_BPS && onGrid(info.grid, price, sign)) return undefined;
  const nearest = sign === -1 ? gridUp(info.grid, price) : gridDown(info.grid, price);
  return refusal(info.market, 'OFF_GRID', nearest ?? 0, price);
}

/** A whole number of lots, at least one, at most what the venue takes in one order; micro-shares. */
export function offSize(info: MarketInfo, shares: number): Refused | undefined {
  if (shares > MAX_ORDER_SHARES) return refusal(info.market, 'MAX_ORDER', MAX_ORDER_SHARES, shares);
  if (!Number.isSafeInteger(shares) || shares % LOT !== 0) return refusal(info.market, 'OFF_LOT', LOT, shares);
  return shares < LOT ? refusal(info.market, 'BELOW_MIN', LOT, shares) : undefined;
}
