/** Checks one quote or take without other orders: limits on a single order, the venue's BUY sizes, the price collar. */
import {
  FULL_BPS,
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
import type { MarketView } from '../state/index.ts';
import { exceededOrderLimit, LIMITS, type OrderSize, type RiskLimits } from './limits.ts';
import { refusal } from './policy.ts';

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

/** Returns the first refusal. `LimitChecker` compares the limits that count other orders afterwards. */
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
