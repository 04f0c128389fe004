import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import {
  deflatedSharpe,
  eventsNeeded,
  expectedMaxSharpe,
  independentTrials,
  meanCorrelation,
  sharpeStatistics,
} from '../../../src/research/judge/deflated-sharpe.ts';

describe('the deflated Sharpe ratio', () => {
  it('has the numbers of its paper', () => {
    const figures = { sharpe: 2.5 / Math.sqrt(250), count: 1_250, skewness: -3, kurtosis: 10 };
    const searched = { trials: 100, variance: 0.002 };
    expect(expectedMaxSharpe(searched)).toBeCloseTo(0.113_172, 6);
    expect(deflatedSharpe(figures, searched)).toBeCloseTo(0.900_397, 6);
  });

  it('has the worked numbers of few markets and many trials', () => {
    const figures = { sharpe: 0.35, count: 60, skewness: -1.2, kurtosis: 7 };
    expect(expectedMaxSharpe({ trials: 200, variance: 0.01 })).toBeCloseTo(0.276_552, 6);
    expect(deflatedSharpe(figures, { trials: 200, variance: 0.01 })).toBeCloseTo(0.672_016, 6);
    expect(deflatedSharpe(figures, { trials: 1, variance: 0.01 })).toBeCloseTo(0.983_118, 6);
  });

  it('counts correlated trials less and returns the number of markets needed', () => {
    const figures = { sharpe: 0.35, count: 60, skewness: -1.2, kurtosis: 7 };
    const searched = { trials: independentTrials(200, 0.9), variance: 0.01 };
    expect(searched.trials).toBeCloseTo(20.9, 9);
    expect(expectedMaxSharpe(searched)).toBeCloseTo(0.192_002, 6);
    expect(deflatedSharpe(figures, searched)).toBeCloseTo(0.831_049, 6);
    expect(eventsNeeded(figures, searched)).toBeCloseTo(174.815, 3);
    expect(eventsNeeded({ ...figures, sharpe: 0.1 }, searched)).toBeUndefined();
  });
});

describe('figures of a sample', () => {
  it('are the mean over the standard deviation, skewness and kurtosis', () => {
    const figures = sharpeStatistics([1, 2, 3, 4, 10]);
    expect(figures?.sharpe).toBeCloseTo(4 / Math.sqrt(12.5), 9);
    expect(figures?.skewness).toBeCloseTo(36 / (10 * Math.sqrt(10)), 9);
    expect(figures?.kurtosis).toBeCloseTo(278.8 / 100, 9);
  });

  it('are undefined for fewer than three values and for equal values', () => {
    expect(sharpeStatistics([1, 2])).toBeUndefined();
    expect(sharpeStatistics([2, 2, 2, 2])).toBeUndefined();
  });
});

describe('the mean correlation of trials', () => {
  it('is 1 for multiples of each other, and 0 for opposite or constant trials', () => {
    expect(
      meanCorrelation([
        [1, 2, 4],
        [2, 4, 8],
        [3, 6, 12],
      ]),
    ).toBeCloseTo(1, 9);
    expect(
      meanCorrelation([
        [1, 2, 4],
        [-1, -2, -4],
      ]),
    ).toBe(0);
    expect(
      meanCorrelation([
        [1, 2, 4],
        [5, 5, 5],
      ]),
    ).toBe(0);
  });
});

describe('200 studies of 50 trials on 60 events', () => {
  /** Deflated ratios of the best trials. @param edge added to each event of one trial, in standard deviations */
  const ratios = (edge: number): readonly number[] =>
    Array.from({ length: 200 }, (_, study) => {
      const random = seededRandom(study);
      const trials = Array.from({ length: 50 }, (_none, trial) =>
        Array.from({ length: 60 }, () => random.normal() + (trial === 17 ? edge : 0)),
      );
      const figures = trials.flatMap((values) => sharpeStatistics(values) ?? []);
      const best = figures.reduce((top, next) => (next.sharpe > top.sharpe ? next : top));
      const mean = figures.reduce((sum, { sharpe }) => sum + sharpe, 0) / figures.length;
      const squares = figures.reduce((sum, { sharpe }) => sum + (sharpe - mean) * (sharpe - mean), 0);
      return deflatedSharpe(best, { trials: figures.length, variance: squares / (figures.length - 1) });
    });

  it('without an edge pass in at most 5 of 100', () => {
    expect(ratios(0).filter((ratio) => ratio >= 0.95).length).toBeLessThanOrEqual(10);
  });

  it('with a planted edge pass in at least 80 of 100', () => {
    expect(ratios(0.9).filter((ratio) => ratio >= 0.95).length).toBeGreaterThanOrEqual(160);
  });
});
