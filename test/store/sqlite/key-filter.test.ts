import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { KeyFilter } from '../../../src/store/sqlite/key-filter.ts';

const KEYS = 2 ** 48;

/** Random keys and the extremes. */
function randomKeys(count: number, seed: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    if (at % 100 === 0) return at;
    return at % 100 === 1 ? KEYS - 1 - at : random.int(2 ** 24) * 2 ** 24 + random.int(2 ** 24);
  });
}

describe('a filter of keys', () => {
  it.each([0, 150_000, 400_000])(
    'finds every added key, including keys of earlier layers, when %i are expected',
    (expected) => {
      const filter = new KeyFilter(expected);
      const keys = randomKeys(300_000, 1);
      for (const key of keys) filter.add(key);
      expect(keys.filter((key) => !filter.mayContain(key))).toEqual([]);
    },
  );

  it.each([0, 300_000])('has few false positives when %i keys are expected', (expected) => {
    const filter = new KeyFilter(expected);
    for (const key of randomKeys(300_000, 1)) filter.add(key);
    const mistaken = randomKeys(20_000, 2).filter((key) => key % 100 > 1 && filter.mayContain(key));
    expect(mistaken.length).toBeLessThan(20_000 * 0.05);
    expect(filter.bytes).toBeLessThan(300_000 * 5);
  });

  it('is empty at first', () => {
    const filter = new KeyFilter(10);
    expect([0, 1, KEYS - 1].map((key) => filter.mayContain(key))).toEqual([false, false, false]);
  });
});
