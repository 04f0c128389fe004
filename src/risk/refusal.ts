/** Refusals, and checks of prices and sizes that no account could send. */
import {
  FULL_BPS,
  gridDown,
  gridUp,
  LOT,
  MAX_ORDER_SHARES,
  type MarketInfo,
  type MarketNo,
  onGrid,
  type Refused,
  type RiskCode,
  type Sign,
} from '../domain/index.ts';

/** A refusal with the two numbers that were compared. */
export function refusal(market: MarketNo, code: RiskCode, limit: number, was: number): Refused {
  return { ok: false, market, code, limit, was };
}

/**
 * Refuses a price off the grid, YES terms; a take (no sign) may use a price of either side's grid. The limit in the refusal
 * is the nearest price on the passive side, or 0.
 */
export function offGrid(info: MarketInfo, price: number, sign?: Sign): Refused | undefined {
  if (Number.isInteger(price) && price > 0 && price < FULL_BPS && onGrid(info.grid, price, sign)) return undefined;
  const nearest = sign === -1 ? gridUp(info.grid, price) : gridDown(info.grid, price);
  return refusal(info.market, 'OFF_GRID', nearest ?? 0, price);
}

/** Refuses a size that is not a whole number of lots from one lot to the venue's largest order; micro-shares. */
export function offSize(info: MarketInfo, shares: number): Refused | undefined {
  if (shares > MAX_ORDER_SHARES) return refusal(info.market, 'MAX_ORDER', MAX_ORDER_SHARES, shares);
  if (!Number.isSafeInteger(shares) || shares % LOT !== 0) return refusal(info.market, 'OFF_LOT', LOT, shares);
  return shares < LOT ? refusal(info.market, 'BELOW_MIN', LOT, shares) : undefined;
}
