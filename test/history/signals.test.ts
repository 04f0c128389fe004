import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSignal, readSignals } from '../../src/history/index.ts';
import { scratchFolder } from './scratch.ts';

function fileOf(...lines: readonly string[]): string {
  const path = join(scratchFolder(), 'signals.jsonl');
  writeFileSync(path, lines.join('\n'));
  return path;
}

const FIRST = '{"time":"2026-03-01T12:00:00.250Z","name":"rain.p","value":0.61}';

describe('a file of signals', () => {
  it('has name, value and time on each line, and may have empty lines', () => {
    const { signals, sha256 } = readSignals(
      fileOf(FIRST, '', '{"time":"2026-03-01T12:00:00.250Z","name":"a","value":-2}', ''),
    );
    const time = Date.parse('2026-03-01T12:00:00.250Z');
    expect(signals).toEqual([
      { time, name: 'rain.p', value: 0.61 },
      { time, name: 'a', value: -2 },
    ]);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['a line that is not JSON', ['{"name":'], /line 2: .*JSON/],
    ['a line without a time', ['{"name":"a","value":1}'], /line 2: the signal has no time/],
    [
      'a line that is earlier than the one above',
      ['{"time":"2026-03-01T12:00:00Z","name":"a","value":1}'],
      /line 2: its time is earlier/,
    ],
    ['a local time', ['{"time":"2026-03-01 12:00","name":"a","value":1}'], /line 2: time: expected a time such as/],
    [
      'a value that is a text',
      ['{"time":"2026-03-01T13:00:00Z","name":"a","value":"1"}'],
      /line 2: value: expected a finite number, got "1"/,
    ],
    [
      'a name with a space',
      ['{"time":"2026-03-01T13:00:00Z","name":"a b","value":1}'],
      /line 2: name: expected a name of letters/,
    ],
    [
      'an unknown key',
      ['{"time":"2026-03-01T13:00:00Z","name":"a","value":1,"sd":2}'],
      /line 2: sd: expected only time, name, value/,
    ],
    ['a list', ['[1]'], /line 2: expected an object/],
  ])('is refused with the number of the line for %s', (_, lines, message) => {
    expect(() => readSignals(fileOf(FIRST, ...lines))).toThrow(message);
  });

  it('is refused when it does not exist', () => {
    expect(() => readSignals(join(scratchFolder(), 'nowhere.jsonl'))).toThrow(
      /nowhere\.jsonl: there is no such file or folder\. Check `signals`/,
    );
  });
});

describe('a signal', () => {
  it('has a finite value', () => {
    expect(() => parseSignal({ name: 'a', value: Number.NaN })).toThrow('value: expected a finite number');
    expect(() => parseSignal({ name: 'a', value: Number.POSITIVE_INFINITY })).toThrow(
      'value: expected a finite number',
    );
  });
});
