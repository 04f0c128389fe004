import { FULL_BPS } from '../../domain/index.ts';

/** The levels of one book, in YES terms, as quotes read them. `MatchingBook` implements it. */
export interface BookView {
  /** Distance of adjacent prices in bps; divides 10000. */
  readonly tickBps: number;
  /** Highest bid in YES bps; 0 if there is none. */
  readonly bestBid: number;
  /** Lowest ask in YES bps; 10000 if there is none. */
  readonly bestAsk: number;
  /** Micro-shares at a price in YES bps. */
  sharesAt(price: number): number;
  /** Next price below `price` with orders; 0 if there is none. */
  priceBelow(price: number): number;
  /** Next price above `price` with orders; 10000 if there is none. */
  priceAbove(price: number): number;
}

/** The best price of each side and the last trade, in YES bps. */
export interface Touch {
  readonly tickBps: number;
  /** 0 if there is none. */
  readonly bestBid: number;
  /** 10000 if there is none. */
  readonly bestAsk: number;
  /** 0 before the first trade. */
  readonly lastTrade: number;
}

/** Last price of both outcomes before the first trade. */
const EVEN_BPS = 5_000;

/**
 * Returns the center of retail quotes in YES bps, within [tick, 10000 - tick], not always on the tick
 * (docs/spec/venue.md#quoted-prices): the mean of bid and ask, rounded **down**. If a side is empty, it is the last trade
 * (5000 before the first), raised to the bid or lowered to the ask. The NO reference is its complement.
 */
export function referencePrice({ tickBps, bestBid, bestAsk, lastTrade }: Touch): number {
  const hasBid = bestBid > 0;
  const hasAsk = bestAsk < FULL_BPS;
  if (hasBid && hasAsk) return clamp(Math.floor((bestBid + bestAsk) / 2), tickBps);
  // An empty side is 0 or 10000 and has no effect here.
  const known = lastTrade > 0 ? lastTrade : EVEN_BPS;
  return clamp(Math.min(Math.max(known, bestBid), bestAsk), tickBps);
}

/** Clamps a price to [tick, 10000 - tick]. */
export function clamp(price: number, tickBps: number): number {
  return Math.min(Math.max(price, tickBps), FULL_BPS - tickBps);
}
