import { FULL_BPS } from '../../domain/index.ts';
import type { Touch } from './book-view.ts';

/** What an outcome is worth when nobody has said anything yet. */
const EVEN_BPS = 5_000;

/**
 * The price around which retail quotes stand, in YES bps within [tick, 10000 - tick]; not always on the tick
 * (docs/spec/venue.md#quoted-prices): the mean of bid and ask rounded **down** where both stand, else the last trade
 * (5000 before the first), raised to a lone bid or lowered to a lone ask. NO's is 10000 less it.
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
