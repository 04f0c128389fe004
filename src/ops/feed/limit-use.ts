/** The used part of each risk limit. */
import {
  type Exposure,
  LIMIT_UNITS,
  LIMITS,
  type LimitKey,
  type MarketExposure,
  type RiskLimits,
  type RiskSnapshot,
} from '../../risk/index.ts';
import type { AccountState } from '../../state/index.ts';
import type { LimitUse } from './report-types.ts';

export interface LimitInput {
  readonly limits: RiskLimits;
  readonly state: AccountState;
  readonly risk: RiskSnapshot;
  readonly exposure: Exposure;
  readonly bookAgeMs: (market: number) => number;
}

/** Returns the use of all limits, the closest to its bound first. Includes only markets with holdings or orders. */
export function limitUses(input: LimitInput): readonly LimitUse[] {
  const { limits, state, exposure, risk } = input;
  const { losses } = risk;
  const equity = state.exitEquity - state.contributed;
  const loss = losses.day === null ? 0 : losses.dayStart - equity;
  const drawdown = losses.peak === null ? 0 : losses.peak - equity;
  const account = [
    limitUse(limits, 'max_open_orders', 'account', countOrders(state)),
    limitUse(limits, 'max_total_notional_usd', 'account', exposure.worstLoss),
    limitUse(limits, 'daily_loss_usd', 'account', Math.max(0, loss)),
    limitUse(limits, 'max_drawdown_usd', 'account', Math.max(0, drawdown)),
  ];
  const events = exposure.events.map(({ eventId, worstLoss }) =>
    limitUse(limits, 'max_event_notional_usd', eventId, worstLoss),
  );
  const markets = exposure.markets.flatMap((each) => marketLimitUses(input, each));
  return [...account, ...events, ...markets].toSorted((a, b) => usedPart(b) - usedPart(a));
}

export function marketLimitUses(
  { limits, state, bookAgeMs }: Pick<LimitInput, 'limits' | 'state' | 'bookAgeMs'>,
  { market, worstLoss, maxShares }: MarketExposure,
): readonly LimitUse[] {
  const { slug } = state.market(market).info;
  return [
    limitUse(limits, 'max_position', slug, maxShares),
    limitUse(limits, 'max_notional_usd', slug, worstLoss),
    limitUse(limits, 'max_book_age_ms', slug, bookAgeMs(market)),
  ];
}

/** Counts resting orders, as the risk gate does. Omits orders that are being cancelled or replaced. */
function countOrders({ markets }: AccountState): number {
  const orders = markets.flatMap((market) => market.orders);
  return orders.filter(({ rests, phase }) => rests && phase !== 'cancelling').length;
}

/** @param used in the unit of `limits` */
function limitUse(limits: RiskLimits, name: LimitKey, scope: string, used: number): LimitUse {
  const { field, unit } = LIMITS[name];
  const { scale } = LIMIT_UNITS[unit];
  const limit = Number.isFinite(limits[field]) ? limits[field] / scale : null;
  const atBreach = 'kills' in LIMITS[name] ? 'kill' : 'refuse';
  return { name, scope, used: Number.isFinite(used) ? used / scale : 0, limit, unit, atBreach };
}

/** Returns the used part of a limit: 0 without a limit, 1 for a limit of 0. */
export function usedPart({ used, limit }: LimitUse): number {
  if (limit === null) return 0;
  return limit === 0 ? 1 : used / limit;
}
