/** Helpers for market makers: handlers that call one quote function, and quotes that fit the market. */
import {
  addShares,
  complement,
  costAt,
  gridAbove,
  gridBelow,
  gridDown,
  gridUp,
  type Intent,
  isFinal,
  type MarketNo,
  type MicroShares,
  microShares,
  minShares,
  type PriceBps,
  type Quote,
  type QuoteTolerance,
  subShares,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { OrderEvent, StrategyContext, StrategyHandlers } from './contract.ts';

/** Returns the levels to quote in one market; called only while the market can be quoted. */
export type QuoteFunction = (market: MarketView, view: AccountView) => readonly QuoteSpec[];

/**
 * Makes handlers that call `quote` and turn its levels into quotes. They quote each market with a book at the start,
 * and again after a book message, own fill, order closed by the venue, status change or timer. They cancel all quotes
 * in a market that is halted, one-sided or crossed, and claim the payout of a final market.
 *
 * After a rejection, the next message or timer quotes again, because an immediate quote could repeat forever. A timer
 * skips a market without own orders and without an event since the last timer. The risk checks then report a stale book
 * only once.
 */
export function makerHandlers(
  context: StrategyContext,
  quote: QuoteFunction,
  tolerance?: QuoteTolerance,
): StrategyHandlers {
  /** Markets without an event since the last timer. */
  const quiet = new Set<MarketNo>();
  const intentsFor = (market: MarketView, view: AccountView): readonly Intent[] => {
    if (isFinal(market.state.status)) return claim(market);
    const quotes = isQuotable(market) ? makerQuotes(market, quote(market, view)) : [];
    return [{ type: 'quote', market: market.info.market, quotes, ...(tolerance === undefined ? {} : { tolerance }) }];
  };
  const requote = (market: MarketView, view: AccountView): readonly Intent[] => {
    quiet.delete(market.info.market);
    return intentsFor(market, view);
  };
  const requoteAtTimer = ({ market }: OrderEvent): undefined => {
    quiet.delete(market);
  };
  return {
    onStart: (view) =>
      context.markets.flatMap((info) => {
        const market = view.market(info.market);
        return isQuotable(market) ? intentsFor(market, view) : [];
      }),
    onBook: requote,
    onMarket: requote,
    onConfig: requote,
    onFill: (fill, view) => requote(view.market(fill.market), view),
    onFillReversed: (fill, view) => requote(view.market(fill.market), view),
    onOrderClosed(event, view) {
      quiet.delete(event.market);
      if (event.reason === 'USER' || event.reason === 'REPLACED') return undefined;
      return requote(view.market(event.market), view);
    },
    onOrderAccepted: requoteAtTimer,
    onOrderRejected: requoteAtTimer,
    onOrderReduced: requoteAtTimer,
    onCancelRejected: requoteAtTimer,
    onConverted: requoteAtTimer,
    onConversionRejected: requoteAtTimer,
    onTimer: (_timer, view) =>
      context.markets.flatMap(({ market: marketNo }) => {
        const market = view.market(marketNo);
        if (quiet.has(marketNo) && !market.orders.some(({ bot }) => bot === context.bot)) return [];
        quiet.add(marketNo);
        return intentsFor(market, view);
      }),
  };
}

function claim({ info, position }: MarketView): readonly Intent[] {
  return position.yes + position.no > 0 ? [{ type: 'claim', market: info.market }] : [];
}

/** A level to quote, before it is adapted to the market's grid, best prices and minimums. */
export interface QuoteSpec {
  readonly side: 'bid' | 'ask';
  /** YES terms, bps, may be fractional. A bid is rounded **down** to the grid, an ask **up**. */
  readonly price: number;
  readonly shares: MicroShares;
  /** Copied to order events and fills. Levels at one price get the first level's tag. */
  readonly tag?: string;
}

/**
 * Reduces quotes so that the position stays within `maxPosition`, even if all quotes of a side are filled. Reduces the
 * quotes with the worst prices first, and leaves out quotes without size.
 * @param net position, YES less NO in micro-shares
 * @param maxPosition largest position either way, micro-shares
 */
export function withinPosition(
  quotes: readonly QuoteSpec[],
  net: number,
  maxPosition: MicroShares,
): readonly QuoteSpec[] {
  const fitSide = (side: QuoteSpec['side'], limit: number): readonly QuoteSpec[] => {
    const sign = side === 'bid' ? -1 : 1;
    let room = Math.max(0, limit);
    return quotes
      .filter((quote) => quote.side === side)
      .toSorted((a, b) => sign * (a.price - b.price))
      .flatMap((quote) => {
        const size = microShares(Math.min(quote.shares, room));
        room -= size;
        return size > 0 ? [{ ...quote, shares: size }] : [];
      });
  };
  return [...fitSide('bid', maxPosition - net), ...fitSide('ask', maxPosition + net)];
}

/** Returns whether orders are accepted, and the outside book has two sides that do not cross. */
export function isQuotable(market: MarketView): boolean {
  return market.state.acceptingOrders && market.book.doubleMid() !== undefined && !market.book.crossed();
}

/**
 * Fits levels to the market. Rounds bids **down** and asks **up** to the grid, and keeps them one grid step short of
 * others' best opposite price. Adds up levels at the same price. Omits asks above the grid and bids below the grid,
 * instead of moving them onto the grid (docs/spec/models.md#signs-and-units). Omits levels below the venue's minimums.
 * The minimums apply to buying only, so shares held of the other outcome are sold in any size.
 */
export function makerQuotes(market: MarketView, levels: readonly QuoteSpec[]): readonly Quote[] {
  return [...makeSideQuotes(market, levels, 'bid'), ...makeSideQuotes(market, levels, 'ask')];
}

function makeSideQuotes(market: MarketView, levels: readonly QuoteSpec[], side: Quote['side']): readonly Quote[] {
  const sizes = new Map<PriceBps, MicroShares>();
  let tags: Map<PriceBps, string> | undefined;
  for (const level of levels) {
    if (level.side !== side || level.shares === 0) continue;
    const price = side === 'bid' ? bidPrice(market, level.price) : askPrice(market, level.price);
    if (price === undefined) continue;
    if (level.tag !== undefined && !sizes.has(price)) {
      tags ??= new Map();
      tags.set(price, level.tag);
    }
    sizes.set(price, addShares(sizes.get(price) ?? ZERO_SHARES, level.shares));
  }
  let left = market.sellable(side === 'bid' ? 'NO' : 'YES');
  const quotes: Quote[] = [];
  for (const [price, size] of sizes) {
    const bought = subShares(size, minShares(size, left));
    const shares = isBuyable(market, bought, side === 'bid' ? price : complement(price)) ? size : minShares(size, left);
    const tag = tags?.get(price);
    if (shares > 0) quotes.push(tag === undefined ? { side, price, shares } : { side, price, shares, tag });
    left = subShares(left, minShares(left, shares));
  }
  return quotes;
}

function bidPrice({ info, book }: MarketView, price: number): PriceBps | undefined {
  const ask = book.bestAsk();
  const max = ask === undefined ? Number.POSITIVE_INFINITY : (gridBelow(info.grid, ask) ?? Number.NEGATIVE_INFINITY);
  return gridDown(info.grid, Math.min(price, max));
}

function askPrice({ info, book }: MarketView, price: number): PriceBps | undefined {
  const bid = book.bestBid();
  const min = bid === undefined ? Number.NEGATIVE_INFINITY : (gridAbove(info.grid, bid) ?? Number.POSITIVE_INFINITY);
  return gridUp(info.grid, Math.max(price, min));
}

/** Returns whether a quote buys nothing, or enough for the venue's minimums at the bought outcome's price. */
function isBuyable({ limits }: MarketView, shares: MicroShares, price: PriceBps): boolean {
  return shares === 0 || (shares >= limits.minOrderShares && costAt(shares, price) >= limits.minBet);
}
