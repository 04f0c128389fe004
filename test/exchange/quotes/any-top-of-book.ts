import fc from 'fast-check';
import { FULL_BPS } from '../../../src/domain/index.ts';
import type { QuotePolicyName, TopOfBook } from '../../../src/exchange/quotes/retail-quote.ts';

export const NAMES: readonly QuotePolicyName[] = ['additive', 'multiplicative', 'variance', 'book'];

/** Random best prices: uncrossed and on the tick. The last trade may be off the tick. */
export const anyTopOfBook: fc.Arbitrary<TopOfBook> = fc.constantFrom(1, 10, 50, 100, 2500, 5000).chain((tickBps) => {
  const levels = FULL_BPS / tickBps;
  return fc
    .record({
      low: fc.integer({ min: 0, max: levels - 1 }),
      up: fc.integer({ min: 1, max: levels }),
      lastTrade: fc.integer({ min: 0, max: FULL_BPS - 1 }),
    })
    .map(({ low, up, lastTrade }) => ({
      tickBps,
      bestBid: low * tickBps,
      bestAsk: Math.min(low + up, levels) * tickBps,
      lastTrade,
    }));
});
