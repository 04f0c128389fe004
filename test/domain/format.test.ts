import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  epochMs,
  formatDay,
  formatMicros,
  formatShares,
  formatTime,
  formatUsd,
  InputFault,
  joinFirst,
  microShares,
  microUsd,
  parsePrice,
  parseShares,
  parseTime,
  parseUsd,
} from '../../src/domain/index.ts';

function fieldOf(parse: () => unknown): string {
  try {
    parse();
  } catch (fault) {
    if (fault instanceof InputFault) return fault.field;
    throw fault;
  }
  return 'nothing was thrown';
}

describe('joinFirst', () => {
  it('joins at most the given number of texts, and says how many more there are', () => {
    expect(joinFirst(['a', 'b', 'c'], 3, '; ')).toBe('a; b; c');
    expect(joinFirst(['a', 'b', 'c', 'd'], 2, ', ')).toBe('a, b, and 2 more');
    expect(joinFirst([], 2, ', ')).toBe('');
  });
});

describe('parseUsd', () => {
  it('reads dollars with up to six decimals, exactly', () => {
    expect(['12.5', ' 12.5 ', '+3', '-0.000001', '0.1', '-0'].map((text) => parseUsd('cash', text))).toEqual([
      12_500_000, 12_500_000, 3_000_000, -1, 100_000, 0,
    ]);
    expect([12.5, 0.1, 1e-6, 3e-6, 1_000_000].map((value) => parseUsd('cash', value))).toEqual([
      12_500_000, 100_000, 1, 3, 1_000_000_000_000,
    ]);
  });

  it('names the field of an invalid amount', () => {
    for (const bad of [
      '',
      'abc',
      '1.',
      '.5',
      '1e3',
      '1,000',
      '1.0000001',
      '$5',
      '12 5',
      '9007199255',
      1e21,
      1e-7,
      Number.NaN,
    ]) {
      expect(fieldOf(() => parseUsd('account.cash', bad))).toBe('account.cash');
    }
  });

  it('reads back what formatMicros writes', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(parseUsd('cash', formatMicros(microUsd(value)))).toBe(value + 0);
      }),
    );
  });
});

describe('parseShares', () => {
  it('reads whole lots', () => {
    expect([parseShares('size', '1.25'), parseShares('size', 0.01), parseShares('size', '0')]).toEqual([
      1_250_000, 10_000, 0,
    ]);
  });

  it('names the field of a size off the lot or below zero', () => {
    for (const bad of ['0.001', '-1', 'x', 1.234])
      expect(fieldOf(() => parseShares('order_amount', bad))).toBe('order_amount');
  });
});

describe('parsePrice', () => {
  it('reads cents, fractions of a dollar, and basis points as a number', () => {
    expect(['52.5c', '0.525', '0.0001', '99.99c'].map((text) => parsePrice('limit', text))).toEqual([
      5250, 5250, 1, 9999,
    ]);
    expect(parsePrice('limit', 5250)).toBe(5250);
  });

  it('names the field of an untradable price', () => {
    for (const bad of ['1', '0', '100c', '0.52505', '-0.5', 'c', '5250', 0, 10_000, 52.5, Number.NaN]) {
      expect(fieldOf(() => parsePrice('quote.limit', bad))).toBe('quote.limit');
    }
  });
});

describe('parseTime', () => {
  it('truncates to milliseconds', () => {
    const second = Date.UTC(2026, 2, 1, 12, 0, 0);
    expect(parseTime('from', '2026-03-01T12:00:00Z')).toBe(second);
    expect(parseTime('from', '2026-03-01T12:00:00.5Z')).toBe(second + 500);
    expect(parseTime('from', '2026-03-01T12:00:00.123999999Z')).toBe(second + 123);
  });

  it('names the field of an invalid time, also of days that do not exist', () => {
    const bad = [
      '2026-03-01',
      '2026-03-01T12:00:00',
      '2026-03-01T12:00:00+01:00',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-03-01T24:00:00Z',
      '2026-03-01T23:59:60Z',
      'yesterday',
    ];
    for (const text of bad) expect(fieldOf(() => parseTime('run.from', text))).toBe('run.from');
  });

  it('reads back what formatTime writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }), (ms) => {
        expect(parseTime('t', formatTime(epochMs(ms)))).toBe(ms);
      }),
    );
  });
});

describe('text formats', () => {
  it('write all six decimals', () => {
    expect([17_712_000, -288_000, -1, 0, 1_000_000].map((value) => formatMicros(microUsd(value)))).toEqual([
      '17.712000',
      '-0.288000',
      '-0.000001',
      '0.000000',
      '1.000000',
    ]);
  });

  it('write cents for readers, half away from zero, without a negative zero', () => {
    expect(
      [12_345_000, -15_000, 4_999, -4_999, 5_000, -5_000, 1_234_567_890_000].map((value) => formatUsd(microUsd(value))),
    ).toEqual(['$12.35', '-$0.02', '$0.00', '$0.00', '$0.01', '-$0.01', '$1,234,567.89']);
  });

  it('write shares without needless zeros', () => {
    expect([1_234_500_000, 10_000, 0].map((value) => formatShares(microShares(value)))).toEqual([
      '1,234.5',
      '0.01',
      '0',
    ]);
  });

  it('write times in UTC with milliseconds', () => {
    expect(formatTime(epochMs(1_657_537_220_540))).toBe('2022-07-11T11:00:20.540Z');
  });

  it('formats a UTC day', () => {
    expect(formatDay(1_657_537_220_540)).toBe('2022-07-11');
  });
});
