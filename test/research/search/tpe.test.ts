import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import type { Dimension } from '../../../src/research/index.ts';
import { makeAxis } from '../../../src/research/search/axis.ts';
import type { FinishedTrial } from '../../../src/research/search/pareto.ts';
import { choiceDensity, computeDeviations, kernelWeights, numberDensity } from '../../../src/research/search/parzen.ts';
import { createSearch } from '../../../src/research/search/search.ts';
import { splitTrials } from '../../../src/research/search/tpe.ts';

const X = [10, 80, 35, 60, 20, 90, 50, 5, 70, 40, 30, 25];
const Y = [3, -2, 9, 1, 6, -5, 4, 0, 2, 8, 7, 5];
const hundred: Dimension & { kind: 'number' } = { kind: 'number', name: 'x', low: 0, high: 100, log: false };

function trials(xs: readonly number[], ys: readonly number[]): readonly FinishedTrial[] {
  return xs.map((x, number) => ({ number, values: { x }, objectives: [ys[number] ?? 0] }));
}

function xs(finished: readonly FinishedTrial[]): readonly number[] {
  return finished.map(({ values }) => Number(values['x']));
}

function logs(dimension: Parameters<typeof makeAxis>[0], observed: readonly number[], at: readonly number[]): number[] {
  const density = numberDensity(makeAxis(dimension), observed);
  return at.map((value) => density.log(value));
}

function toSixDecimals(values: readonly number[]): readonly unknown[] {
  return values.map((value) => expect.closeTo(value, 6));
}

