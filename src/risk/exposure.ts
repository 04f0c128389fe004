/** Possible losses of an account for display, with the sums that the limits compare. */
import { isFinal, type MarketNo, type MicroUsd } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import { Commitments, type OutcomeLosses } from './commitments.ts';

export interface MarketExposure extends OutcomeLosses {
  readonly market: MarketNo;
  /** Largest |YES - NO| when all bids, or all asks, fill; micro-shares. */
  readonly maxShares: number;
  /** The larger loss, at least 0. */
  readonly worstLoss: MicroUsd;
}

export interface Exposure {
  /** Markets that are not final and have orders, shares, past cash flows or fees. */
  readonly markets: readonly MarketExposure[];
  readonly events: readonly { readonly eventId: string; readonly worstLoss: number }[];
  /** Sum of the markets' worst cases, micro-USD. */
  readonly worstLoss: number;
}

export function computeExposure(view: AccountView): Exposure {
  const commitments = new Commitments();
  const markets: MarketExposure[] = [];
  const events = new Map<string, number>();
  for (const { info } of view.markets) {
    const exposure = computeMarketExposure(info.market, view, commitments);
    if (exposure === undefined) continue;
    markets.push(exposure);
    if (info.eventId !== undefined && !events.has(info.eventId)) {
      events.set(info.eventId, commitments.eventWorstLoss(info, exposure, view));
    }
  }
  return {
    markets,
    events: [...events].map(([eventId, worstLoss]) => ({ eventId, worstLoss })),
    worstLoss: markets.reduce((sum, { worstLoss }) => sum + worstLoss, 0),
  };
}

/** Returns undefined for a market that is final, or has no orders, shares, past cash flows or fees. */
export function computeMarketExposure(
  market: MarketNo,
  view: AccountView,
  commitments = new Commitments(),
): MarketExposure | undefined {
  const { orders, position, state } = view.market(market);
  const { yes, no, netCash, fees, net } = position;
  if (isFinal(state.status) || (orders.length === 0 && yes === 0 && no === 0 && netCash === 0 && fees === 0))
    return undefined;
  const { losses, bids, asks } = commitments.recalculateExposure(market, view);
  const maxShares = Math.max(Math.abs(net + bids), Math.abs(net - asks));
  return { market, ifNo: losses.ifNo, ifYes: losses.ifYes, worstLoss: losses.worstLoss, maxShares };
}
