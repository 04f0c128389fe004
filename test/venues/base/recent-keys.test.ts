import { expect, it } from 'vitest';
import { RecentKeys } from '../../../src/venues/base/recent-keys.ts';

it('knows at least the last keys, and fewer than twice as many', () => {
  const keys = new RecentKeys<number>(10);
  for (let key = 1; key <= 100; key += 1) {
    expect(keys.add(key)).toBe(true);
    for (let earlier = Math.max(1, key - 9); earlier <= key; earlier += 1) expect(keys.has(earlier)).toBe(true);
    expect(keys.has(key - 20)).toBe(false);
  }
  expect(keys.add(100)).toBe(false);
});
