import { describe, expect, it } from 'vitest';
import type { Dimension } from '../../../src/research/index.ts';
import { createSearch } from '../../../src/research/search/search.ts';
import { sobolSequence } from '../../../src/research/search/sobol.ts';

/** Point 777 of SciPy 1.17's unscrambled sequence in 24 dimensions, times 1024. */
const POINT_777: readonly number[] = [
  709, 959, 167, 281, 651, 365, 195, 781, 357, 331, 763, 713, 393, 485, 583, 527, 413, 885, 379, 771, 243, 279, 969,
  493,
];

function dimensions(count: number): readonly Dimension[] {
  return Array.from({ length: count }, (_, at) => ({ kind: 'number', name: `p${at}`, low: 0, high: 1, log: false }));
}

describe('the Sobol sequence', () => {
  it('starts with the eight known points in three dimensions', () => {
    const point = sobolSequence([0, 0, 0]);
    expect(Array.from({ length: 8 }, (_, number) => point(number))).toEqual([
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
    ]);
  });

  it('agrees with an independent implementation in all 24 dimensions', () => {
    const point = sobolSequence(new Array<number>(24).fill(0));
    expect(point(777).map((coordinate) => coordinate * 1024)).toEqual(POINT_777);
  });

  it('is shifted by the bits of each dimension', () => {
    const point = sobolSequence([0x4ccccccd, 0x9999999a, 0xe6666666]);
    const shifted = Array.from({ length: 4 }, (_, number) => point(number).map((u) => Number(u.toFixed(9))));
    expect(shifted).toEqual([
      [0.3, 0.6, 0.9],
      [0.8, 0.1, 0.4],
      [0.55, 0.85, 0.65],
      [0.05, 0.35, 0.15],
    ]);
  });

  it('puts one of 64 shifted points into each 64th of every parameter', () => {
    const search = createSearch({ method: 'sobol' }, dimensions(6), 5);
    const trials = Array.from({ length: 64 }, (_, number) => Object.values(search.suggest(number, [])));
    for (let at = 0; at < 6; at += 1) {
      expect(new Set(trials.map((values) => Math.floor(Number(values[at]) * 64))).size).toBe(64);
    }
  });

  it('differs between seeds', () => {
    const [a, b] = [1, 2].map((seed) => createSearch({ method: 'sobol' }, dimensions(2), seed).suggest(0, []));
    expect(a).not.toEqual(b);
  });

  it('refuses more than 24 parameters', () => {
    expect(() => createSearch({ method: 'sobol' }, dimensions(25), 1)).toThrow(
      'parameters: expected at most 24 for sobol; use random or tpe, got 25',
    );
  });
});
