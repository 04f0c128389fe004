/** Checks whether a market may be traded now: mode, venue, market, fee and age of the book. */
import type { Refused } from '../domain/index.ts';
import type { MarketView } from '../state/index.ts';
import type { CheckContext } from './limit-check.ts';
import type { RiskLimits } from './limits.ts';
import { conditionRefusal, refusal } from './policy.ts';

/** Returns why no order can be sent to this market now; undefined if orders can be sent. */
export function tradingRefusal(context: CheckContext): Refused | undefined {
  return (
    modeRefusal(context) ??
    venueRefusal(context) ??
    closedMarketRefusal(context.market) ??
    feeRefusal(context.market, context.limits) ??
    staleBookRefusal(context)
  );
}

/** Refuses while the mode is PAUSED or KILLED. The refusal has limit 0 and actual 1. */
export function modeRefusal({ market, mode }: CheckContext): Refused | undefined {
  return mode === 'KILLED' || mode === 'PAUSED' ? refusal(market.info.market, mode, 0, 1) : undefined;
}

/** Refuses while the venue accepts no orders or the connection is down. The refusal has limit 1 and actual 0. */
export function venueRefusal({ market, view: { venue } }: CheckContext): Refused | undefined {
  if (venue.link === 'DOWN') return conditionRefusal(market.info.market, 'LINK_DOWN');
  const isOpen = venue.mode === 'NORMAL' || venue.mode === 'POST_ONLY';
  return isOpen ? undefined : conditionRefusal(market.info.market, 'VENUE_MODE');
}

/** Refuses a market that is not open or is halted. The refusal has limit 1 and actual 0. */
function closedMarketRefusal({ info, state }: MarketView): Refused | undefined {
  if (state.status === 'OPEN' && state.acceptingOrders) return undefined;
  return conditionRefusal(info.market, 'MARKET_NOT_OPEN');
}

/**
 * Refuses a taker fee rate above `max_fee_bps` or above the accepted rate; bps. The accepted rate is the rate at the
 * start of the run, or at an operator's later confirmation.
 */
export function feeRefusal(
  { info, limits, acceptedFeeBps }: MarketView,
  { maxFeeBps }: RiskLimits,
): Refused | undefined {
  const { feeRateBps } = limits;
  if (feeRateBps <= maxFeeBps && feeRateBps <= acceptedFeeBps) return undefined;
  if (feeRateBps <= maxFeeBps) return refusal(info.market, 'FEE_ROSE', acceptedFeeBps, feeRateBps);
  return refusal(info.market, 'FEE_ABOVE_MAX', maxFeeBps, feeRateBps);
}

/** Refuses a book older than `max_book_age_ms`; ms. Before the first update, the age is the time since 1970. */
function staleBookRefusal({ market, view, limits }: CheckContext): Refused | undefined {
  const age = view.now - (market.bookTime ?? 0);
  return age > limits.maxBookAgeMs ? refusal(market.info.market, 'STALE_BOOK', limits.maxBookAgeMs, age) : undefined;
}
