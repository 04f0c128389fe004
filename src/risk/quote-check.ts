import {
  approve,
  column,
  FULL_BPS,
  type PriceBps,
  type Quote,
  type QuoteIntent,
  type Refused,
  type Sign,
} from '../domain/index.ts';
import type { Commitment } from './commitment.ts';
import { type Desk, marketOf, NOTHING_REFUSED, passes, tradingStopped, unknownMarket } from './desk.ts';
import { offGrid, offSize } from './form.ts';
import { refusalOf } from './line-policies.ts';
import type { Verdict } from './policy.ts';
import { cutToPosition } from './reduce-only.ts';
import { standingBeside } from './standing.ts';
import { Tally } from './tally.ts';

/**
 * Checks a quote set line by line in its order: each line is granted or refused beside what was granted before it, so a
 * strategy lists the levels it wants most first. A market that may not be traded is withdrawn from.
 */
export function checkQuotes(intent: QuoteIntent, desk: Desk): Verdict {
  const market = marketOf(desk.view, intent.market);
  if (market === undefined) return { approved: undefined, refused: [unknownMarket(intent.market)] };
  if (intent.quotes.length === 0) return passes(approve(intent));
  const stop = tradingStopped(market, desk);
  if (stop !== undefined) return withdraw(intent, stop);
  const here = desk.commitments.of(intent.market);
  here.gather(market);
  const own = here.of(desk.bot);
  const standing = standingBeside(here, own);
  const tally = new Tally({ desk, market, standing, funds: fundsFor(own, desk), taking: false });
  const refused: Refused[] = [];
  /** Undefined while all lines are granted as they are. */
  let granted: Quote[] | undefined;
  let at = 0;
  for (const quote of intent.quotes) {
    const line = grantLine(quote, intent, tally, refused);
    if (line !== quote) granted ??= intent.quotes.slice(0, at);
    if (line !== undefined) granted?.push(line);
    at += 1;
  }
  commit(own, tally);
  if (granted === undefined) return { approved: approve(intent), refused: NOTHING_REFUSED };
  return { approved: approve({ ...intent, quotes: granted }), refused };
}

/** Approves the empty set and refuses each line for the same reason. */
function withdraw(intent: QuoteIntent, reason: Refused): Verdict {
  return { approved: approve({ ...intent, quotes: [] }), refused: intent.quotes.map(() => reason) };
}

/** The line as far as it is granted; what is not goes to `refused`. */
function grantLine(quote: Quote, intent: QuoteIntent, tally: Tally, refused: Refused[]): Quote | undefined {
  const { desk, market } = tally.ground;
  const sign = quote.side === 'bid' ? 1 : -1;
  const malformed = offGrid(market.info, quote.price, sign) ?? offSize(market.info, quote.shares);
  if (malformed !== undefined) {
    refused.push(malformed);
    return undefined;
  }
  const shares = desk.mode === 'REDUCING' ? cutToPosition(quote.shares, sign, tally, refused) : quote.shares;
  if (shares === 0) return undefined;
  const wish = tally.wish(sign, quote.price, shares, dearest(quote.price, sign, intent.tolerance?.pricePct));
  const refusal = refusalOf(wish, tally);
  if (refusal !== undefined) {
    refused.push(refusal);
    return undefined;
  }
  tally.grant(wish);
  return shares === quote.shares ? quote : { side: quote.side, price: quote.price, shares };
}

/** The dearest price at which execution may leave an order standing for this line: a bid above, an ask below it. */
function dearest(price: PriceBps, sign: Sign, tolerancePct: number | undefined): PriceBps {
  if (tolerancePct === undefined || !(tolerancePct > 0)) return price;
  const reach = (price * tolerancePct) / 100;
  return column.price(
    sign === 1 ? Math.min(FULL_BPS - 1, Math.floor(price + reach)) : Math.max(1, Math.ceil(price - reach)),
  );
}

/**
 * Cash for the whole set: what is free and what the replaced orders hold. Replaces of others in flight hold twice for a
 * moment; what the own orders that stay hold is the bot's in any case.
 */
function fundsFor(own: Commitment, { view }: Desk): number {
  return Math.max(view.available + own.reserve + own.leavingReserve, own.reserve);
}

/** Notes what was approved, for the checks of others. */
function commit(own: Commitment, tally: Tally): void {
  const { desk, market, standing } = tally.ground;
  const worst = tally.worstWith(
    standing.bidCost + Math.max(own.bidCost, tally.bidCost),
    standing.askCost + Math.max(own.askCost, tally.askCost),
  );
  desk.commitments.note(market.info.market, worst, standing.orders + Math.max(own.orders, tally.orders));
  own.approve(tally);
  desk.commitments.kept.last = tally;
}
