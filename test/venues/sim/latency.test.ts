import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { InputFault } from '../../../src/domain/index.ts';
import {
  constantLatency,
  FeedLatency,
  type LatencyModel,
  measuredLatency,
  type SampledLatency,
  sampledLatency,
  spikyLatency,
} from '../../../src/venues/sim/latency.ts';

const LEGS = ['feed', 'entry', 'response'] as const;
const sampled: SampledLatency = {
  feed: { median: 50, p99: 200 },
  entry: { median: 80, p99: 90 },
  response: { median: 0, p99: 0 },
};
const SPIKES = { every: 10_000, lasts: 500, extra: 200 };
const models: [string, () => LatencyModel][] = [
  ['constant', () => constantLatency({ feed: 50, entry: 80, response: 40 })],
  ['sampled', () => sampledLatency(sampled, seededRandom(7))],
  ['measured', () => measuredLatency({ feed: [], entry: [80, 90, 300], response: [40, 41] }, seededRandom(7))],
  ['spiky', () => spikyLatency({ feed: 50, entry: 80, response: 40 }, SPIKES, seededRandom(7))],
];

describe.each(models)('the %s latency model', (_name, make) => {
  it('returns whole milliseconds, never negative', () => {
    const model = make();
    for (let draw = 0; draw < 3_000; draw += 1) {
      const ms = model[LEGS[draw % 3]!](draw);
      expect(Number.isSafeInteger(ms) && ms >= 0).toBe(true);
    }
  });

  it('repeats its values for the same seed', () => {
    const [first, second] = [make(), make()];
    for (let draw = 0; draw < 300; draw += 1) expect(first.feed(draw)).toBe(second.feed(draw));
  });

  it('samples its legs independently', () => {
    const [first, second] = [make(), make()];
    for (let draw = 0; draw < 100; draw += 1) first.feed(draw);
    for (let draw = 0; draw < 100; draw += 1) expect(first.entry(draw)).toBe(second.entry(draw));
  });

  it('states its assumptions in one sentence', () => {
    expect(make().assumption).toMatch(/^Latency is .*\.$/);
  });
});

describe('recorded receive times', () => {
  it('are raised to the venue time and to the previous receive time, and those before the venue time are counted', () => {
    const feed = new FeedLatency(constantLatency({ feed: 50, entry: 80, response: 40 }), true);
    expect(feed.receivedAt(1_000, 1_020)).toBe(1_020);
    expect(feed.receivedAt(1_010, 1_015)).toBe(1_020);
    expect(feed.earlyCount).toBe(0);
    expect(feed.receivedAt(2_000, 1_990)).toBe(2_000);
    expect([feed.receivedAt(3_000, 3_000), feed.earlyCount]).toEqual([3_000, 1]);
  });
});

describe('sampled latency', () => {
  it('has the configured percentiles', () => {
    const model = sampledLatency(sampled, seededRandom(1));
    const draws = Array.from({ length: 20_000 }, () => model.feed(0)).sort((a, b) => a - b);
    expect(draws[10_000]).toBeGreaterThan(48);
    expect(draws[10_000]).toBeLessThan(52);
    expect(draws[19_800]).toBeGreaterThan(185);
    expect(draws[19_800]).toBeLessThan(215);
  });

  it('is constant when both percentiles are equal', () => {
    const leg = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(leg, fc.integer({ min: 0, max: 1_000 }), (ms, seed) => {
        const same = { median: ms, p99: ms };
        const model = sampledLatency({ feed: same, entry: same, response: same }, seededRandom(seed));
        expect([model.feed(0), model.entry(0), model.response(0)]).toEqual([ms, ms, ms]);
      }),
    );
  });

  it('depends on the seed', () => {
    const draws = [1, 2].map((seed) => {
      const model = sampledLatency(sampled, seededRandom(seed));
      return Array.from({ length: 20 }, () => model.feed(0));
    });
    expect(draws[0]).not.toEqual(draws[1]);
  });
});

describe('measured latency', () => {
  it('draws only measured times, each as often as it was measured', () => {
    const model = measuredLatency({ feed: [7], entry: [80, 90, 300, 300], response: [40] }, seededRandom(3));
    const draws = Array.from({ length: 4_000 }, () => model.entry(0));
    expect(new Set(draws)).toEqual(new Set([80, 90, 300]));
    expect(draws.filter((ms) => ms === 300).length / draws.length).toBeCloseTo(0.5, 1);
    expect([model.feed(0), model.response(0)]).toEqual([7, 40]);
  });

  it('uses response times for a feed that was not measured', () => {
    const model = measuredLatency({ feed: [], entry: [80], response: [40] }, seededRandom(3));
    expect(model.feed(0)).toBe(40);
  });

  it('requires at least one time for entry and response', () => {
    expect(() => measuredLatency({ feed: [], entry: [], response: [40] }, seededRandom(3))).toThrow(InputFault);
  });
});

describe('spikes', () => {
  const model = spikyLatency({ feed: 50, entry: 80, response: 40 }, SPIKES, seededRandom(7));
  const slow = (time: number): boolean => model.entry(time) === 280;

  it('occur once per period, last the configured time and slow all legs together', () => {
    let begins = 0;
    let slowMs = 0;
    for (let time = 1; time < 200_000; time += 1) {
      if (slow(time) && !slow(time - 1)) begins += 1;
      if (slow(time)) slowMs += 1;
      expect([model.feed(time), model.response(time)]).toEqual(slow(time) ? [250, 240] : [50, 40]);
    }
    expect(begins).toBeGreaterThanOrEqual(18);
    expect(begins).toBeLessThanOrEqual(20);
    expect(slowMs).toBeGreaterThan(9_000);
    expect(slowMs).toBeLessThanOrEqual(10_000);
  });

  it('depend on the time and the seed, not on earlier calls', () => {
    const sameSeed = spikyLatency({ feed: 50, entry: 80, response: 40 }, SPIKES, seededRandom(7));
    const otherSeed = spikyLatency({ feed: 50, entry: 80, response: 40 }, SPIKES, seededRandom(8));
    const times = Array.from({ length: 500 }, (_, index) => 200_000 - index * 397);
    expect(times.map((time) => sameSeed.entry(time))).toEqual(times.map((time) => model.entry(time)));
    expect(times.map((time) => otherSeed.entry(time))).not.toEqual(times.map((time) => model.entry(time)));
  });
});
