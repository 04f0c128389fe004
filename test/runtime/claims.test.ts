import { describe, expect, it } from 'vitest';
import { epochMs, type Intent, unchecked } from '../../src/domain/index.ts';
import { about, filled, setup, shares, usd } from '../state/world.ts';
import { Bench, createInstance, MARKET } from './fakes.ts';

describe('claims', () => {
  const claim = { type: 'claim', bot: unchecked.instance(0), market: MARKET, shares: 0 };
  const paid = {
    ...about(1),
    conversion: 'claim',
    bot: unchecked.instance(0),
    shares: shares(0),
    fee: usd(0),
  } as const;

  it('are sent once for a final market with holdings, in any mode', () => {
    const bench = new Bench([createInstance({ onBook: () => [] })]).start();
    bench.step(filled({ order: 1, size: 10 }));
    bench.risk.mode = 'KILLED';
    expect(bench.feed('1001 | resolution 10000').commands).toEqual([claim]);
    expect(bench.feed('1002 | bid 10 1').commands).toEqual([]);
    expect(bench.step({ type: 'converted', ...paid, paid: usd(10) }).commands).toEqual([]);
    expect(bench.state.cash).toBe(usd(1_005));
  });

  it('are sent for a fill that arrives after the market is final', () => {
    const bench = new Bench([]).start();
    expect(bench.feed('1001 | resolution 0').commands).toEqual([]);
    expect(bench.step(filled({ order: 1, size: 10 })).commands).toEqual([claim]);
  });

  it('are sent at the start for markets that were final before', () => {
    const bench = new Bench([]);
    bench.feed('900 | resolution 10000');
    bench.step(filled({ order: 1, size: 10 }));
    expect(bench.step({ type: 'started', time: epochMs(1_000) }).commands).toEqual([claim]);
  });

  it('are not repeated at once after a refusal', () => {
    const bench = new Bench([]).start();
    bench.step(filled({ order: 1, size: 10 }));
    bench.feed('1001 | resolution 10000');
    expect(bench.step({ type: 'conversionRejected', ...paid, reason: 'CONFLICT' }).commands).toEqual([]);
    expect(bench.feed('1002 | delay 5').commands).toEqual([claim]);
  });

  it('are not repeated when the payout differs from the expected amount', () => {
    for (const amount of [0, 7, 12]) {
      const bench = new Bench([]).start();
      bench.step(filled({ order: 1, price: 4_000, size: 10 }));
      bench.feed('1001 | bid 5000 1 | ask 5200 1');
      expect(bench.feed('1002 | resolution 10000').commands).toEqual([claim]);
      expect(bench.step({ type: 'converted', ...paid, paid: usd(amount) }).commands).toEqual([]);
      const { cash, exitEquity, contributed, unexplainedEvents } = bench.state;
      expect([cash, exitEquity - contributed, unexplainedEvents]).toEqual([usd(996 + amount), usd(1_006), 1]);
      expect(bench.feed('1003 | delay 5').commands).toEqual([]);
    }
  });

  it('are sent in the name of an instance that trades the market', () => {
    const instances = [createInstance({}, { markets: [0] }), createInstance({}, { number: 1, markets: [1] })];
    const bench = new Bench(instances, [setup(0), setup(1)]).start();
    bench.step(filled({ order: 1, size: 10, market: 1 }));
    expect(bench.feed('1001 | @1 resolution 10000').commands).toMatchObject([{ bot: 1, market: 1 }]);
  });

  it('of strategies are dropped while a claim is unanswered', () => {
    const intent: Intent = { type: 'claim', market: MARKET };
    const bench = new Bench([createInstance({ onBook: () => [intent] })]).start();
    bench.step(filled({ order: 1, size: 10 }));
    bench.feed('1001 | resolution 10000');
    bench.feed('1002 | bid 10 1');
    expect(bench.risk.checked).toEqual([]);
  });

  it('can be left to the strategies', () => {
    const bench = new Bench([], [setup()], { shouldClaim: false }).start();
    bench.step(filled({ order: 1, size: 10 }));
    expect(bench.feed('1001 | resolution 10000').commands).toEqual([]);
  });
});
