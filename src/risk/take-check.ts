import { approve, type Refused, type TakeIntent, yesPrice, yesSign } from '../domain/index.ts';
import type { MarketView } from '../state/index.ts';
import { type Desk, marketOf, refuses, tradingStopped, unknownMarket } from './desk.ts';
import { offGrid, offSize } from './form.ts';
import { refusalOf } from './line-policies.ts';
import type { Verdict } from './policy.ts';
import { cutToPosition } from './reduce-only.ts';
import { refusal } from './refusal.ts';
import { standingBeside } from './standing.ts';
import { Tally } from './tally.ts';

/** Checks a taking beside all that stands, the bot's own quotes included: it replaces none of them. */
export function checkTake(intent: TakeIntent, desk: Desk): Verdict {
  const market = marketOf(desk.view, intent.market);
  if (market === undefined) return refuses(unknownMarket(intent.market));
  const sign = yesSign(intent.outcome, intent.side);
  const price = yesPrice(intent.outcome, intent.limit);
  const stop =
    tradingStopped(market, desk) ??
    postOnlyVenue(market, desk) ??
    offGrid(market.info, price) ??
    offSize(market.info, intent.shares);
  if (stop !== undefined) return refuses(stop);
  const here = desk.commitments.of(intent.market);
  here.gather(market);
  const standing = standingBeside(here, undefined);
  const tally = new Tally({ desk, market, standing, funds: Math.max(0, desk.view.available), taking: true });
  const refused: Refused[] = [];
  const shares = desk.mode === 'REDUCING' ? cutToPosition(intent.shares, sign, tally, refused) : intent.shares;
  if (shares === 0) return { approved: undefined, refused };
  const wish = tally.wish(sign, price, shares, price);
  const reason = refusalOf(wish, tally);
  if (reason !== undefined) return refuses(reason);
  tally.grant(wish);
  desk.commitments.note(intent.market, tally.worst, standing.orders);
  return { approved: approve(shares === intent.shares ? intent : { ...intent, shares }), refused };
}

/** While the venue takes only orders that rest. Limit 1, was 0. */
function postOnlyVenue({ info }: MarketView, { view }: Desk): Refused | undefined {
  return view.venue.mode === 'POST_ONLY' ? refusal(info.market, 'VENUE_MODE', 1, 0) : undefined;
}
