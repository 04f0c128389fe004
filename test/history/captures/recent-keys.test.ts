import { expect, it } from 'vitest';
import { RecentKeys } from '../../../src/history/captures/recent-keys.ts';

it('remembers at least its capacity of latest keys and at most twice as many', () => {
  const keys = new RecentKeys(10);
  for (let key = 0; key < 100; key += 1) expect(keys.isRepeated(String(key))).toBe(false);
  for (let key = 90; key < 100; key += 1) expect(keys.isRepeated(String(key))).toBe(true);
  expect(keys.isRepeated('79')).toBe(false);
});

it('treats a key with a different mark as a different message', () => {
  const keys = new RecentKeys(10);
  expect([1, 1, 2, 2].map((mark) => keys.isRepeated('a', mark))).toEqual([false, true, false, true]);
});

it('has the same keys after a restore', () => {
  const keys = new RecentKeys(3);
  for (const key of ['a', 'b', 'c', 'd']) keys.isRepeated(key, 7);
  const restored = new RecentKeys(3);
  restored.restore(keys.save());
  expect(['a', 'd', 'e'].map((key) => restored.isRepeated(key, 7))).toEqual([true, true, false]);
});
