import { expect, it } from 'vitest';
import { RepeatDetector } from '../../../src/history/captures/repeat-detector.ts';

it('remembers at least its capacity of latest keys and at most twice as many', () => {
  const detector = new RepeatDetector(10);
  for (let key = 0; key < 100; key += 1) expect(detector.checkAndAdd(String(key))).toBe(false);
  for (let key = 90; key < 100; key += 1) expect(detector.checkAndAdd(String(key))).toBe(true);
  expect(detector.checkAndAdd('79')).toBe(false);
});

it('treats a key with a different mark as a different message', () => {
  const detector = new RepeatDetector(10);
  expect([1, 1, 2, 2].map((mark) => detector.checkAndAdd('a', mark))).toEqual([false, true, false, true]);
});

it('knows the same keys after a restore', () => {
  const detector = new RepeatDetector(3);
  for (const key of ['a', 'b', 'c', 'd']) detector.checkAndAdd(key, 7);
  const restored = new RepeatDetector(3);
  restored.restore(detector.save());
  expect(['a', 'd', 'e'].map((key) => restored.checkAndAdd(key, 7))).toEqual([true, true, false]);
});
