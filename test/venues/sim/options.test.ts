import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { microUsd, SHARE, unchecked } from '../../../src/domain/index.ts';
import { buildModels, describeAssumptions, simOptionsSchema } from '../../../src/venues/sim/index.ts';

const random = seededRandom(1);
const models = (options: unknown, commissions: readonly number[] = [0]) =>
  buildModels(simOptionsSchema.parse(options), random, commissions);

describe('the options of the simulation', () => {
  it('have cautious defaults', () => {
    expect(simOptionsSchema.parse({})).toEqual({
      latency: { model: 'constant', feed_ms: 50, entry_ms: 80, response_ms: 40 },
      queue: { model: 'risk-averse' },
      fees: { model: 'none', commission_bps: 'from tape' },
      liquidity: 'consumed',
    });
  });

  it('are unchanged when they are parsed again', () => {
    const parsed = simOptionsSchema.parse({ queue: { model: 'power' }, trades_only: { fill: 'touch', share: 0.1 } });
    expect(simOptionsSchema.parse(parsed)).toEqual(parsed);
  });

  it.each([
    [{ latencies: {} }],
    [{ latency: { model: 'constant', feed: 50 } }],
    [{ latency: { model: 'constant', feed_ms: -1 } }],
    [{ latency: { model: 'constant', feed_ms: 0.5 } }],
    [{ latency: { model: 'spiky', every_s: 1, lasts_ms: 1_001 } }],
    [{ latency: { model: 'sampled' } }],
    [{ queue: { model: 'lucky' } }],
    [{ queue: { model: 'power', n: 0 } }],
    [{ queue: { model: 'risk-averse', n: 2 } }],
    [{ fees: { model: 'taker' } }],
    [{ fees: { model: 'taker', rate_bps: 1_001 } }],
    [{ fees: { model: 'taker', rate_bps: -1 } }],
    [{ fees: { model: 'taker', rate_bps: 0.5 } }],
    [{ fees: { model: 'none', commission_bps: 10_001 } }],
    [{ fees: { model: 'none', commission_bps: 'five' } }],
    [{ liquidity: 'endless' }],
    [{ trades_only: { fill: 'touch' } }],
    [{ trades_only: { fill: 'through', share: 0.5 } }],
    [{ trades_only: { fill: 'touch', share: 1.1 } }],
  ])('refuse %j', (options) => {
    expect(simOptionsSchema.safeParse(options).success).toBe(false);
  });

  it.each([
    { median: -1, p99: 5 },
    { median: 10, p99: 5 },
    { median: 0, p99: 5 },
    { median: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY },
  ])('refuse a median of $median ms and a p99 of $p99 ms', (invalid) => {
    const valid = { median: 1, p99: 1 };
    for (const leg of ['feed_ms', 'entry_ms', 'response_ms']) {
      const latency = { model: 'sampled', feed_ms: valid, entry_ms: valid, response_ms: valid, [leg]: invalid };
      expect(simOptionsSchema.safeParse({ latency }).success).toBe(false);
    }
  });
});

describe('the models of the simulation', () => {
  it('follow the options', () => {
    const built = models({
      latency: { model: 'constant', feed_ms: 1, entry_ms: 2, response_ms: 3 },
      queue: { model: 'power', n: 1 },
      fees: { model: 'taker', rate_bps: 200 },
      liquidity: 'immutable',
    });
    expect([built.latency.feed(0), built.latency.entry(0), built.latency.response(0)]).toEqual([1, 2, 3]);
    expect(built.queue.frontAfter(30 * SHARE, 100 * SHARE, 80 * SHARE, 0) / SHARE).toBeCloseTo(24, 5);
    expect(built.fees.rateBps).toBe(200);
    expect(built.liquidity).toBe('immutable');
    expect(built.tradesOnly).toBeUndefined();
  });

  it('sample latencies from the random stream of the run', () => {
    const leg = { median: 50, p99: 500 };
    const built = models({ latency: { model: 'sampled', feed_ms: leg, entry_ms: leg, response_ms: leg } });
    expect(new Set(Array.from({ length: 50 }, () => built.latency.feed(0))).size).toBeGreaterThan(10);
  });

  it('use the commission of the tape, of the options, or none', () => {
    const pnl = microUsd(10_000);
    const commission = (options: unknown, market: number) =>
      models(options, [500, 0]).fees.commission(pnl, unchecked.market(market));
    expect([commission({}, 0), commission({}, 1)]).toEqual([500, 0]);
    const fixed = { fees: { model: 'none', commission_bps: 200 } };
    expect([commission(fixed, 0), commission(fixed, 1)]).toEqual([200, 200]);
    expect(models({ fees: { model: 'none', commission_bps: 0 } }, [500]).fees.assumption).toBe('Fees: none on trades.');
  });

  it('state all their assumptions, one sentence each', () => {
    expect(describeAssumptions(models({ queue: { model: 'log' } }))).toEqual([
      'Latency is constant: feed 50 ms, order entry 80 ms, response 40 ms; a busy market is no slower.',
      'Queue is probabilistic: cancels ahead are shared by f(x) = ln(1 + x) (split); not fitted to own fills.',
      'Fees: none on trades.',
      'Liquidity taken by own orders is gone until the recorded level falls below what is left.',
    ]);
    expect(
      describeAssumptions(models({ liquidity: 'immutable', trades_only: { fill: 'touch', share: 0.1 } })).slice(-2),
    ).toEqual([
      'Liquidity is immutable: own takers take nothing away, which favours takers.',
      'Trades only: the mark is the last trade; prints through a price fill it, and 10 % of those at it; takers refused.',
    ]);
    expect(describeAssumptions(models({ trades_only: { fill: 'through' } })).at(-1)).toContain(
      'only prints strictly through',
    );
  });
});
