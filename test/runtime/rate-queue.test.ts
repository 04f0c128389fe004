import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, type OrderCommand, priceBps, unchecked } from '../../src/domain/index.ts';
import { RateBudget, rateCost } from '../../src/execution/index.ts';
import { runs } from '../runs.ts';
import { shares } from '../state/world.ts';
import { createInstance } from './fakes.ts';
import { LiveBench, quoter, quotesAround } from './live-bench.ts';

/** Limits: 4 orders and one per half second, 10 cancels and ten per second. */
function limitedBench(markets = 3): LiveBench {
  const limits = { order: { capacity: 4, perSecond: 2 }, cancel: { capacity: 10, perSecond: 10 } };
  return new LiveBench(markets, { budget: new RateBudget(limits) });
}

describe('quote sets that do not fit the rate limit', () => {
  it('wait until the limit allows the whole set', () => {
    const bench = limitedBench();
    expect(bench.submit(0, 5_000)).toEqual(['place 1 in 0', 'place 2 in 0']);
    expect(bench.submit(1, 5_000)).toEqual(['place 3 in 1', 'place 4 in 1']);
    expect([bench.submit(2, 5_000), bench.wakeAt]).toEqual([[], 2_000]);
    expect(bench.advance(999)).toEqual([]);
    expect(bench.advance(1)).toHaveLength(2);
    expect([bench.openQuotes(2), bench.wakeAt]).toEqual([['10 @ 4900', '10 @ 5100'], undefined]);
  });

  it('are replaced by newer ones of the same instance and market', () => {
    const bench = limitedBench();
    for (const market of [0, 1]) bench.submit(market, 5_000);
    bench.submit(2, 5_000);
    for (const mid of [5_100, 5_200, 5_300]) expect(bench.submit(2, mid)).toEqual([]);
    bench.advance(1_000);
    expect(bench.openQuotes(2)).toEqual(['10 @ 5200', '10 @ 5400']);
    expect(bench.steps.flatMap(({ refused }) => refused)).toEqual([]);
  });

  it('are not overtaken by sets that add orders', () => {
    const bench = limitedBench(4);
    for (const market of [0, 1, 2]) bench.submit(market, 5_000);
    bench.now += 999;
    expect(bench.submit(3, 5_000)).toEqual([]);
    bench.advance(1);
    expect([bench.openQuotes(2).length, bench.openQuotes(3).length]).toEqual([2, 0]);
    bench.advance(1_000);
    expect(bench.openQuotes(3).length).toBe(2);
  });

  it('have exposed orders cancelled at once, and are planned by descending price error', () => {
    const bench = limitedBench();
    for (const market of [0, 1]) bench.submit(market, 5_000);
    bench.answer();
    expect(bench.submit(0, 4_990)).toEqual(['cancel 1']);
    expect(bench.submit(1, 5_200)).toEqual(['cancel 4']);
    expect(bench.submit(2, 5_000)).toEqual([]);
    bench.answer();
    // The bid of market 0 is cancelled, the orders of market 1 are too far away, and market 2 has none.
    bench.advance(500 * 2);
    expect(bench.openQuotes(1)).toEqual(['10 @ 5100', '10 @ 5300']);
    bench.answer();
    bench.advance(500 * 4);
    expect([bench.openQuotes(0), bench.openQuotes(2)]).toEqual([
      ['10 @ 4890', '10 @ 5090'],
      ['10 @ 4900', '10 @ 5100'],
    ]);
  });

  it('do not delay an empty set', () => {
    const bench = limitedBench();
    for (const market of [0, 1, 2]) bench.submit(market, 5_000);
    bench.answer();
    expect(bench.submit(0, 0)).toEqual(['cancel 1', 'cancel 2']);
    expect(bench.submit(2, 0)).toEqual([]);
    bench.advance(5_000);
    expect(bench.openQuotes(2)).toEqual([]);
  });

  it('are dropped by `pause`', () => {
    const bench = limitedBench();
    for (const market of [0, 1, 2]) bench.submit(market, 5_000);
    bench.step({ type: 'operatorCommanded', time: epochMs(bench.now), command: 'pause' });
    expect(bench.wakeAt).toBeUndefined();
    bench.advance(5_000);
    expect(bench.openQuotes(2)).toEqual([]);
  });

  it('wait for the time that the venue requests', () => {
    const bench = limitedBench();
    const time = epochMs(bench.now);
    const received = { capacity: 4, refillPerSecond: 2, remaining: 4, retryAfterMs: 3_000 };
    bench.step({ type: 'rateLimitUpdated', time, venueTime: time, bucket: 'order', ...received });
    expect([bench.submit(0, 5_000), bench.wakeAt]).toEqual([[], 4_000]);
    expect(bench.advance(3_000)).toHaveLength(2);
  });

  it('are reported as refused when they are takes, which do not wait', () => {
    const take = { type: 'take', market: unchecked.market(0), outcome: 'YES', side: 'BUY' } as const;
    const intent = { ...take, limit: priceBps(6_000), shares: shares(1) };
    const onSignal = ({ name }: { readonly name: string }) => (name === 'take' ? [intent] : [quotesAround(1, 5_000)]);
    const instances = [createInstance({ onSignal }, { markets: [0, 1] })];
    const limits = { order: { capacity: 2, perSecond: 1 }, cancel: { capacity: 2, perSecond: 1 } };
    const bench = new LiveBench(2, { budget: new RateBudget(limits) }, instances);
    expect(bench.submit(0, 1)).toHaveLength(2);
    const out = bench.step({ type: 'signalReceived', time: epochMs(1_001), name: 'take', value: 0 });
    expect([out.commands, out.steps[0]?.refused]).toEqual([
      [],
      [{ ok: false, market: 0, code: 'RATE_LIMITED', limit: 1, actual: 0 }],
    ]);
  });
});

