import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { showFault } from '../../../src/cli/output/show-fault.ts';
import { ConfigFault } from '../../../src/config/config-fault.ts';
import { epochMs, Fault, FileFault, InputFault, StrategyFault, unchecked } from '../../../src/domain/index.ts';

const moon = new RangeError('the moon is full');
const place = { file: 'run.yaml', line: 3, column: 5, text: '  x: 1' };

describe('an error shown to the user', () => {
  it.each([
    ['a wrong line of a file', new ConfigFault(place, 'no'), 2, 'error: run.yaml:3:5: no\n  3 |   x: 1\n    |     ^\n'],
    ['a wrong option', new ConfigFault('--set x', 'no'), 2, 'error: --set x: no\n'],
    ['a wrong value', new InputFault('seed', -1, 'at least 0'), 2, 'error: seed: expected at least 0, got -1\n'],
    [
      'a damaged file',
      new FileFault('a.tape', 'byte 7', 'it is cut', 'Copy it'),
      3,
      'error: a.tape, byte 7: it is cut. Copy it\n',
    ],
    ['a clock that is ahead', new Fault('CLOCK_AHEAD', 'correct it'), 5, 'error: correct it\n'],
    ['a refused tape', new Fault('REPLAY', 'change it'), 2, 'error: change it\n'],
    ['a refused example', new Fault('SEED', 'no'), 2, 'error: no\n'],
    ['no free port', new Fault('PORT', 'no'), 2, 'error: no\n'],
    ['a broken signing library', new Fault('SIGNING_BACKEND', 'reinstall it'), 2, 'error: reinstall it\n'],
    ['an abort', new Fault('ABORTED', 'stopped'), 130, 'error: stopped\n'],
  ])('shows message and remedy without a stack for %s', (_what, fault, exitCode, text) => {
    expect(showFault(fault)).toEqual({ exitCode, text });
    expect(showFault(fault, { showsStack: true }).text).toMatch(/^error: [\s\S]+\n {4}at /);
  });

  it('shows joined errors with the exit code of the first, its remedy and every message', () => {
    const disk = new FileFault('bot.db', undefined, 'the disk is full', 'Free space');
    const message = `${disk.message}; and cancelling everything failed too: TypeError: no socket`;
    const joined = new AggregateError([disk, new TypeError('no socket')], message);
    expect(showFault(joined)).toEqual({ exitCode: 3, text: `error: ${message}\n` });
    expect(message).toContain('the disk is full. Free space');
    expect(showFault(new AggregateError([joined, moon], 'both failed')).exitCode).toBe(3);
    const { exitCode, text } = showFault(new AggregateError([new ConfigFault(place, 'no'), moon], 'no; and more'));
    expect(exitCode).toBe(2);
    expect(text).toContain('  3 |   x: 1\n');
  });

  it('shows the stack of each joined error when halfspread is at fault', () => {
    const joined = new AggregateError([new RangeError('Invariant: 1 is 2'), moon], 'both failed');
    const { exitCode, text } = showFault(joined);
    expect(exitCode).toBe(1);
    expect(text).toMatch(
      /both failed\n {4}at [\s\S]+caused by RangeError: Invariant: 1 is 2\n {4}at [\s\S]+full\n {4}at /,
    );
    expect(showFault(new AggregateError([], 'nothing')).exitCode).toBe(1);
  });

  it('shows the event and the strategy’s stack for a strategy that threw', () => {
    const instance = unchecked.instance(0);
    const failure = {
      bot: instance,
      strategy: 'moon',
      handler: 'onStart',
      time: epochMs(5),
      row: 7,
      cause: moon,
    } as const;
    const event = { type: 'started', time: epochMs(5) } as const;
    const { text, exitCode } = showFault(new StrategyFault({ ...failure, event }));
    expect(exitCode).toBe(4);
    expect(text).toContain('event: {"type":"started","time":5}\nRangeError: the moon is full\n    at ');
    expect(showFault(new StrategyFault({ ...failure, event: undefined })).text).toContain('event: market row 7\n');
    const withTextCause = new StrategyFault({ ...failure, event, cause: 'just text' });
    expect(showFault(withTextCause).text).toContain('thrown: just text\n');
  });

  it('shows the strategy’s stack for a strategy that threw in `create`', () => {
    const { text, exitCode } = showFault(new Fault('STRATEGY', 'it threw in create', { cause: moon }));
    expect(exitCode).toBe(4);
    expect(text).toContain('RangeError: the moon is full\n    at ');
  });

  it('names the field of a saved state that its schema refuses, without the schema’s error', () => {
    const { error } = z.object({ fills: z.int() }).safeParse({});
    const cause = new InputFault('state.fills', undefined, 'a number', { cause: error });
    const { text } = showFault(new Fault('STRATEGY', 'it was refused', { cause }), { showsStack: true });
    expect(text).toContain('state.fills: expected a number, but it is missing');
    expect(text).not.toContain('ZodError');
  });

  it.each([new RangeError('Invariant: 1 is 2'), 'just text', undefined])(
    'reports that halfspread is at fault for any other error (%s), with everything to report',
    (error) => {
      const { text, exitCode } = showFault(error);
      expect(exitCode).toBe(1);
      expect(text).toMatch(/^internal error: /);
      expect(text).toContain('Please report it');
      expect(text).toContain(error instanceof Error ? 'Invariant: 1 is 2\n    at ' : String(error));
    },
  );
});
