/**
 * Checks that depend on no other orders: whether a market may be traded now (mode, venue, fee, age of the book), and
 * whether one quote or take may be sent to it.
 */
import {
  FULL_BPS,
  type InstanceNo,
  LOT,
  legPrice,
  type MicroShares,
  type MicroUsd,
  mulDivCeil,
  type PriceBps,
  type Refused,
  type Sign,
  unchecked,
} from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { Commitments } from './commitments.ts';
import { exceededOrderLimit, LIMITS, type OrderSize, type RiskLimits } from './limits.ts';
import { conditionRefusal, type RiskMode, refusal } from './policy.ts';

export interface CheckContext {
  readonly limits: RiskLimits;
  readonly mode: RiskMode;
  readonly commitments: Commitments;
  readonly view: AccountView;
  readonly bot: InstanceNo;
  readonly market: MarketView;
}

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

/** One quote of a set, or a take, with the amounts that limits compare. */
export interface Candidate extends OrderSize {
  readonly sign: Sign;
  /** Price in YES terms. A BUY pays `legPrice`. */
  readonly price: PriceBps;
  /** Worst case of the market including the candidate, micro-USD. */
  readonly worstLoss: number;
  /** Micro-shares that must be bought because holdings do not cover them. */
  readonly bought: MicroShares;
  /** Cost of `bought`. Quotes consume the holdings in their order, but execution may allocate holdings differently. */
  readonly bet: MicroUsd;
  /** Reserved cash: `bet` and the fee of a take, micro-USD. */
  readonly reserve: number;
}

/**
 * Checks one quote or take alone: its size, the venue's limits on a BUY, the price collar. Returns the first refusal.
 * `LimitChecker` then compares the limits that count other orders.
 */
export function orderRefusal(candidate: Candidate, market: MarketView, limits: RiskLimits): Refused | undefined {
  return (
    orderLimitRefusal(candidate, market, limits) ??
    minimumRefusal(candidate, market) ??
    maximumRefusal(candidate, market) ??
    priceCollarRefusal(candidate, market, limits)
  );
}

/** Returns the smallest BUY that the venue accepts at the candidate's price, by shares and by bet; micro-shares. */
export function minimumBuy({ sign, price }: Candidate, { limits }: MarketView): MicroShares {
  const byBet = mulDivCeil(limits.minBet, 1, legPrice(sign, price)) * LOT;
  return unchecked.shares(Math.max(limits.minOrderShares, byBet));
}

function orderLimitRefusal(candidate: Candidate, { info }: MarketView, limits: RiskLimits): Refused | undefined {
  const exceeded = exceededOrderLimit(limits, candidate);
  return exceeded && refusal(info.market, LIMITS[exceeded.key].code, exceeded.limit, exceeded.actual);
}

/** Refuses a BUY below the venue's minimum, micro-shares. A quote that also sells held shares has no minimum. */
function minimumRefusal(candidate: Candidate, market: MarketView): Refused | undefined {
  const { bought, shares } = candidate;
  if (bought < shares) return undefined;
  const min = minimumBuy(candidate, market);
  return shares < min ? refusal(market.info.market, 'BELOW_MIN', min, shares) : undefined;
}

/** Refuses a BUY above the venue's maximum, micro-USD. */
function maximumRefusal({ bet }: Candidate, { info, limits }: MarketView): Refused | undefined {
  return bet > limits.maxBet ? refusal(info.market, 'ABOVE_MAX', limits.maxBet, bet) : undefined;
}

/** Compares the distance from the mid in bps, rounded up. Without a mid, the distance is 10000. */
function priceCollarRefusal(
  { price }: Candidate,
  { info, mark }: MarketView,
  { priceCollarBps }: RiskLimits,
): Refused | undefined {
  const distance = mark === undefined ? FULL_BPS : Math.ceil(Math.abs(2 * price - mark) / 2);
  return distance > priceCollarBps ? refusal(info.market, 'PRICE_COLLAR', priceCollarBps, distance) : undefined;
}
