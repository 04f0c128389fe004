/** Pure market making: levels at fixed distances around the mid, skewed against the position. See README.md. */
import { defineStrategy, makerHandlers } from 'halfspread';
import { movedToBest } from './best-price.ts';
import { ladderLevels, priceBases } from './levels.ts';
import { ladderParams } from './params.ts';

export default defineStrategy({
  name: 'ladder',
  summary: 'Quotes levels at fixed distances around the mid and skews their sizes against the position.',
  params: ladderParams,
  timers: (params) => [{ name: 'refresh', everyMs: milliseconds(params.order_refresh_time) }],
  create(params, context) {
    const tolerance = {
      pricePct: params.order_refresh_tolerance_pct,
      minAgeMs: milliseconds(params.order_refresh_time),
      ...(params.max_order_age === undefined ? {} : { maxAgeMs: milliseconds(params.max_order_age) }),
    };
    return makerHandlers(
      context,
      (market) => {
        const mid = market.book.mid();
        if (mid === undefined) return [];
        const bases = priceBases(params, mid, market.position);
        return movedToBest(params, ladderLevels(params, bases, market.position.net), market);
      },
      tolerance,
    );
  },
});

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000);
}
