import { existsSync, readFileSync } from 'node:fs';
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

  it.each<[string, string, RegExp]>([
    ['a tape', 'tapes/t0.tape', /t0\.tape: /],
    ['a file of configuration', 'backtest.yaml', /backtest\.yaml: /],
  ])('does not remove %s that a study names as its database, with --new', async (_, file, words) => {
    const { folder } = studyScene(1, 300);
    const before = readFileSync(join(folder, file));
    const { code, stderr } = await within(['optimize', 'study.yaml', '--new', '--set', `file=${file}`], folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(words)]);
    expect(readFileSync(join(folder, file))).toEqual(before);
  });

  it('refuses a folder as the database of a study, with --new', async () => {
    const { folder } = studyScene(1, 300);
    const { code, stderr } = await within(['optimize', 'study.yaml', '--new', '--set', 'file=tapes'], folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/tapes: it is a folder/)]);
  });

  it('gives options after `best` to it', async () => {
    const { folder } = studyScene(1, 300);
    const { code, stderr } = await within(['optimize', 'best', 'study.yaml', '--set', 'file=other.study'], folder);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/other\.study: there is no such study/)]);
  });
});
