import type { Approved, BotNo, Intent, MarketNo, Refused } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { Commitments } from './commitments.ts';
import type { RiskLimits } from './limits.ts';
import { marketClosed, staleBook } from './market-policies.ts';
import type { RiskMode, Verdict } from './policy.ts';
import { refusal } from './refusal.ts';

/** What one check is made with. */
export interface Desk {
  readonly limits: RiskLimits;
  readonly mode: RiskMode;
  readonly commitments: Commitments;
  readonly view: AccountView;
  readonly bot: BotNo;
}

export const NOTHING_REFUSED: readonly Refused[] = [];

/** A market of this run; undefined for any other number. */
export function marketOf(view: AccountView, market: MarketNo): MarketView | undefined {
  return view.markets[market];
}

/** Whether orders may go to this market at all now. */
export function tradingStopped(market: MarketView, { limits, mode, view }: Desk): Refused | undefined {
  if (mode === 'KILLED') return killed(market.info.market);
  return marketClosed(market) ?? staleBook(market, view, limits);
}

/** Limit 0, was 1. */
export function killed(market: MarketNo): Refused {
  return refusal(market, 'KILLED', 0, 1);
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
