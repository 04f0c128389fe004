import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dimension } from '../../../src/research/index.ts';
import { createGrid } from '../../../src/research/search/grid.ts';
import type { FinishedTrial } from '../../../src/research/search/pareto.ts';
import { createSearch, type Search, type SearchMethod } from '../../../src/research/search/search.ts';
import type { Values } from '../../../src/research/search/space.ts';
import { runs } from '../../runs.ts';

const METHODS: readonly SearchMethod[] = [
  { method: 'grid', points: 3 },
  { method: 'random' },
  { method: 'sobol' },
  { method: 'tpe', startup: 4, candidates: 24, batch: 3 },
];

/** Runs trials one after the other. */
function study(
  method: SearchMethod,
  space: readonly Dimension[],
  seed: number,
  count: number,
  objective: (values: Values) => number,
): readonly FinishedTrial[] {
  const search = createSearch(method, space, seed);
  const finished: FinishedTrial[] = [];
  for (let number = 0; number < count; number += 1) {
    const values = search.suggest(number, finished);
    finished.push({ number, values, objectives: [objective(values)] });
  }
  return finished;
}

const numeric = fc.record({
  low: fc.integer({ min: 1, max: 50 }),
  range: fc.integer({ min: 1, max: 1000 }),
  log: fc.boolean(),
  step: fc.option(fc.constantFrom(0.1, 0.5, 1), { nil: undefined }),
});

/** Up to six parameters, some with a condition on an earlier one. */
const anySpace = fc
  .array(fc.tuple(fc.constantFrom('number', 'integer', 'choice'), numeric, fc.nat(5)), { minLength: 1, maxLength: 6 })
  .map((entries) => {
    const space: Dimension[] = [];
    for (const [index, [kind, { low, range, log, step }, parentAt]] of entries.entries()) {
      const parent = space[parentAt];
      const when =
        parent === undefined || parent.kind === 'number'
          ? undefined
          : {
              parameter: parent.name,
              is: parent.kind === 'choice' ? parent.choices.slice(0, 2) : [parent.low, parent.high],
            };
      const name = `p${index}`;
      if (kind === 'choice') space.push({ kind, name, choices: ['x', index, true].slice(0, 2 + (low % 2)), when });
      else if (kind === 'integer') space.push({ kind, name, low, high: low + range, log, when });
      else space.push({ kind: 'number', name, low, high: low + range, log, step: log ? undefined : step, when });
    }
    return space;
  });

function isPossible(dimension: Dimension, value: unknown): boolean {
  if (dimension.kind === 'choice') return dimension.choices.some((choice) => choice === value);
  if (typeof value !== 'number' || value < dimension.low || value > dimension.high) return false;
  const step = dimension.kind === 'integer' ? 1 : dimension.step;
  if (step === undefined) return true;
  const steps = (value - dimension.low) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6;
}

function counts({ when }: Dimension, values: Values): boolean {
  return when === undefined || when.is.some((value) => value === values[when.parameter]);
}

describe.each(METHODS)('a search with the method $method', (method) => {
  it('gives possible values to exactly the parameters whose conditions hold', () => {
    fc.assert(
      fc.property(anySpace, fc.nat(1000), (space, seed) => {
        const trials = method.method === 'grid' ? Math.min(20, createGrid(space, 3).size) : 20;
        for (const { values } of study(method, space, seed, trials, (v) => Number(v['p0']) || 0)) {
          for (const dimension of space) {
            const value = values[dimension.name];
            expect(counts(dimension, values) ? isPossible(dimension, value) : value === undefined).toBe(true);
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('gives the same values for the same seed, number and results', () => {
    fc.assert(
      fc.property(anySpace, fc.nat(1000), (space, seed) => {
        const trials = method.method === 'grid' ? Math.min(12, createGrid(space, 3).size) : 12;
        const finished = study(method, space, seed, trials, (v) => Number(v['p0']) || 0);
        const second: Search = createSearch(method, space, seed);
        for (const { number, values } of [...finished].reverse())
          expect(second.suggest(number, finished)).toEqual(values);
      }),
      { numRuns: runs(50) },
    );
  });
});

interface Problem {
  readonly name: string;
  readonly space: readonly Dimension[];
  readonly objective: (values: Values) => number;
  readonly goal: number;
}

const MAX_TRIALS = 150;
const square = (x: number): number => x * x;
const PROBLEMS: readonly Problem[] = [
  {
    name: 'a hill in three numbers',
    space: ['a', 'b', 'c'].map((name) => ({ kind: 'number', name, low: -5, high: 5, log: false })),
    objective: (v) => -square(Number(v['a']) - 2) - square(Number(v['b']) + 1) - square(Number(v['c']) - 0.5),
    goal: -1,
  },
  {
    name: 'a ridge over orders of magnitude, with a choice',
    space: [
      { kind: 'number', name: 'gamma', low: 1e-4, high: 10, log: true },
      { kind: 'integer', name: 'levels', low: 1, high: 20, log: false },
      { kind: 'choice', name: 'model', choices: ['a', 'b', 'c', 'd'] },
    ],
    objective: (v) =>
      (v['model'] === 'c' ? 1 : 0) -
      square(Math.log(Number(v['gamma']) / 0.03)) / 10 -
      square(Number(v['levels']) - 7) / 20,
    goal: 0.93,
  },
  {
    name: 'a parameter that counts only for one choice',
    space: [
      { kind: 'choice', name: 'model', choices: ['flat', 'skewed', 'steep'] },
      { kind: 'number', name: 'skew', low: 0, high: 1, log: false, when: { parameter: 'model', is: ['skewed'] } },
      { kind: 'number', name: 'width', low: 1, high: 1000, log: true },
    ],
    objective: (v) =>
      (v['skew'] === undefined ? -1 : -4 * square(Number(v['skew']) - 0.3)) -
      square(Math.log(Number(v['width']) / 30)) / 4,
    goal: -0.03,
  },
];

/** Returns the number of trials until one reaches the goal. */
function trialsUntil({ space, objective, goal }: Problem, method: SearchMethod, seed: number): number {
  const search = createSearch(method, space, seed);
  const finished: FinishedTrial[] = [];
  while (finished.length < MAX_TRIALS) {
    const number = finished.length;
    const values = search.suggest(number, finished);
    finished.push({ number, values, objectives: [objective(values)] });
    if (objective(values) >= goal) break;
  }
  return finished.length;
}

describe('trials until a known function is near its maximum', () => {
  it.each(PROBLEMS)('are at least a quarter fewer for TPE than for random search: $name', (problem) => {
    const median = (method: SearchMethod): number => {
      const needed = Array.from({ length: 20 }, (_, seed) => trialsUntil(problem, method, seed)).sort((a, b) => a - b);
      return (Number(needed[9]) + Number(needed[10])) / 2;
    };
    expect(median({ method: 'tpe', startup: 10, candidates: 24, batch: 8 })).toBeLessThan(
      0.75 * median({ method: 'random' }),
    );
  });
});
