/** The visible book of a market, and the quotes from it. */

import { column } from '../../domain/index.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { BookView } from '../quotes/book-view.ts';
import { QUOTE_POLICIES } from '../quotes/quote-policy.ts';
import { closedQuote, type RetailQuote, retailQuote } from '../quotes/retail-quote.ts';
import type { Conditions } from './conditions.ts';

/** The book that a venue publishes: what `BookView` reads, and the number of orders at each level. */
export interface VisibleBook extends BookView {
  /** Open orders at a price in YES bps; 0 for none. What a recorded market shows there counts as one order a side. */
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

/** The book of an open market; of any other an empty one, though an initial order waits there. */
export function visibleBook(market: MarketRecord): VisibleBook {
  return market.status === 'OPEN' ? market.book : emptyBook(market.tickBps);
}

/** Quotes by the venue's policy from the book as it stands; of an empty one in a market that never opened. */
export function quotesOf(market: MarketRecord, { config, quotePolicy }: Conditions): RetailQuote {
  const { tickBps, bestBid, bestAsk } =
    market.status === 'PENDING_BLOCKCHAIN' ? emptyBook(market.tickBps) : market.book;
  const touch = { tickBps, bestBid, bestAsk, lastTrade: market.lastTrade };
  return retailQuote(touch, QUOTE_POLICIES[quotePolicy], config.spreadBps);
}

/** The public quotes: live ones, the last ones of a market that is not open, or payouts of a final one. */
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
