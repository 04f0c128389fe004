import { describe, expect, it } from 'vitest';
import { showUncaughtError } from '../../../src/cli/output/show-fault.ts';

const OWN = new URL('../../../src/', import.meta.url).href;

function errorThrownIn(...files: readonly string[]): Error {
  const error = new RangeError('bang');
  error.stack = [
    'RangeError: bang',
    ...files.map((file) => `    at go (${file}:3:5)`),
    '    at node:internal/timers',
  ].join('\n');
  return error;
}

describe('an uncaught error', () => {
  it('belongs to the strategy when its stack contains the strategy’s file or is missing', () => {
    const own = showUncaughtError(errorThrownIn(`${OWN}book/ladder.ts`, 'file:///home/me/odd/strategy.ts'));
    expect(own.exitCode).toBe(4);
    expect(own.text).toContain('RangeError: bang (file:///home/me/odd/strategy.ts:3:5). ');
    expect(own.text).not.toContain('    at ');
    for (const error of [undefined, 'bang', Object.create(null)]) {
      expect(showUncaughtError(error).exitCode).toBe(4);
    }
  });

  it('does not belong to a strategy when its stack contains no file, as for a disk, a socket or a timer', () => {
    const { exitCode, text } = showUncaughtError(errorThrownIn());
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^error: .* RangeError: bang\. Its origin is unknown: .*\nRangeError: bang\n {4}at node:/);
    expect(text).not.toContain('promise of the strategy');
  });

  it('belongs to halfspread when its stack contains only files of halfspread', () => {
    const { exitCode, text } = showUncaughtError(errorThrownIn(`${OWN}book/ladder.ts`));
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^internal error: RangeError: bang/);
  });

  it('shows its stack with --debug', () => {
    expect(showUncaughtError(errorThrownIn('file:///a/strategy.ts'), { showsStack: true }).text).toContain(
      '\n    at go (file:///a/strategy.ts:3:5)\n',
    );
  });
});
