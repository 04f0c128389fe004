import { approve, type Refused, type TakeIntent, yesPrice, yesSign } from '../domain/index.ts';
import type { MarketView } from '../state/index.ts';
import { type CheckContext, marketOf, refusal, refuses, tradingStopped, unknownMarket } from './check-context.ts';
import { offGrid, offSize, refusalOf } from './line-policies.ts';
import type { Verdict } from './policy.ts';
import { cutToPosition } from './quote-check.ts';
import { Tally, totalOtherOrders } from './tally.ts';

/** Checks a take together with all open orders, also the bot's own quotes, as it replaces none of them. */
export function checkTake(intent: TakeIntent, context: CheckContext): Verdict {
  const market = marketOf(context.view, intent.market);
  if (market === undefined) return refuses(unknownMarket(intent.market));
  const sign = yesSign(intent.outcome, intent.side);
  const price = yesPrice(intent.outcome, intent.limit);
  const stop =
    tradingStopped(market, context) ??
    postOnlyVenue(market, context) ??
    offGrid(market.info, price) ??
    offSize(market.info, intent.shares);
  if (stop !== undefined) return refuses(stop);
  const here = context.commitments.of(intent.market);
  here.gather(market);
  const others = totalOtherOrders(here, undefined);
  const tally = new Tally({ context, market, others, funds: Math.max(0, context.view.available), taking: true });
  const refused: Refused[] = [];
  const shares = context.mode === 'REDUCING' ? cutToPosition(intent.shares, sign, tally, refused) : intent.shares;
  if (shares === 0) return { approved: undefined, refused };
  const candidate = tally.candidate(sign, price, shares, price);
  const reason = refusalOf(candidate, tally);
  if (reason !== undefined) return refuses(reason);
  tally.grant(candidate);
  context.commitments.note(intent.market, tally.worst, others.orders);
  return { approved: approve(shares === intent.shares ? intent : { ...intent, shares }), refused };
}

/** A refusal while the venue accepts post-only orders only. Limit 1, was 0. */
function postOnlyVenue({ info }: MarketView, { view }: CheckContext): Refused | undefined {
  return view.venue.mode === 'POST_ONLY' ? refusal(info.market, 'VENUE_MODE', 1, 0) : undefined;
}
