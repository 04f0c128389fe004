import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, formatTime, unchecked } from '../../../src/domain/index.ts';
import { timeText as recordTimeText } from '../../../src/exchange/markets/transparency-record.ts';
import { readTime, timeText, wrapRaw } from '../../../src/protocol/index.ts';

const moments = fc.integer({ min: 0, max: 253_402_300_799_999 }).map(epochMs);

describe('readTime', () => {
  it.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.5Z', '2026-03-01T12:00:00.500Z'],
    ['2026-03-01T12:00:00.123Z', '2026-03-01T12:00:00.123Z'],
    ['2026-03-01T12:00:00.1239Z', '2026-03-01T12:00:00.123Z'],
    ['2026-03-01T12:00:00.999999999Z', '2026-03-01T12:00:00.999Z'],
  ])('accepts 0 to 9 decimals and truncates to milliseconds: %s', (text, truncated) => {
    expect(formatTime(readTime('since', wrapRaw(text)))).toBe(truncated);
  });

  it.each([
    '2026-03-01T12:00:00',
    '2026-03-01T12:00:00+00:00',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00.1234567890Z',
    '2026-03-01',
    '2026-02-30T12:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01t12:00:00z',
    ' 2026-03-01T12:00:00Z',
    '1772366400000',
    '',
  ])('refuses %j, which is not a time in UTC, and names the argument', (text) => {
    expect(() => readTime('since', wrapRaw(text))).toThrow(
      `invalid argument: since: expected a time such as 2026-03-01T12:00:00Z, got ${JSON.stringify(text)}`,
    );
  });
});

describe('timeText', () => {
  it('writes three decimals, but none at a whole second', () => {
    expect(timeText(epochMs(1_772_366_400_000))).toBe('2026-03-01T12:00:00Z');
    expect(timeText(epochMs(1_772_366_400_070))).toBe('2026-03-01T12:00:00.070Z');
  });

  it('writes a text that is read back as the same time', () => {
    fc.assert(
      fc.property(moments, (time) => {
        expect(readTime('at', wrapRaw(timeText(time)))).toBe(time);
      }),
    );
  });

  it('writes times as transparency records do', () => {
    fc.assert(
      fc.property(moments, (time) => {
        expect(timeText(time)).toBe(recordTimeText(unchecked.time(time)));
      }),
    );
  });
});
