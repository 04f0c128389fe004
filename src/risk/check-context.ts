import type { Approved, BotNo, Intent, MarketNo, Refused, RiskCode } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { Commitments } from './commitments.ts';
import type { RiskLimits } from './limits.ts';
import type { RiskMode, Verdict } from './policy.ts';

/** Inputs of one risk check. */
export interface CheckContext {
  readonly limits: RiskLimits;
  readonly mode: RiskMode;
  readonly commitments: Commitments;
  readonly view: AccountView;
  readonly bot: BotNo;
}

export const NOTHING_REFUSED: readonly Refused[] = [];

/** The market of this run with that number, if any. */
export function marketOf(view: AccountView, market: MarketNo): MarketView | undefined {
  return view.markets[market];
}

/** Why no order may be sent to this market now; undefined when orders may be sent. */
export function tradingStopped(market: MarketView, { limits, mode, view }: CheckContext): Refused | undefined {
  const { market: number } = market.info;
  return (
    stoppedByMode(number, mode) ??
    stoppedByVenue(number, view) ??
    marketClosed(market) ??
    feeTooHigh(market, limits) ??
    staleBook(market, view, limits)
  );
}

/** A refusal while the mode is PAUSED or KILLED. Limit 0, was 1. */
export function stoppedByMode(market: MarketNo, mode: RiskMode): Refused | undefined {
  return mode === 'KILLED' || mode === 'PAUSED' ? refusal(market, mode, 0, 1) : undefined;
}

/** A refusal while the venue accepts no orders or the connection is down. Limit 1, was 0. */
export function stoppedByVenue(market: MarketNo, { venue }: AccountView): Refused | undefined {
  if (venue.link === 'DOWN') return refusal(market, 'LINK_DOWN', 1, 0);
  return venue.mode === 'CANCEL_ONLY' || venue.mode === 'HALTED' ? refusal(market, 'VENUE_MODE', 1, 0) : undefined;
}

/** A market that this run does not have is not open. */
export function unknownMarket(market: MarketNo): Refused {
  return refusal(market, 'MARKET_NOT_OPEN', 1, 0);
}

export function passes<I extends Intent>(approved: Approved<I>): Verdict {
  return { approved, refused: NOTHING_REFUSED };
}

export function refuses(refused: Refused): Verdict {
  return { approved: undefined, refused: [refused] };
}

/** A refusal with the two numbers that were compared. */
export function refusal(market: MarketNo, code: RiskCode, limit: number, was: number): Refused {
  return { ok: false, market, code, limit, was };
}

/** Checks whether a market may be traded at all now; once for each intent. */

/** Open and not halted: limit 1, was 0. */
function marketClosed(market: MarketView): Refused | undefined {
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
function staleBook(market: MarketView, view: AccountView, limits: RiskLimits): Refused | undefined {
  const age = view.now - (market.bookTime ?? 0);
  return age > limits.maxBookAgeMs ? refusal(market.info.market, 'STALE_BOOK', limits.maxBookAgeMs, age) : undefined;
}
