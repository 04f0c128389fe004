import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { progressBar, withPercentProgress } from '../../../src/cli/output/progress.ts';

function makeTerminal() {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 200 });
  const write = (): void => {};
  return { write, writeColored: write, isTty: true, columns: 200, colors: false, stream };
}

/** Returns the remaining time that a progress bar shows. */
function timeLeft(seconds: number): string | undefined {
  const terminal = makeTerminal();
  const bar = progressBar('test', 'rows', terminal);
  bar.update(0, seconds, 1);
  bar.stop();
  return /\| ([^|]*) left/.exec(String(terminal.stream.read()))?.[1];
}

it.each([
  [0, '0 s'],
  [58.5, '59 s'],
  [59.5, '1 min 0 s'],
  [60, '1 min 0 s'],
  [119, '1 min 59 s'],
  [119.5, '2 min 0 s'],
])('rounds a remaining time of %d s up to %s', (seconds, text) => {
  expect(timeLeft(seconds)).toBe(text);
});

it('rounds a completed share down, so that only the end is 100 %', async () => {
  const terminal = makeTerminal();
  await withPercentProgress('test', terminal, (onProgress) => onProgress(0.999));
  expect(String(terminal.stream.read())).toContain(' 99 % | 99/100 %');
});
