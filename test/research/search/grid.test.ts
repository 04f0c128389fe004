import { describe, expect, it } from 'vitest';
import type { Dimension } from '../../../src/research/index.ts';
import { createGrid } from '../../../src/research/search/grid.ts';
import { createSearch } from '../../../src/research/search/search.ts';

const size: Dimension = { kind: 'number', name: 'size', low: 10, high: 1000, log: true };
const levels: Dimension = { kind: 'integer', name: 'levels', low: 1, high: 2, log: false };
const model: Dimension = { kind: 'choice', name: 'model', choices: ['a', 'b'] };

function combinations(space: readonly Dimension[], points: number): readonly unknown[] {
  const search = createSearch({ method: 'grid', points }, space, 1);
  return Array.from({ length: createGrid(space, points).size }, (_, number) => search.suggest(number, []));
}

describe('a grid', () => {
  it('has all combinations, the last parameter changing first', () => {
    expect(combinations([size, levels], 3)).toEqual([
      { size: 10, levels: 1 },
      { size: 10, levels: 2 },
      { size: 100, levels: 1 },
      { size: 100, levels: 2 },
      { size: 1000, levels: 1 },
      { size: 1000, levels: 2 },
    ]);
  });

  it('has each combination once if a parameter is inactive', () => {
    expect(combinations([{ ...size, when: { parameter: 'model', is: ['b'] } }, model, levels], 3)).toHaveLength(8);
    expect(combinations([{ ...size, when: { parameter: 'model', is: ['b'] } }, model], 3)).toEqual([
      { model: 'a' },
      { model: 'b', size: 10 },
      { model: 'b', size: 100 },
      { model: 'b', size: 1000 },
    ]);
  });

  it('spaces integers and steps evenly, and uses each value once', () => {
    const wide: Dimension = { kind: 'integer', name: 'n', low: 1, high: 100, log: true };
    expect(combinations([wide], 3)).toEqual([{ n: 1 }, { n: 10 }, { n: 100 }]);
    expect(combinations([{ ...wide, high: 4 }], 4)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
    const stepped: Dimension = { kind: 'number', name: 'x', low: 0, high: 0.9, log: false, step: 0.2 };
    expect(combinations([stepped], 3)).toEqual([{ x: 0 }, { x: 0.4 }, { x: 0.8 }]);
  });

  it('has only the two ends with two points', () => {
    expect(combinations([size], 2)).toEqual([{ size: 10 }, { size: 1000 }]);
  });

  it('counts spaces that are too large to list', () => {
    const many = Array.from({ length: 12 }, (_, at): Dimension => ({ ...size, name: `p${at}` }));
    expect(createGrid(many, 10).size).toBe(1e12);
    expect(createSearch({ method: 'grid', points: 10 }, many, 1).suggest(1e12 - 1, [])['p11']).toBe(1000);
  });
});
