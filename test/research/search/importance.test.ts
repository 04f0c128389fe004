import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import {
  createSearch,
  type Dimension,
  type Finished,
  parameterImportance,
  type Values,
} from '../../../src/research/index.ts';

const big: Dimension = { kind: 'number', name: 'big', low: 0, high: 1, log: false };
const small: Dimension = { kind: 'integer', name: 'small', low: 0, high: 9, log: false };
const none: Dimension = { kind: 'number', name: 'none', low: 1, high: 100, log: true };
const model: Dimension = { kind: 'choice', name: 'model', choices: ['a', 'b'] };

function study(space: readonly Dimension[], count: number, objective: (values: Values) => number): readonly Finished[] {
  const search = createSearch({ kind: 'random' }, space, 11);
  return Array.from({ length: count }, (_, number) => {
    const values = search.suggest(number, []);
    return { number, values, objectives: [0, objective(values)] };
  });
}

describe('the importance of a parameter', () => {
  it('is the variance that its groups explain, less what chance explains', () => {
    const finished = [1, 2, 3, 5, 6, 7].map((score, number) => ({
      number,
      values: { model: number < 3 ? 'a' : 'b' },
      objectives: [score],
    }));
    const [first] = parameterImportance([model], finished);
    expect(first).toEqual({ name: 'model', share: 1, explained: expect.closeTo(0.821429, 6) });
  });

  it('orders parameters by what they do, and gives about 0 to one that does nothing', () => {
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

  it('counts a parameter that matters by being there at all', () => {
    const child: Dimension = { ...big, when: { parameter: 'model', is: ['b'] } };
    const finished = study([model, child], 200, (values) => (values['big'] === undefined ? 0 : 5));
    const found = parameterImportance([model, child], finished, 1);
    expect(found.map(({ explained }) => explained)).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
  });

  it('is 0 for all when the objective never changes, and leaves failed trials out', () => {
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
