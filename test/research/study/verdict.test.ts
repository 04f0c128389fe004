import { describe, expect, it } from 'vitest';
import type { MarketPnl } from '../../../src/research/judge/mean-error.ts';
import type { Dimension } from '../../../src/research/search/space.ts';
import { computeOutOfSample, type JudgedStudy, listWarnings } from '../../../src/research/study/verdict.ts';

/** Markets of separate events and days that earn `pnls` in turn. */
function markets(count: number, ...pnls: readonly number[]): readonly MarketPnl[] {
  return Array.from({ length: count }, (_, at) => ({
    event: `e${at}`,
    day: at,
    pnl: pnls[at % pnls.length] ?? 0,
  }));
}

const JUDGED: JudgedStudy = {
  dsr: 0.99,
  pbo: 0.1,
  eventsNeeded: 10,
  done: 10,
  failed: 0,
  events: 40,
  best: {},
  dimensions: [],
  random: null,
  tests: [{ before: 2, test: 1 }],
  outOfSample: computeOutOfSample(markets(20, 2, 1)),
  differences: [],
  testDifferences: [],
};

describe('the controls', () => {
  const difference = { name: 'do nothing', markets: 20, error: 1 };

  it('are beaten only by a difference of more than 1.645 standard errors', () => {
    const better = [{ ...difference, pnl: 1.65 }];
    expect(listWarnings({ ...JUDGED, differences: better, testDifferences: better })).toEqual([]);
    const similar = [{ ...difference, pnl: 1.64 }];
    expect(listWarnings({ ...JUDGED, differences: similar, testDifferences: similar })).toEqual([
      'The best trial is not better than "do nothing": the difference is 1.64 ± 1.00 USD a market.',
      'In the tests, the best trial is not better than "do nothing": the difference is 1.64 ± 1.00 USD a market.',
    ]);
  });

  it('are beaten on a single market, which has no error, by a larger P&L', () => {
    const single = { name: 'do nothing', markets: 1, error: 0 };
    expect(listWarnings({ ...JUDGED, differences: [{ ...single, pnl: 0.01 }] })).toEqual([]);
    expect(listWarnings({ ...JUDGED, differences: [{ ...single, pnl: 0 }] })).toHaveLength(1);
  });
});

describe('the tests of a study', () => {
  it('have an interval of their mean from 20 events on', () => {
    const [low = 0, high = 0] = computeOutOfSample(markets(20, 2, 1)).interval ?? [];
    expect(low).toBeLessThan(1.5);
    expect(high).toBeGreaterThan(1.5);
    expect(computeOutOfSample(markets(19, 2, 1)).interval).toBeNull();
  });

  it('are passed by 20 events with a mean of more than 1.645 standard errors', () => {
    expect(computeOutOfSample(markets(20, 2, 1))).toMatchObject({ markets: 20, events: 20, pnl: 1.5, passes: true });
    expect(listWarnings(JUDGED)).toEqual([]);
  });

  it('are not passed by a mean within 1.645 standard errors of 0', () => {
    const outOfSample = computeOutOfSample(markets(20, 10, -9));
    expect(outOfSample).toMatchObject({ pnl: 0.5, passes: false });
    expect(listWarnings({ ...JUDGED, outOfSample })).toEqual([
      'The tests do not show that the best trial earns: it made 0.50 ± 2.12 USD a market there.',
    ]);
  });

  it.each([
    [1, 'is 1 event'],
    [19, 'are 19 events'],
  ])('are not passed by %i events', (count, text) => {
    const outOfSample = computeOutOfSample(markets(count, 2, 1));
    expect(outOfSample.passes).toBe(false);
    expect(listWarnings({ ...JUDGED, outOfSample })).toEqual([
      `In the tests there ${text}. With fewer than 20, they do not show that the best trial earns.`,
    ]);
  });

  it('count markets of one event as one event', () => {
    const same = markets(40, 2, 1).map((market, index) => ({ ...market, event: `e${index % 19}` }));
    expect(computeOutOfSample(same)).toMatchObject({ markets: 40, events: 19, passes: false });
  });
});

describe('the end of a range', () => {
  const range = { kind: 'number', name: 'p', low: 0.02, high: 1, log: false } as const;
  const isAtEnd = (dimension: Dimension, value: number) =>
    listWarnings({ ...JUDGED, dimensions: [dimension], best: { p: value } }).length > 0;

  it('is the first and last hundredth of a linear range', () => {
    expect([0.0297, 0.03, 0.99, 0.9903].map((value) => isAtEnd(range, value))).toEqual([true, false, false, true]);
  });

  it('is the first and last hundredth of the logarithms of a logarithmic range', () => {
    const log = { ...range, log: true };
    expect([0.0207, 0.021, 0.96, 0.963].map((value) => isAtEnd(log, value))).toEqual([true, false, false, true]);
  });

  it('is the first and last value of a range of integers', () => {
    for (const log of [false, true]) {
      const integers = { ...range, kind: 'integer', low: 2, high: 1_000, log } as const;
      expect([2, 3, 999, 1_000].map((value) => isAtEnd(integers, value))).toEqual([true, false, false, true]);
    }
  });
});
