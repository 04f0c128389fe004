import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import type { Dimension } from '../../../src/research/index.ts';
import { parameterImportance } from '../../../src/research/search/importance.ts';
import type { FinishedTrial } from '../../../src/research/search/pareto.ts';
import { createSearch } from '../../../src/research/search/search.ts';
import type { Values } from '../../../src/research/search/space.ts';

const big: Dimension = { kind: 'number', name: 'big', low: 0, high: 1, log: false };
const small: Dimension = { kind: 'integer', name: 'small', low: 0, high: 9, log: false };
const none: Dimension = { kind: 'number', name: 'none', low: 1, high: 100, log: true };
const model: Dimension = { kind: 'choice', name: 'model', choices: ['a', 'b'] };

function study(
  space: readonly Dimension[],
  count: number,
  objective: (values: Values) => number,
): readonly FinishedTrial[] {
  const search = createSearch({ method: 'random' }, space, 11);
  return Array.from({ length: count }, (_, number) => {
    const values = search.suggest(number, []);
    return { number, values, objectives: [0, objective(values)] };
  });
}

describe('the importance of a parameter', () => {
  it('is the variance that its groups explain, less that explained by chance', () => {
    const finished = [1, 2, 3, 5, 6, 7].map((score, number) => ({
      number,
      values: { model: number < 3 ? 'a' : 'b' },
      objectives: [score],
    }));
    const [first] = parameterImportance([model], finished);
    expect(first).toEqual({ name: 'model', share: 1, explained: expect.closeTo(0.821429, 6) });
  });

  it('groups n numbers into about the root of n groups, at least 2, with equal numbers in one group', () => {
    const explained = (sizes: readonly number[], scores: readonly number[]): number | undefined => {
      const finished = sizes.map((value, number) => ({
        number,
        values: { big: value },
        objectives: [scores[number] ?? 0],
      }));
      return parameterImportance([big], finished)[0]?.explained;
    };
    expect(explained([0.7, 0.1, 0.2, 0.9, 0.3, 0.8], [5, 1, 2, 7, 3, 6])).toBeCloseTo(0.821429, 6);
    // Three groups of three, which differ only from one another; two groups of two without a difference.
    expect(explained([1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 1, 1, 5, 5, 5, 2, 2, 2])).toBe(1);
    expect(explained([1, 2, 3], [1, 1, 3])).toBe(1);
    expect(explained([1, 1, 1, 1], [1, 5, 2, 6])).toBe(0);
  });

  it('is 0 with as many groups as trials', () => {
    const finished = ['a', 'b'].map((value, number) => ({ number, values: { model: value }, objectives: [number] }));
    expect(parameterImportance([model], finished)[0]?.explained).toBe(0);
  });

  it('ranks parameters by their effect, and is about 0 for one without effect', () => {
    const noise = seededRandom(4);
    const finished = study(
      [none, small, big],
      400,
      (values) => 10 * Number(values['big']) + 0.4 * Number(values['small']) + noise.normal(),
    );
    const found = parameterImportance([none, small, big], finished, 1);
    expect(found.map(({ name }) => name)).toEqual(['big', 'small', 'none']);
    // Variances: 100/12 of `big`, 0.16 * 99/12 of `small`, 1 of the noise.
    expect(found[0]?.share).toBeCloseTo(0.86, 1);
    expect(found[1]?.share).toBeCloseTo(0.14, 1);
    expect(found[2]?.share).toBeLessThan(0.05);
    expect(found.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('counts a parameter whose presence matters', () => {
    const child: Dimension = { ...big, when: { parameter: 'model', is: ['b'] } };
    const finished = study([model, child], 200, (values) => (values['big'] === undefined ? 0 : 5));
    const found = parameterImportance([model, child], finished, 1);
    expect(found.map(({ explained }) => explained)).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
  });

  it('is 0 for all when the objective is constant, and ignores failed trials', () => {
    expect(
      parameterImportance(
        [big, model],
        study([big, model], 50, () => 3),
        1,
      ),
    ).toEqual([
      { name: 'big', share: 0, explained: 0 },
      { name: 'model', share: 0, explained: 0 },
    ]);
    const finished = study([big], 50, (values) => (Number(values['big']) > 0.5 ? Number.NEGATIVE_INFINITY : 1));
    expect(parameterImportance([big], finished, 1)).toEqual([{ name: 'big', share: 0, explained: 0 }]);
    expect(parameterImportance([big], [])).toEqual([{ name: 'big', share: 0, explained: 0 }]);
  });
});
