import { approve, type ClaimIntent, type ConvertIntent, isFinal, type Refused } from '../domain/index.ts';
import type { MarketView } from '../state/index.ts';
import {
  type CheckContext,
  marketOf,
  passes,
  refusal,
  refuses,
  stoppedByMode,
  stoppedByVenue,
  unknownMarket,
} from './check-context.ts';
import { offSize } from './line-policies.ts';
import type { Verdict } from './policy.ts';
import { totalOtherOrders } from './tally.ts';

/**
 * Checks a split, merge or claim. None of them changes the net position, the equity or the worst case; what counts is
 * whether the market allows it (docs/spec/venue.md#market-states) and whether cash or pairs are there and free.
 */
export function checkConversion(intent: ConvertIntent | ClaimIntent, context: CheckContext): Verdict {
  const market = marketOf(context.view, intent.market);
  if (market === undefined) return refuses(unknownMarket(intent.market));
  const reason = stoppedByMode(intent.market, context.mode) ?? objection(intent, market, context);
  return reason === undefined ? passes(approve(intent)) : refuses(reason);
}

function objection(
  intent: ConvertIntent | ClaimIntent,
  market: MarketView,
  context: CheckContext,
): Refused | undefined {
  const { info } = market;
  switch (intent.type) {
    case 'split':
      return (
        offSize(info, intent.shares) ??
        stoppedByVenue(info.market, context.view) ??
        splitObjection(intent, market, context)
      );
    case 'merge':
      return (
        offSize(info, intent.shares) ??
        stoppedByVenue(info.market, context.view) ??
        mergeObjection(intent, market, context)
      );
    case 'claim':
      return isFinal(market.state.status) ? undefined : refusal(intent.market, 'MARKET_NOT_FINAL', 1, 0);
  }
}

/** Only while OPEN, a dollar a pair; it ties cash up, so not while REDUCING. */
function splitObjection(
  { shares }: ConvertIntent,
  market: MarketView,
  { mode, view }: CheckContext,
): Refused | undefined {
  const { info, state } = market;
  if (mode === 'REDUCING') return refusal(info.market, 'REDUCE_ONLY', 0, shares);
  if (state.status !== 'OPEN') return refusal(info.market, 'MARKET_NOT_OPEN', 1, 0);
  const cash = Math.max(0, view.available);
  return shares > cash ? refusal(info.market, 'INSUFFICIENT_BALANCE', cash, shares) : undefined;
}

/** Until the market is final, of pairs that no open order is to sell. */
function mergeObjection({ shares }: ConvertIntent, market: MarketView, context: CheckContext): Refused | undefined {
  const { info, position, state } = market;
  if (isFinal(state.status)) return refusal(info.market, 'MARKET_NOT_OPEN', 1, 0);
  const here = context.commitments.of(info.market);
  here.gather(market);
  const { sellingYes, sellingNo } = totalOtherOrders(here, undefined);
  const pairs = Math.max(0, Math.min(position.yes - sellingYes, position.no - sellingNo));
  return shares > pairs ? refusal(info.market, 'INSUFFICIENT_SHARES', pairs, shares) : undefined;
}
