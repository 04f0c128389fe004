import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { studyScene } from '../research/study/scene.ts';
import { within } from './trading.ts';

describe('halfspread optimize', () => {
  it.each<[string, string[], RegExp]>([
    [
      'no workers',
      ['optimize', 'study.yaml', '--workers', '0'],
      /^error: --workers: expected a whole number from 1 to 256/,
    ],
    ['workers in words', ['optimize', 'study.yaml', '--workers', 'x'], /^error: --workers: expected a whole number/],
    ['a backtest', ['optimize', 'backtest.yaml'], /this is a backtest, not a study\. Run it with/],
    [
      'no parameters',
      ['optimize', 'study.yaml', '--set', 'parameters={}'],
      /: parameters: expected at least one parameter/,
    ],
    [
      'a forbidden key',
      ['optimize', 'study.yaml', '--set', 'parameters={"params.__proto__": {low: 1, high: 2}}'],
      /no key may be called/,
    ],
  ])('refuses %s', async (_, args, words) => {
    const { folder } = studyScene(1, 300);
    const { code, stderr } = await within(args, folder);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(existsSync(join(folder, 'study.study'))).toBe(false);
  });

  it('gives options after `best` to it', async () => {
    const { folder } = studyScene(1, 300);
    const { code, stderr } = await within(['optimize', 'best', 'study.yaml', '--set', 'file=other.study'], folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/other\.study: there is no such study/)]);
  });
});
