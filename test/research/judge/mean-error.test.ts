import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { type MarketPnl, meanError, meanInterval, pnlByEvent } from '../../../src/research/judge/mean-error.ts';

const market = (pnl: number, event: string, day: number): MarketPnl => ({ event, day, pnl });

describe('the error of a mean over markets', () => {
  it('has the worked numbers, with markets clustered by event and by day', () => {
    const pnls = [12, -8, 5, 3, -20, 9];
    const [events, days] = [
      [1, 1, 2, 3, 3, 4],
      [1, 2, 1, 2, 2, 3],
    ];
    const markets = pnls.map((pnl, at) => market(pnl, `${events[at]}`, days[at] ?? 0));
    expect(meanError(markets)).toBeCloseTo(4.751_54, 5);
  });

  it('is the larger error of event and day if the combined variance is not positive', () => {
    // Sums by event and by day are 0, sums of both are not.
    const markets = [market(1, 'a', 1), market(-1, 'a', 2), market(-1, 'b', 1), market(1, 'b', 2)];
    expect(meanError(markets)).toBe(0);
  });

  it('is 0 for a single market', () => {
    expect(meanError([market(5, 'a', 1)])).toBe(0);
  });

  it('does not depend on a constant and scales with the values', () => {
    const anyMarket = fc.record({ pnl: fc.integer({ min: -100, max: 100 }), event: fc.nat(3), day: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(anyMarket, { minLength: 2, maxLength: 20 }), (inputs) => {
        const errorOf = (change: (pnl: number) => number) =>
          meanError(inputs.map(({ pnl, event, day }) => market(change(pnl), `${event}`, day)));
        const error = errorOf((pnl) => pnl);
        expect(errorOf((pnl) => pnl + 7)).toBeCloseTo(error, 6);
        expect(errorOf((pnl) => -3 * pnl)).toBeCloseTo(3 * error, 6);
      }),
    );
  });
});

describe('the interval of a mean', () => {
  const randomMarkets = (count: number, seed: number): readonly MarketPnl[] => {
    const random = seededRandom(seed);
    return Array.from({ length: count }, (_, at) => market(random.normal(), `${at}`, at));
  };

  it('is undefined with fewer than 20 events', () => {
    expect(meanInterval(randomMarkets(19, 1), seededRandom(1))).toBeUndefined();
  });

  it.each<[string, (at: number) => readonly [event: string, day: number]]>([
    ['its own event and day', (at) => [`${at}`, at]],
    ['its own event and shares its day', (at) => [`${at}`, at % 40]],
    ['its own day and shares its event', (at) => [`${at % 40}`, at]],
  ])('is about 1.96 standard errors wide to each side where each market has %s', (_, groupsOf) => {
    const random = seededRandom(3);
    const markets = Array.from({ length: 120 }, (_, at) => market(random.normal(), ...groupsOf(at)));
    const [low, high] = meanInterval(markets, seededRandom(1)) ?? [0, 0];
    expect((high - low) / meanError(markets) / 2).toBeCloseTo(1.96, 0);
  });

  it('is the same for the same seed and contains the true mean about 19 times in 20', () => {
    const contains = Array.from({ length: 60 }, (_, seed) => {
      const [low, high] = meanInterval(randomMarkets(30, seed), seededRandom(seed)) ?? [1, -1];
      return low <= 0 && high >= 0;
    });
    const share = contains.filter(Boolean).length / contains.length;
    expect(share).toBeGreaterThan(0.88);
    const computeOnce = () => meanInterval(randomMarkets(30, 5), seededRandom(9));
    expect(computeOnce()).toEqual(computeOnce());
  });
});

it('pnlByEvent adds up the markets of each event', () => {
  expect(pnlByEvent([market(1, 'a', 1), market(2, 'b', 1), market(4, 'a', 2)])).toEqual([5, 2]);
});
