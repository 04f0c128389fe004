import { describe, expect, it } from 'vitest';
import { fillsCsv, ordersCsv } from '../../../src/dashboard/web/csv.ts';
import * as format from '../../../src/dashboard/web/format.ts';
import {
  ageBar,
  bookRows,
  computeWaterfall,
  openBooks,
  parseValue,
  rangeText,
} from '../../../src/dashboard/web/market/calculations.ts';
import { marketLine } from '../reports.ts';

describe('numbers on the page', () => {
  it.each([
    [14_212_400_000, '14,212.40'],
    [-48_320_000, '−48.32'],
    [0, '0.00'],
    [null, '–'],
    [undefined, '–'],
  ])('a balance of %s micro-dollars is %s', (micros, text) => {
    expect(format.money(micros)).toBe(text);
  });

  it.each([
    [48_320_000, '+48.32'],
    [-1, '0.00'],
    [-151_200_000, '−151.20'],
    [0, '0.00'],
  ])('a change of %s micro-dollars is %s', (micros, text) => {
    expect(format.change(micros)).toBe(text);
  });

  it('show a missing book as missing, never as new', () => {
    expect(format.bookAge(null)).toBe('no book yet');
    expect(format.bookAge(240)).toBe('book 0.2 s old');
    const line = marketLine({ bookAgeMs: null });
    expect(openBooks([marketLine({ bookAgeMs: 5 }), line, { ...line, acceptingOrders: false }])).toEqual({
      ages: [5],
      missing: 1,
    });
  });

  it('show a book above the age limit as breached', () => {
    expect(ageBar(15_000, 30_000)).toEqual({ height: 50, isBreached: false });
    expect(ageBar(31_000, 30_000)).toEqual({ height: 100, isBreached: true });
  });

  it('have the dollar after the sign', () => {
    expect(format.dollarChange(-4_840_000)).toBe('−$4.84');
    expect(format.dollarChange(0)).toBe('$0.00');
  });

  it.each([
    [1_195_000_000, '1,195'],
    [9_990_000, '9.99'],
    [10_000_000, '10'],
    [0, '0'],
  ])('%s micro-shares are %s', (micros, text) => {
    expect(format.shares(micros)).toBe(text);
  });

  it('have a sign for positions', () => {
    expect([format.position(56_000_000), format.position(-56_000_000), format.position(0)]).toEqual([
      '+56',
      '−56',
      '0',
    ]);
  });

  it.each([
    [100, 0],
    [10, 1],
    [1, 2],
    [50, 1],
    [0, 2],
  ])('a tick of %s bps has prices with %s decimals in cents', (tick, decimals) => {
    expect(format.priceDecimals(tick)).toBe(decimals);
  });

  it.each([
    [200, '0.2 s'],
    [9_400, '9.4 s'],
    [120_000, '2 m'],
    [11_100_000, '3 h 5 m'],
    [1_656_000_000, '19 d 4 h'],
    [-5, '0.0 s'],
    [null, '–'],
  ])('an age of %s ms is %s', (ms, text) => {
    expect(format.age(ms)).toBe(text);
  });

  it('show times in UTC', () => {
    expect(format.clockTime(Date.UTC(2026, 10, 26, 14, 32, 8))).toBe('14:32:08');
    expect(format.dayTime(Date.UTC(2026, 10, 26, 14, 32, 8))).toBe('2026-11-26 14:32:08');
  });

  it('do not colour simulated money and amounts shown as zero', () => {
    expect(format.gainClass(5_000_000)).toBe('gain');
    expect(format.gainClass(-5_000_000)).toBe('loss');
    expect(format.gainClass(5_000_000, false)).toBe('');
    expect(format.gainClass(4_999)).toBe('');
  });
});

describe('the book', () => {
  const level = (price: number, shares: number, own = 0) => ({ price, shares, own, ahead: own > 0 ? 0 : null });

  it('sums shares of others and own shares from the best price outwards', () => {
    expect(
      bookRows([level(6_200, 10), level(6_100, 0, 5), level(6_000, 7)]).map(({ cumulative }) => cumulative),
    ).toEqual([10, 15, 22]);
  });

  it('shows the requested number of levels, and own levels at any depth', () => {
    const rows = bookRows([level(6_200, 1), level(6_100, 1), level(6_000, 1), level(5_000, 0, 3)], 2);
    expect(rows.map(({ price }) => price)).toEqual([6_200, 6_100, 5_000]);
  });
});

describe('the waterfall of causes', () => {
  it('starts each bar where the previous one ended', () => {
    const [spread, inventory] = computeWaterfall([10, -4]);
    expect(spread).toEqual({ left: 4, width: 92 });
    expect(inventory?.left).toBeCloseTo(4 + 92 * 0.6);
    expect(inventory?.width).toBeCloseTo(92 * 0.4);
  });

  it('is flat without any profit or loss', () => {
    expect(computeWaterfall([0, 0]).map(({ width }) => width)).toEqual([0, 0]);
  });
});

describe('a parameter as it is typed', () => {
  it.each([
    ['3', 3],
    ['true', true],
    ['[1, 2]', [1, 2]],
    ['power', 'power'],
    ['1e', '1e'],
  ])('%s is %s', (text, value) => {
    expect(parseValue(text)).toEqual(value);
  });
});

describe('the bounds of a parameter', () => {
  it.each([
    [0, 100, '0 to 100'],
    [-100, 100, '−100 to 100'],
    [null, 1_000_000_000, '≤1,000,000,000'],
    [1, null, '≥1'],
    [null, null, ''],
  ])('%s and %s are "%s"', (minimum, maximum, text) => {
    expect(rangeText(minimum, maximum)).toBe(text);
  });
});

describe('exports', () => {
  const fill = {
    bot: 'demo',
    time: Date.UTC(2026, 10, 26),
    market: '=cmd|calc',
    side: 'BID',
    price: 6_200,
    shares: 5_000_000,
    fee: -3,
    outcome: 'YES',
    maker: true,
    trade: 'a"b',
    tag: null,
  } as const;

  it('quote separators, and prevent texts from becoming formulas', () => {
    const [, row] = fillsCsv([fill]).split('\r\n');
    expect(row).toBe(`2026-11-26T00:00:00.000Z,demo,'=cmd|calc,BID,6200,5000000,-3,YES,true,"a""b",`);
  });

  it('have a header line even without orders', () => {
    expect(ordersCsv([])).toBe('since,bot,market,order,side,price_bps,remaining_micro_shares,outcome,phase,tag\r\n');
  });
});
