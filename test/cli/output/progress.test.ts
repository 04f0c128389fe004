import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { progressBar } from '../../../src/cli/output/progress.ts';

/** Returns the remaining time that a progress bar shows. */
function timeLeft(seconds: number): string | undefined {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 200 });
  const write = (): void => {};
  const bar = progressBar('test', 'rows', {
    write,
    writeColored: write,
    isTty: true,
    columns: 200,
    colors: false,
    stream,
  });
  bar.update(0, seconds, 1);
  bar.stop();
  return /\| ([^|]*) left/.exec(String(stream.read()))?.[1];
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
