/** How much of each risk limit is in use. */
import { DOLLAR, SHARE } from '../../domain/index.ts';
import type { Exposure, RiskLimits, RiskSnapshot } from '../../risk/index.ts';
import type { AccountState } from '../../state/index.ts';
import type { LimitUse } from './report-types.ts';

export interface LimitInput {
  readonly limits: RiskLimits;
  readonly state: AccountState;
  readonly risk: RiskSnapshot;
  readonly exposure: Exposure;
  /** Age of a market's book, ms. */
  readonly ageOf: (market: number) => number;
}

/** All limits, the closest to its bound first. Limits of a market are those in which the account has something. */
export function limitUses(input: LimitInput): readonly LimitUse[] {
  const { limits, state, exposure } = input;
  const events = exposure.events.map(({ eventId, worst }) =>
    dollars('max_event_notional_usd', eventId, worst, limits.maxEventNotional),
  );
  const markets = exposure.markets.flatMap((each) => limitsIn(input, each));
  return [...accountLimits(input), ...events, ...markets].toSorted((a, b) => part(b) - part(a));

  function accountLimits({ risk: { losses } }: LimitInput): readonly LimitUse[] {
    const equity = state.exitEquity - state.contributed;
    const loss = losses.day === null ? 0 : losses.dayStart - equity;
    const fall = losses.peak === null ? 0 : losses.peak - equity;
    return [
      {
        ...use('max_open_orders', 'account', state.openOrders, limits.maxOpenOrders),
        unit: 'COUNT',
        atBreach: 'refuse',
      },
      dollars('max_total_notional_usd', 'account', exposure.worst, limits.maxTotalNotional),
      { ...dollars('daily_loss_usd', 'account', Math.max(0, loss), limits.dailyLoss), atBreach: 'kill' },
      { ...dollars('max_drawdown_usd', 'account', Math.max(0, fall), limits.maxDrawdown), atBreach: 'kill' },
    ];
  }
}

/** Those of one market. */
export function limitsIn(
  { limits, state, ageOf }: LimitInput,
  { market, worst, mostShares }: Exposure['markets'][number],
): readonly LimitUse[] {
  const { slug } = state.market(market).info;
  const position = use('max_position', slug, mostShares, limits.maxPosition, SHARE);
  return [
    { ...position, unit: 'SHARES', atBreach: 'refuse' },
    dollars('max_notional_usd', slug, worst, limits.maxNotional),
    { ...use('max_book_age_ms', slug, ageOf(market), limits.maxBookAgeMs), unit: 'MS', atBreach: 'refuse' },
  ];
}

function dollars(name: string, scope: string, used: number, limit: number): LimitUse {
  return { ...use(name, scope, used, limit, DOLLAR), unit: 'USD', atBreach: 'refuse' };
}

function use(name: string, scope: string, used: number, limit: number, unit = 1) {
  const bound = Number.isFinite(limit) ? limit / unit : null;
  return { name, scope, used: Number.isFinite(used) ? used / unit : 0, limit: bound };
}

/** 0 without a limit; a limit of 0 is full. */
function part({ used, limit }: LimitUse): number {
  if (limit === null) return 0;
  return limit === 0 ? 1 : used / limit;
}
