/** Checks whether a market may be traded now: mode, venue, market, fee and age of the book. */
import type { Refused } from '../domain/index.ts';
import type { MarketView } from '../state/index.ts';
import type { RiskLimits } from './limits.ts';
import { type CheckContext, refusal } from './line-check.ts';

/** Why no order may be sent to this market now; undefined when orders may be sent. */
export function tradingStopped(context: CheckContext): Refused | undefined {
  return (
    stoppedByMode(context) ??
    stoppedByVenue(context) ??
    marketClosed(context.market) ??
    feeTooHigh(context.market, context.limits) ??
    staleBook(context)
  );
}

/** A refusal while the mode is PAUSED or KILLED. Limit 0, was 1. */
export function stoppedByMode({ market, mode }: CheckContext): Refused | undefined {
  return mode === 'KILLED' || mode === 'PAUSED' ? refusal(market.info.market, mode, 0, 1) : undefined;
}

/** A refusal while the venue accepts no orders or the connection is down. Limit 1, was 0. */
export function stoppedByVenue({ market, view: { venue } }: CheckContext): Refused | undefined {
  if (venue.link === 'DOWN') return refusal(market.info.market, 'LINK_DOWN', 1, 0);
  const isOpen = venue.mode === 'NORMAL' || venue.mode === 'POST_ONLY';
  return isOpen ? undefined : refusal(market.info.market, 'VENUE_MODE', 1, 0);
}

/** Open and not halted: limit 1, was 0. */
function marketClosed({ info, state }: MarketView): Refused | undefined {
  if (state.status === 'OPEN' && state.acceptingOrders) return undefined;
  return refusal(info.market, 'MARKET_NOT_OPEN', 1, 0);
}

/**
 * The market's taker fee rate within `max_fee_bps`, and not above what it was at the start of the run or what an
 * operator confirmed since; bps. Total: accepts any number.
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

/** Requires a book update within `max_book_age_ms`; ms, counted from 1970 before the first update. */
function staleBook({ market, view, limits }: CheckContext): Refused | undefined {
  const age = view.now - (market.bookTime ?? 0);
  return age > limits.maxBookAgeMs ? refusal(market.info.market, 'STALE_BOOK', limits.maxBookAgeMs, age) : undefined;
}