describe('the best trials', () => {
  it('are a tenth, rounded up, in the order of the trials', () => {
    const { best, others } = splitTrials(trials(X, Y));
    expect(xs(best)).toEqual([35, 40]);
    expect(xs(others)).toEqual([10, 80, 60, 20, 90, 50, 5, 70, 30, 25]);
  });

  it('are 7 of 70, at most 25, and the earlier ones on ties', () => {
    const all = Array.from({ length: 400 }, (_, x) => x);
    expect(xs(splitTrials(trials(all.slice(0, 70), [])).best)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(splitTrials(trials(all, all)).best).toHaveLength(25);
  });

  it('are the trials of the first fronts when there are several objectives', () => {
    const finished = Array.from({ length: 20 }, (_, number) => ({
      number,
      values: { x: number },
      objectives: number === 12 ? [50, -50] : number === 17 ? [-50, 50] : [number % 5, number % 5],
    }));
    expect(xs(splitTrials(finished).best)).toEqual([4, 9]);
    expect(xs(splitTrials(finished.slice(0, 10)).best)).toEqual([4]);
    expect(xs(splitTrials([...finished].reverse()).best)).toEqual([19, 17]);
  });
});

describe('the estimated density of a number', () => {
  it('has kernels as wide as the distance to the farther neighbour', () => {
    const { best, others } = splitTrials(trials(X, Y));
    expect(computeDeviations(xs(best), 0, 100)).toEqual([25, 25]);
    expect(computeDeviations(xs(others), 0, 100)).toEqual(
      [10, 10, 10, 10, 10, 20, 25 / 3, 10, 20, 25 / 3].map((d) => expect.closeTo(d, 9)),
    );
    expect(computeDeviations([30], 0, 100)).toEqual([70]);
    expect(computeDeviations([], 0, 100)).toEqual([]);
  });

  it('prefers values that are frequent among the best and rare among the others', () => {
    const { best, others } = splitTrials(trials(X, Y));
    const at = [20, 35, 38, 45, 60, 85];
    const rest = logs(hundred, xs(others), at);
    const gains = logs(hundred, xs(best), at).map((value, index) => value - (rest[index] ?? 0));
    expect(gains).toEqual(toSixDecimals([-0.155576, 0.628918, 0.794083, 0.883069, 0.148218, -0.63303]));
  });

  // Expected values: `_ParzenEstimator.log_pdf` of Optuna 5.0.0 with the same observations.
  it('agrees with Optuna for an integer, also by its logarithm', () => {
    const integer = { kind: 'integer', name: 'n', low: 1, high: 10, log: false } as const;
    expect(logs(integer, [2, 3], [1, 2, 5, 10])).toEqual(
      toSixDecimals([-1.93407451, -1.81018449, -2.15125987, -3.40663222]),
    );
    const wide = { ...integer, high: 100, log: true };
    expect(logs(wide, [2, 30], [1, 2, 50, 100])).toEqual(
      toSixDecimals([-1.6791184, -2.3278305, -5.62885469, -6.44452228]),
    );
  });

  it('agrees with Optuna for a logarithm, up to the scale that both mixtures share', () => {
    const log = { kind: 'number', name: 'x', low: 10, high: 1000, log: true } as const;
    const at = [10, 20, 150, 1000];
    const rest = logs(log, [900, 50, 60], at);
    const gains = logs(log, [20, 300], at).map((value, index) => value - (rest[index] ?? 0));
    expect(gains).toEqual(toSixDecimals([0.30985592, 0.03971162, -0.01643764, 0.0734093]));
  });

  it('agrees with Optuna for steps', () => {
    const step = { kind: 'number', name: 'x', low: 0, high: 1, log: false, step: 0.1 } as const;
    expect(logs(step, [0.2, 0.5], [0, 0.2, 0.5, 1])).toEqual(
      toSixDecimals([-2.46608876, -2.16551341, -2.18355339, -3.16908698]),
    );
  });

  it('agrees with Optuna for 30 observations, of which the oldest weigh less', () => {
    const range = { kind: 'number', name: 'x', low: 0, high: 32, log: false } as const;
    const observed = Array.from({ length: 30 }, (_, at) => ((7 * at) % 31) + 0.5);
    expect(logs(range, observed, [1, 10, 31])).toEqual(toSixDecimals([-3.91116126, -3.33373308, -3.9327975]));
  });

  it('agrees with Optuna without observations', () => {
    const range = { kind: 'number', name: 'x', low: 0, high: 10, log: false } as const;
    expect(logs(range, [], [1, 5])).toEqual(toSixDecimals([-2.34160729, -2.26160729]));
  });

  it('weights the oldest of more than 25 observations from 1/k to 1', () => {
    const weights = kernelWeights(28).map((weight) => weight / (kernelWeights(28).at(-1) ?? 1));
    expect(weights).toEqual(
      [1 / 28, (1 / 28 + 1) / 2, ...new Array<number>(27).fill(1)].map((w) => expect.closeTo(w, 9)),
    );
    expect(kernelWeights(26)[0]).toBeCloseTo(1 / 26 / (26 + 1 / 26), 12);
    expect(kernelWeights(25)).toEqual(new Array<number>(26).fill(1 / 26));
  });

  it('draws values in proportion to their probability', () => {
    const integer = { kind: 'integer', name: 'n', low: 1, high: 6, log: false } as const;
    const density = numberDensity(makeAxis(integer), [2, 2, 5]);
    const drawn = density.draw(seededRandom(3), 20_000);
    for (let value = 1; value <= 6; value += 1) {
      const share = drawn.filter((draw) => draw === value).length / drawn.length;
      expect(Math.abs(share - Math.exp(density.log(value)))).toBeLessThan(0.015);
    }
  });
});

describe('the estimated probability of a choice', () => {
  it('is mixed from the observed choices and the prior', () => {
    const density = choiceDensity(['a', 'b', 'c'], ['a', 'a', 'c']);
    const probabilities = ['a', 'b', 'c'].map((choice) => Math.exp(density.log(choice)));
    expect(probabilities).toEqual(toSixDecimals([10 / 21, 4 / 21, 1 / 3]));
    const drawn = density.draw(seededRandom(3), 20_000);
    expect(drawn.filter((choice) => choice === 'a').length / drawn.length).toBeCloseTo(0.476, 1);
  });

  it('is the same for all choices without observations', () => {
    expect(choiceDensity([1, 2, 3, 4], []).log(3)).toBeCloseTo(Math.log(0.25), 12);
  });
});

const TPE = { method: 'tpe', startup: 10, candidates: 24, batch: 8 } as const;

describe('a TPE search', () => {
  const known = trials([...X, ...X.map((x) => x + 3)], [...Y, ...Y]);

  it('uses only the results of earlier batches, in any order', () => {
    const search = createSearch(TPE, [hundred], 1);
    const expected = search.suggest(18, known.slice(0, 16));
    expect(search.suggest(18, [...known].reverse())).toEqual(expected);
    expect(search.suggest(23, known)).not.toEqual(search.suggest(22, known));
  });

  it('proposes random values until 10 trials have finished', () => {
    const [tpe, random] = [createSearch(TPE, [hundred], 1), createSearch({ method: 'random' }, [hundred], 1)];
    const suggestBoth = (number: number): readonly unknown[] => [
      tpe.suggest(number, known),
      random.suggest(number, known),
    ];
    for (const number of [0, 7, 8, 15]) expect(suggestBoth(number)[0]).toEqual(suggestBoth(number)[1]);
    expect(suggestBoth(16)[0]).not.toEqual(suggestBoth(16)[1]);
  });

  it('fails when a result of an earlier batch is missing', () => {
    const search = createSearch(TPE, [hundred], 1);
    expect(search.batch).toBe(8);
    expect(() => search.suggest(16, known.slice(0, 15))).toThrow('Invariant: 15 results of the trials before 16');
  });
});
