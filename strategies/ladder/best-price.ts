/** Moves quotes out to what being the best price needs (docs/spec/models.md#ladder-options). */
import { type BookView, type MarketView, type PriceGrid, type QuoteSpec, SHARE } from 'halfspread';
import type { LadderParams } from './params.ts';

/**
 * The levels, each side moved out as a whole until its best is one price step before the outside price at which the book is
 * as deep as `bid_order_optimization_depth` or `ask_order_optimization_depth` says. A side that is not better than that
 * stays.
 */
export function movedToBest(
  params: LadderParams,
  levels: readonly QuoteSpec[],
  { book, info }: Pick<MarketView, 'book' | 'info'>,
): readonly QuoteSpec[] {
  const distances = {
    bid: distance(
      'bid',
      levels,
      stepBefore(info.grid, 'bid', priceAtDepth(book, 'bid', params.bid_order_optimization_depth)),
    ),
    ask: distance(
      'ask',
      levels,
      stepBefore(info.grid, 'ask', priceAtDepth(book, 'ask', params.ask_order_optimization_depth)),
    ),
  };
  return levels.map((level) => ({
    ...level,
    price: level.side === 'bid' ? level.price - distances.bid : level.price + distances.ask,
  }));
}

/** The price at which the levels of a side, best first, add up to `depth` shares; its last one when they do not. */
export function priceAtDepth(book: BookView, side: QuoteSpec['side'], depth: number): number | undefined {
  let price = side === 'bid' ? book.bestBid() : book.bestAsk();
  let left = depth * SHARE;
  while (price !== undefined) {
    left -= side === 'bid' ? book.bidAt(price) : book.askAt(price);
    const next = side === 'bid' ? book.nextBid(price) : book.nextAsk(price);
    if (left <= 0 || next === undefined) return price;
    price = next;
  }
  return undefined;
}

/** The next price of the market that is better for takers; undefined at the end of the grid. */
function stepBefore(grid: PriceGrid, side: QuoteSpec['side'], price: number | undefined): number | undefined {
  if (price === undefined) return undefined;
  if (grid.type === 'tick') return side === 'bid' ? price + grid.tickBps : price - grid.tickBps;
  return side === 'bid' ? grid.bids.find((at) => at > price) : grid.asks.findLast((at) => at < price);
}

function distance(side: QuoteSpec['side'], levels: readonly QuoteSpec[], target: number | undefined): number {
  const best = levels.find((level) => level.side === side)?.price;
  if (best === undefined || target === undefined) return 0;
  return Math.max(0, side === 'bid' ? best - target : target - best);
}
