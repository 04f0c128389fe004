/** May this market be traded at all now? Asked once an intent; a quote set that may not is withdrawn. */
import type { Refused } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { RiskLimits } from './limits.ts';
import { refusal } from './refusal.ts';

/** Open and not halted: limit 1, was 0. */
export function marketClosed(market: MarketView): Refused | undefined {
  if (market.state.status === 'OPEN' && market.state.acceptingOrders) return undefined;
  return refusal(market.info.market, 'MARKET_NOT_OPEN', 1, 0);
}

/**
 * The market's taker fee rate within `max_fee_bps`, and not above what it was at the start of the run or what an operator
 * confirmed since; bps. Total: also for what is no fee.
 */
export function feeTooHigh(
  { info, limits, acceptedFeeBps }: MarketView,
  { maxFeeBps }: RiskLimits,
): Refused | undefined {
  const { feeRateBps } = limits;
  if (feeRateBps <= maxFeeBps && feeRateBps <= acceptedFeeBps) return undefined;
  if (feeRateBps <= maxFeeBps) return refusal(info.market, 'FEE_ROSE', acceptedFeeBps, feeRateBps);
  return refusal(info.market, 'FEE_ABOVE_MAX', maxFeeBps, feeRateBps);
}

/** A book heard of within `max_book_age_ms`; ms, reckoned from 1970 where there was none yet. */
export function staleBook(market: MarketView, view: AccountView, limits: RiskLimits): Refused | undefined {
  const age = view.now - (market.bookTime ?? 0);
  return age > limits.maxBookAgeMs ? refusal(market.info.market, 'STALE_BOOK', limits.maxBookAgeMs, age) : undefined;
}
