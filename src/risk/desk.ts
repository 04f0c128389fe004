import type { Approved, BotNo, Intent, MarketNo, Refused } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { Commitments } from './commitments.ts';
import type { RiskLimits } from './limits.ts';
import { feeTooHigh, marketClosed, staleBook } from './market-policies.ts';
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
  const { market: number } = market.info;
  return (
    stoppedByMode(number, mode) ??
    stoppedByVenue(number, view) ??
    marketClosed(market) ??
    feeTooHigh(market, limits) ??
    staleBook(market, view, limits)
  );
}

/** Whether the mode lets nothing pass at all. Limit 0, was 1. */
export function stoppedByMode(market: MarketNo, mode: RiskMode): Refused | undefined {
  return mode === 'KILLED' || mode === 'PAUSED' ? refusal(market, mode, 0, 1) : undefined;
}

/** Whether the venue takes nothing that adds, or is not heard. Limit 1, was 0. */
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
