/** The public book of a market, and its quotes. */

import { column } from '../../domain/index.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { BookView } from '../quotes/book-view.ts';
import { QUOTE_POLICIES } from '../quotes/quote-policy.ts';
import { closedQuote, type RetailQuote, retailQuote } from '../quotes/retail-quote.ts';
import type { Conditions } from './conditions.ts';

/** The public book: levels, with the number of orders at each. */
export interface VisibleBook extends BookView {
  /** Number of open orders at a price in YES bps. The recorded size on a side counts as one order. */
  orderCountAt(price: number): number;
}

function emptyBook(tickBps: number): VisibleBook {
  const none = () => 0;
  return {
    tickBps,
    bestBid: 0,
    bestAsk: 10_000,
    sharesAt: none,
    orderCountAt: none,
    priceBelow: none,
    priceAbove: () => 10_000,
  };
}

/** Returns the book of an open market, otherwise an empty book, which hides a waiting initial order. */
export function visibleBook(market: MarketRecord): VisibleBook {
  return market.status === 'OPEN' ? market.book : emptyBook(market.tickBps);
}

/** Returns quotes by the venue's policy from the present book, or from an empty one if the market never opened. */
export function quotesOf(market: MarketRecord, { config, quotePolicy }: Conditions): RetailQuote {
  const { tickBps, bestBid, bestAsk } =
    market.status === 'PENDING_BLOCKCHAIN' ? emptyBook(market.tickBps) : market.book;
  const touch = { tickBps, bestBid, bestAsk, lastTrade: market.lastTrade };
  return retailQuote(touch, QUOTE_POLICIES[quotePolicy], config.spreadBps);
}

/** Returns the public quotes: live in an open market, otherwise the last ones, or the payouts of a final market. */
export function visibleQuotes(market: MarketRecord, conditions: Conditions): RetailQuote {
  const { lastQuotes, finalAt, yesPayoutBps } = market;
  if (lastQuotes === undefined || market.status === 'OPEN') return quotesOf(market, conditions);
  const { reference, yes, no } = lastQuotes;
  const last = {
    reference: column.price(reference),
    yes: column.price(yes),
    no: column.price(no),
    spreadBps: yes + no - 10_000,
  };
  return finalAt === undefined ? last : closedQuote(last, yesPayoutBps);
}
