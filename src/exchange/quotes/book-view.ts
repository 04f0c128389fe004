import { FULL_BPS } from '../../domain/index.ts';
/** The levels of one book that quotes read, in YES terms. A `MatchingBook` is one. */
export interface BookView {
  /** Distance of neighbouring prices in bps; divides 10000. */
  readonly tickBps: number;
  /** Highest bid in YES bps; 0 when there is none. */
  readonly bestBid: number;
  /** Lowest ask in YES bps; 10000 when there is none. */
  readonly bestAsk: number;
  /** Micro-shares at a price in YES bps. */
  sharesAt(price: number): number;
  /** The next price under `price` that holds orders; 0 when there is none. */
  priceBelow(price: number): number;
  /** The next price over `price` that holds orders; 10000 when there is none. */
  priceAbove(price: number): number;
}

/** The best price of each side and what was traded last, in YES bps. A `BookView` with `lastTrade` is one. */
export interface Touch {
  readonly tickBps: number;
  /** 0 when there is none. */
  readonly bestBid: number;
  /** 10000 when there is none. */
  readonly bestAsk: number;
  /** 0 before the first trade. */
  readonly lastTrade: number;
}

/** The value of an outcome before the first order. */
const EVEN_BPS = 5_000;

/**
 * The price around which retail quotes stand, in YES bps within [tick, 10000 - tick]; not always on the tick
 * (docs/spec/venue.md#quoted-prices): the mean of bid and ask rounded **down** where both stand, else the last trade
 * (5000 before the first), raised to a bid without an ask, or lowered to an ask without a bid. NO's price is 10000 less
 * it.
 */
export function referencePrice({ tickBps, bestBid, bestAsk, lastTrade }: Touch): number {
  const hasBid = bestBid > 0;
  const hasAsk = bestAsk < FULL_BPS;
  if (hasBid && hasAsk) return clamp(Math.floor((bestBid + bestAsk) / 2), tickBps);
  // An empty side stands at 0 or 10000, where it moves nothing.
  const known = lastTrade > 0 ? lastTrade : EVEN_BPS;
  return clamp(Math.min(Math.max(known, bestBid), bestAsk), tickBps);
}

/** Within [tick, 10000 - tick]. */
export function clamp(price: number, tickBps: number): number {
  return Math.min(Math.max(price, tickBps), FULL_BPS - tickBps);
}
