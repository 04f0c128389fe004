import { describe, expect, it } from 'vitest';
import type { Dimension } from '../../../src/research/index.ts';
import { createSearch } from '../../../src/research/search/search.ts';
import { type Condition, sortByDependency } from '../../../src/research/search/space.ts';

const width: Dimension = { kind: 'number', name: 'width', low: 1, high: 5, log: false };
const levels: Dimension = { kind: 'integer', name: 'levels', low: 1, high: 3, log: false };
const flat: Condition = { parameter: 'model', is: ['flat'] };
const model: Dimension = { kind: 'choice', name: 'model', choices: ['flat', 'skewed'] };

const WRONG: readonly (readonly [name: string, space: readonly Dimension[], message: string])[] = [
  ['an empty space', [], 'parameters: expected at least one parameter to search, got 0'],
  ['a name that repeats', [width, { ...levels, name: 'width' }], 'parameters: expected each name once, got "width"'],
  ['low above high', [{ ...width, low: 6 }], 'width.low: expected less than high, which is 5, got 6'],
  ['low equal to high', [{ ...levels, high: 1 }], 'levels.low: expected less than high, which is 1, got 1'],
  ['a bound that is not a number', [{ ...width, high: Number.NaN }], 'width.high: expected a number, got NaN'],
  ['an infinite bound', [{ ...width, low: Number.NEGATIVE_INFINITY }], 'width.low: expected a number, got -Infinity'],
  [
    'a fraction as a bound of an integer',
    [{ ...levels, high: 2.5 }],
    'levels.high: expected a whole number, because whole is true, got 2.5',
  ],
  ['log from 0', [{ ...width, low: 0, log: true }], 'width.low: expected more than 0, because log is true, got 0'],
  ['log with a step', [{ ...width, log: true, step: 1 }], 'width.step: expected no step, because log is true, got 1'],
  [
    'a step of 0',
    [{ ...width, step: 0 }],
    'width.step: expected more than 0 and at most high - low, which is 4, got 0',
  ],
  [
    'a step past high',
    [{ ...width, step: 5 }],
    'width.step: expected more than 0 and at most high - low, which is 4, got 5',
  ],
  [
    'one choice',
    [{ ...model, choices: ['flat'] }],
    'model.choices: expected at least two values to choose from, got 1',
  ],
  ['a choice that repeats', [{ ...model, choices: [1, 2, 1] }], 'model.choices: expected each value once, got 1'],
  [
    'a condition on an unknown parameter',
    [model, { ...width, when: { parameter: 'modell', is: ['flat'] } }],
    'width.when: expected one of model, got "modell"',
  ],
  [
    'a condition where there is no other parameter',
    [{ ...width, when: { parameter: 'model', is: ['flat'] } }],
    'width.when: expected no condition on another parameter, as there is none, got "model"',
  ],
  [
    'a condition on a number',
    [width, { ...model, when: { parameter: 'width', is: [2] } }],
    'model.when: expected a parameter with choices or with whole: true, got "width"',
  ],
  [
    'a condition without a value',
    [model, { ...width, when: { parameter: 'model', is: [] } }],
    'width.when: expected at least one value of model, got 0',
  ],
  [
    'a condition on a value that is not a choice',
    [model, { ...width, when: { parameter: 'model', is: ['flat', 'steep'] } }],
    'width.when: expected values that model can have, got "steep"',
  ],
  [
    'a condition on an integer that is above high',
    [levels, { ...width, when: { parameter: 'levels', is: [1, 4] } }],
    'width.when: expected values that levels can have, got 4',
  ],
  [
    'a condition on an integer that is below low',
    [levels, { ...width, when: { parameter: 'levels', is: [1, 0] } }],
    'width.when: expected values that levels can have, got 0',
  ],
  [
    'a condition on an integer that is a fraction',
    [levels, { ...width, when: { parameter: 'levels', is: [1, 1.5] } }],
    'width.when: expected values that levels can have, got 1.5',
  ],
  [
    'a condition on an integer that is a text',
    [levels, { ...width, when: { parameter: 'levels', is: [1, '2'] } }],
    'width.when: expected values that levels can have, got "2"',
  ],
  [
    'a condition on the parameter itself',
    [{ ...model, when: flat }],
    'model.when: expected conditions without a cycle, got "model -> model"',
  ],
  [
    'a cycle of conditions',
    [
      { ...width, when: flat },
      { ...model, when: { parameter: 'levels', is: [1] } },
      { ...levels, when: flat },
    ],
    'levels.when: expected conditions without a cycle, got "model -> levels -> model"',
  ],
];

describe('a space of parameters', () => {
  it.each(WRONG)('is refused with %s', (_, space, message) => {
    expect(() => createSearch({ method: 'random' }, space, 1)).toThrow(
      expect.objectContaining({ name: 'InputFault', message }),
    );
  });

  it('keeps the given order, but puts a parameter after the parameter of its condition', () => {
    const child: Dimension = { ...width, name: 'child', when: { parameter: 'levels', is: [1] } };
    const grandchild: Dimension = { ...width, name: 'grandchild', when: { parameter: 'kind', is: ['a'] } };
    const kind: Dimension = {
      kind: 'choice',
      name: 'kind',
      choices: ['a', 'b'],
      when: { parameter: 'levels', is: [2] },
    };
    const order = sortByDependency([width, grandchild, child, kind, levels, model]).map(({ name }) => name);
    expect(order).toEqual(['width', 'levels', 'kind', 'grandchild', 'child', 'model']);
  });

  it('uses a parameter only if its whole chain of conditions holds', () => {
    const kind: Dimension = {
      kind: 'choice',
      name: 'kind',
      choices: ['a', 'b'],
      when: { parameter: 'levels', is: [2] },
    };
    const last: Dimension = { ...width, when: { parameter: 'kind', is: ['a'] } };
    const search = createSearch({ method: 'random' }, [last, kind, levels], 3);
    const found = new Set(Array.from({ length: 60 }, (_, number) => Object.keys(search.suggest(number, [])).join(' ')));
    expect([...found].sort()).toEqual(['levels', 'levels kind', 'levels kind width']);
  });
});
