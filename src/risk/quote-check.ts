import {
  approve,
  column,
  FULL_BPS,
  type MicroShares,
  type PriceBps,
  type Quote,
  type QuoteIntent,
  type Refused,
  type Sign,
} from '../domain/index.ts';
import {
  type CheckContext,
  marketOf,
  NOTHING_REFUSED,
  passes,
  refusal,
  tradingStopped,
  unknownMarket,
} from './check-context.ts';
import type { Commitment } from './commitments.ts';
import { offGrid, offSize, refusalOf } from './line-policies.ts';
import type { Verdict } from './policy.ts';
import { Tally, totalOtherOrders } from './tally.ts';

/**
 * Checks a quote set line by line in its order. Each line counts together with those granted before it, so a strategy
 * lists its most important levels first. In a market that may not be traded all quotes are cancelled.
 */
export function checkQuotes(intent: QuoteIntent, context: CheckContext): Verdict {
  const market = marketOf(context.view, intent.market);
  if (market === undefined) return { approved: undefined, refused: [unknownMarket(intent.market)] };
  if (intent.quotes.length === 0) return passes(approve(intent));
  const stop = tradingStopped(market, context);
  if (stop !== undefined) return withdraw(intent, stop);
  const here = context.commitments.of(intent.market);
  here.gather(market);
  const own = here.of(context.bot);
  const others = totalOtherOrders(here, own);
  const tally = new Tally({ context, market, others, funds: fundsFor(own, context), taking: false });
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

/** The granted part of the line; the rest is added to `refused`. */
function grantLine(quote: Quote, intent: QuoteIntent, tally: Tally, refused: Refused[]): Quote | undefined {
  const { context, market } = tally.inputs;
  const sign = quote.side === 'bid' ? 1 : -1;
  const malformed = offGrid(market.info, quote.price, sign) ?? offSize(market.info, quote.shares);
  if (malformed !== undefined) {
    refused.push(malformed);
    return undefined;
  }
  const shares = context.mode === 'REDUCING' ? cutToPosition(quote.shares, sign, tally, refused) : quote.shares;
  if (shares === 0) return undefined;
  const candidate = tally.candidate(sign, quote.price, shares, dearest(quote.price, sign, intent.tolerance?.pricePct));
  const refusal = refusalOf(candidate, tally);
  if (refusal !== undefined) {
    refused.push(refusal);
    return undefined;
  }
  tally.grant(candidate);
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
function fundsFor(own: Commitment, { view }: CheckContext): number {
  return Math.max(view.available + own.reserve + own.leavingReserve, own.reserve);
}

/** Records what was approved, for later checks. */
function commit(own: Commitment, tally: Tally): void {
  const { context, market, others } = tally.inputs;
  const worst = tally.worstWith(
    others.bidCost + Math.max(own.bidCost, tally.bidCost),
    others.askCost + Math.max(own.askCost, tally.askCost),
  );
  context.commitments.note(market.info.market, worst, others.orders + Math.max(own.orders, tally.orders));
  own.approve(tally);
  context.commitments.retained.last = tally;
}

/** How much of `shares` may go without turning the position round; the rest is refused. */
export function cutToPosition(shares: MicroShares, sign: Sign, tally: Tally, refused: Refused[]): MicroShares {
  const { market } = tally.inputs;
  const room = Math.max(0, -sign * market.position.net - tally.open(sign));
  if (shares <= room) return shares;
  refused.push(refusal(market.info.market, 'REDUCE_ONLY', room, shares));
  return column.shares(room);
}