describe('a bot under any rate limit', () => {
  const intent = fc.record({
    market: fc.integer({ min: 0, max: 3 }),
    mid: fc.constantFrom(0, 4_500, 4_800, 5_000, 5_010, 5_200, 5_500),
    wait: fc.constantFrom(0, 0, 1, 40, 300, 2_000),
    answers: fc.boolean(),
  });
  const size = fc.record({ capacity: fc.integer({ min: 2, max: 12 }), perSecond: fc.integer({ min: 1, max: 20 }) });

  it('never exceeds the limit, and ends with the same quotes as without a limit', () => {
    fc.assert(
      fc.property(size, size, fc.array(intent, { maxLength: 40 }), (order, cancel, intents) => {
        const limited = new LiveBench(4, { budget: new RateBudget({ order, cancel }) });
        const unlimited = new LiveBench(4);
        // The venue's token bucket, in thousandths of a token.
        let level = 1_000 * order.capacity;
        let counted = 0;
        let since = limited.now;
        const count = () => {
          for (const { time, commands } of limited.steps.slice(counted)) {
            level = Math.min(1_000 * order.capacity, level + (time - since) * order.perSecond);
            since = time;
            level -= 1_000 * Math.min(order.capacity, ordersOf(commands));
            expect(level).toBeGreaterThan(-0.001);
          }
          counted = limited.steps.length;
        };
        for (const { market, mid, wait, answers } of intents) {
          for (const bench of [limited, unlimited]) {
            bench.submit(market, mid);
            bench.advance(wait);
            if (answers) bench.answer();
          }
          count();
        }
        for (let round = 0; round < 40; round += 1) {
          for (const bench of [limited, unlimited]) {
            bench.answer();
            bench.advance(10_000);
          }
          count();
        }
        const quotesOf = (bench: LiveBench) => [0, 1, 2, 3].map((market) => bench.openQuotes(market));
        expect(quotesOf(limited)).toEqual(quotesOf(unlimited));
        expect(limited.wakeAt).toBeUndefined();
      }),
      { numRuns: runs(150) },
    );
  }, 180_000);

  it('sends the same commands under a limit that is never reached', () => {
    fc.assert(
      fc.property(fc.array(intent, { maxLength: 25 }), (intents) => {
        const big = { capacity: 1_000_000, perSecond: 1 };
        const limited = new LiveBench(4, { budget: new RateBudget({ order: big, cancel: big }) });
        const unlimited = new LiveBench(4, {}, [0, 1, 2, 3].map(quoter));
        for (const { market, mid, answers } of intents) {
          expect(limited.submit(market, mid)).toEqual(unlimited.submit(market, mid));
          if (answers) for (const bench of [limited, unlimited]) bench.answer();
        }
        expect(limited.steps).toEqual(unlimited.steps);
      }),
      { numRuns: runs(50) },
    );
  });
});

function ordersOf(commands: readonly OrderCommand[]): number {
  return rateCost(commands, 0).order;
}
