import { describe, expect, it } from 'vitest';
import { createStrategyLog, type StrategyLogLine } from '../../src/runtime/index.ts';

function openLog(maxLines?: number) {
  const lines: StrategyLogLine[] = [];
  const time = { now: 0 };
  const log = createStrategyLog({
    now: () => time.now,
    write: (line) => void lines.push(line),
    ...(maxLines === undefined ? {} : { maxLines }),
  });
  return { lines, time, log, texts: () => lines.splice(0).map(({ text }) => text) };
}

describe('the log of a strategy', () => {
  it('passes level, text and fields on', () => {
    const { log, lines } = openLog();
    log.info('quoting');
    log.warn('wide', { spread: 250, side: 'bid', skewed: true });
    log.error('lost');
    expect(lines).toEqual([
      { level: 'info', text: 'quoting', fields: {} },
      { level: 'warn', text: 'wide', fields: { spread: 250, side: 'bid', skewed: true } },
      { level: 'error', text: 'lost', fields: {} },
    ]);
  });

  it('writes at most 20 lines a second, and then the number of omitted lines', () => {
    const { log, time, texts } = openLog();
    for (let line = 0; line < 10_000; line += 1) log.info(`line ${line}`);
    expect(texts()).toHaveLength(20);
    time.now = 1_000;
    log.info('next');
    expect(texts()).toEqual(['9980 lines left out: at most 20 a second', 'next']);
  });

  it('ends with a notice after the maximum number of lines of a run', () => {
    const { log, time, texts } = openLog(3);
    for (let line = 0; line < 6; line += 1) {
      time.now += 1_000;
      log.info(`line ${line}`);
    }
    expect(texts()).toEqual([
      'line 0',
      'line 1',
      'line 2',
      'the strategy has logged 3 lines; the rest of this run is left out',
    ]);
  });

  it('truncates long texts and values, and does not expand objects', () => {
    const { log, lines } = openLog();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    // Strategies run without a type check.
    const fields = { long: 'x'.repeat(1_000), circle, list: [1, 2], nothing: undefined } as never;
    log.info('y'.repeat(1_000), fields);
    expect(lines[0]?.text).toBe(`${'y'.repeat(500)}…`);
    expect(lines[0]?.fields).toEqual({
      long: `${'x'.repeat(200)}…`,
      circle: 'an object',
      list: 'an object',
      nothing: 'undefined',
    });
  });

  it('writes at most 16 fields', () => {
    const { log, lines } = openLog();
    log.info('many', Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field${at}`, at])));
    expect(Object.keys(lines[0]?.fields ?? {})).toHaveLength(16);
  });
});
