import type { MarketRecord } from '../markets/market-record.ts';
import type { Book } from '../matching/book.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import {
  type BookLevels,
  closedQuote,
  QUOTE_POLICIES,
  type RetailQuote,
  retailQuote,
  toQuote,
} from '../quotes/retail-quote.ts';
import type { Conditions, ExchangeState } from './exchange-state.ts';

export type VisibleBook = BookLevels & Pick<Book, 'orderCountAt'>;

function emptyBook(tickBps: number): VisibleBook {
  const zero = () => 0;
  const levels = { sharesAt: zero, orderCountAt: zero, priceBelow: zero, priceAbove: () => 10_000 };
  return { tickBps, bestBid: 0, bestAsk: 10_000, ...levels };
}

/** Returns the book of an open market. Other markets show an empty book, which hides a waiting initial order. */
export function visibleBook(market: MarketRecord): VisibleBook {
  return market.status === 'OPEN' ? market.book : emptyBook(market.tickBps);
}

/** Computes quotes by the venue's policy from the present book, or from an empty book if the market never opened. */
export function computeQuotes(market: MarketRecord, { config, quotePolicy }: Conditions): RetailQuote {
  const { tickBps, bestBid, bestAsk } =
    market.status === 'PENDING_BLOCKCHAIN' ? emptyBook(market.tickBps) : market.book;
  const prices = { tickBps, bestBid, bestAsk, lastTrade: market.lastTrade };
  return retailQuote(prices, QUOTE_POLICIES[quotePolicy], config.spreadBps);
}

/** Returns an open market's live quotes, a final market's payouts, and any other market's last quotes. */
export function visibleQuotes(market: MarketRecord, conditions: Conditions): RetailQuote {
  const { lastQuotes, finalAt, yesPayoutBps } = market;
  if (lastQuotes === undefined || market.status === 'OPEN') return computeQuotes(market, conditions);
  const last = toQuote(lastQuotes.reference, lastQuotes.yes, lastQuotes.no);
  return finalAt === undefined ? last : closedQuote(last, yesPayoutBps);
}

interface Level {
  readonly book: Book;
  readonly price: number;
  readonly orderSlots: Set<number>;
}

/** Returns the micro-shares before each open order at its price, by order. Omits orders that are in no public book. */
export function queuesAhead({ slots, orderCloser }: ExchangeState, orders: Iterable<number>): Map<number, number> {
  const levels = new Map<string, Level>();
  for (const order of orders) {
    const slot = slots.find(order);
    if (slot === 0) continue;
    const { number, status, book } = orderCloser.marketOf(slot);
    if (status !== 'OPEN') continue;
    const price = slots.level(slot) * book.tickBps;
    const key = `${number} ${price}`;
    const level = levels.get(key) ?? { book, price, orderSlots: new Set() };
    level.orderSlots.add(slot);
    levels.set(key, level);
  }
  const found = new Map<number, number>();
  for (const level of levels.values()) addQueues(slots, level, found);
  return found;
}

function addQueues(slots: OrderSlots, { book, price, orderSlots }: Level, found: Map<number, number>): void {
  let ahead = 0;
  let left = orderSlots.size;
  for (let slot = book.firstAt(price); slot !== 0 && left > 0; slot = slots.behind(slot)) {
    if (orderSlots.has(slot)) {
      found.set(slots.order(slot), book.recordedAhead(slot) + ahead);
      left -= 1;
    }
    ahead += slots.remaining(slot);
  }
}
