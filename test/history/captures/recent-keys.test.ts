import { expect, it } from 'vitest';
import { RecentKeys } from '../../../src/history/captures/recent-keys.ts';

it('knows at least so many of the last keys, and forgets those before twice as many', () => {
  const keys = new RecentKeys(10);
  for (let key = 0; key < 100; key += 1) expect(keys.isRepeated(String(key))).toBe(false);
  for (let key = 90; key < 100; key += 1) expect(keys.isRepeated(String(key))).toBe(true);
  expect(keys.isRepeated('79')).toBe(false);
});

it('takes a key with another mark for another message', () => {
  const keys = new RecentKeys(10);
  expect([1, 1, 2, 2].map((mark) => keys.isRepeated('a', mark))).toEqual([false, true, false, true]);
});

it('knows after a restore what it knew before', () => {
  const keys = new RecentKeys(3);
  for (const key of ['a', 'b', 'c', 'd']) keys.isRepeated(key, 7);
  const restored = new RecentKeys(3);
  restored.restore(keys.save());
  expect(['a', 'd', 'e'].map((key) => restored.isRepeated(key, 7))).toEqual([true, true, false]);
});
