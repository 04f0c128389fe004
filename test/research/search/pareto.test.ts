import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dominationRanks, type FinishedTrial, paretoFront } from '../../../src/research/search/pareto.ts';
import { runs } from '../../runs.ts';

function trials(objectives: readonly (readonly number[])[]): readonly FinishedTrial[] {
  return objectives.map((values, number) => ({ number, values: {}, objectives: values }));
}

function dominates(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, at) => value >= Number(b[at])) && a.some((value, at) => value > Number(b[at]));
}

/** Removes the non-dominated trials repeatedly. */
function slowRanks(all: readonly FinishedTrial[]): readonly number[] {
  const ranks = new Map<FinishedTrial, number>();
  for (let front = 0; ranks.size < all.length; front += 1) {
    const left = all.filter((trial) => !ranks.has(trial));
    for (const trial of left) {
      if (!left.some((other) => dominates(other.objectives, trial.objectives))) ranks.set(trial, front);
    }
  }
  return all.map((trial) => ranks.get(trial) ?? -1);
}

describe('trials with several objectives', () => {
  const example = trials([
    [1, 4],
    [2, 2],
    [4, 1],
    [1, 1],
    [2, 2],
  ]);

  it('are ranked by the front that they are in', () => {
    expect(dominationRanks(example)).toEqual([0, 0, 0, 1, 0]);
  });

  it('have a Pareto front without failed trials', () => {
    const failed = { number: 9, values: {}, objectives: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] };
    expect(paretoFront([failed, ...example].reverse()).map(({ number }) => number)).toEqual([0, 1, 2, 4]);
    expect(paretoFront([failed, { ...failed, objectives: [5, Number.NEGATIVE_INFINITY] }])).toEqual([]);
    expect(dominationRanks([failed, ...example])).toEqual([2, 0, 0, 0, 1, 0]);
  });

  it('have the ranks of a repeated removal of fronts', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Number.NEGATIVE_INFINITY));
    const any = fc
      .integer({ min: 1, max: 3 })
      .chain((count) => fc.array(fc.array(value, { minLength: count, maxLength: count }), { maxLength: 30 }));
    fc.assert(
      fc.property(any, (objectives) => {
        expect(dominationRanks(trials(objectives))).toEqual(slowRanks(trials(objectives)));
      }),
      { numRuns: runs(500) },
    );
  });
});
