/** From wished levels to quotes that a market lets stand as makers. */
import {
  addShares,
  complement,
  costAt,
  gridAbove,
  gridBelow,
  gridDown,
  gridUp,
  type MicroShares,
  minShares,
  type PriceBps,
  type Quote,
  subShares,
  ZERO_SHARES,
} from '../domain/index.ts';
import type { MarketView } from '../state/index.ts';

/** A level somebody would like to show, before grid, touch and minimums have had their say. */
export interface QuoteWish {
  readonly side: 'bid' | 'ask';
  /** YES terms, bps, may be fractional: a bid is rounded down to the grid, an ask up. */
  readonly price: number;
  readonly shares: MicroShares;
}

/** Whether a maker can quote now: orders are accepted and the outside book has two sides that do not cross. */
export function isQuotable(market: MarketView): boolean {
  return market.state.acceptingOrders && market.book.doubleMid() !== undefined && !market.book.crossed();
}

/**
 * Wishes as quotes: bids rounded **down** and asks **up** to the market's grid, kept one step short of the opposite
 * outside touch, levels that fall on one price added up. An ask above the last price of the grid, or a bid below the
 * first, is left out and never moved inside (docs/spec/models.md#signs-and-units). So is what the venue's minimums
 * refuse: they bind buying only, so what is held of the other outcome can be sold whatever its size.
 */
export function makerQuotes(market: MarketView, wishes: readonly QuoteWish[]): readonly Quote[] {
  return [...oneSide(market, wishes, 'bid'), ...oneSide(market, wishes, 'ask')];
}

function oneSide(market: MarketView, wishes: readonly QuoteWish[], side: Quote['side']): readonly Quote[] {
  const sizes = new Map<PriceBps, MicroShares>();
  for (const wish of wishes) {
    if (wish.side !== side || wish.shares === 0) continue;
    const price = side === 'bid' ? bidPrice(market, wish.price) : askPrice(market, wish.price);
    if (price !== undefined) sizes.set(price, addShares(sizes.get(price) ?? ZERO_SHARES, wish.shares));
  }
  let held = side === 'bid' ? market.position.no : market.position.yes;
  const quotes: Quote[] = [];
  for (const [price, size] of sizes) {
    const bought = subShares(size, minShares(size, held));
    const shares = isBuyable(market, bought, side === 'bid' ? price : complement(price)) ? size : minShares(size, held);
    if (shares > 0) quotes.push({ side, price, shares });
    held = subShares(held, minShares(held, shares));
  }
  return quotes;
}

function bidPrice({ info, book }: MarketView, wished: number): PriceBps | undefined {
  const ask = book.bestAsk();
  const cap = ask === undefined ? Number.POSITIVE_INFINITY : (gridBelow(info.grid, ask) ?? Number.NEGATIVE_INFINITY);
  return gridDown(info.grid, Math.min(wished, cap));
}

function askPrice({ info, book }: MarketView, wished: number): PriceBps | undefined {
  const bid = book.bestBid();
  const cap = bid === undefined ? Number.NEGATIVE_INFINITY : (gridAbove(info.grid, bid) ?? Number.POSITIVE_INFINITY);
  return gridUp(info.grid, Math.max(wished, cap));
}

/** Whether the part that has to be bought, at the price of its own leg, is none or enough for the venue. */
function isBuyable({ limits }: MarketView, shares: MicroShares, price: PriceBps): boolean {
  return shares === 0 || (shares >= limits.minOrderShares && costAt(shares, price) >= limits.minBet);
}
