import { describe, expect, it } from 'vitest';
import { batches } from '../../../src/venues/base/batches.ts';

describe('batches', () => {
  it.each([
    [
      3,
      [
        [1, 2, 3],
        [4, 5],
      ],
    ],
    [5, [[1, 2, 3, 4, 5]]],
    [1, [[1], [2], [3], [4], [5]]],
    [0, [[1], [2], [3], [4], [5]]],
    [-2, [[1], [2], [3], [4], [5]]],
    [Number.NaN, [[1], [2], [3], [4], [5]]],
    [2.5, [[1, 2], [3, 4], [5]]],
  ])(
    'contain every entry once when the maximum size is %s, and one entry each when it is below one',
    (max, expected) => {
      expect(batches([1, 2, 3, 4, 5], max)).toEqual(expected);
      expect(batches([], max)).toEqual([]);
    },
  );
});
