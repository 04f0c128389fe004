import { describe, expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { ImportCounts } from '../../../src/history/import/counts.ts';
import { SIDE } from '../../../src/tape/index.ts';
import { openImport } from './open-import.ts';

const { bid, ask } = SIDE;

describe('an import', () => {
  it('moves a slightly late message forward, and refuses one that is too late', () => {
    const { message, rows, changed } = openImport({}, { maxLateMs: 10 });
    message(100, (market) => market.level(bid, 4_000, SHARE));
    message(95, (market) => market.level(bid, 4_000, 2 * SHARE));
    expect(() => message(89, () => undefined)).toThrow('1970-01-01T00:00:00.089Z');
    expect(rows()).toEqual(['100 level bid 4000 1 |', '100 level bid 4000 2 |']);
    expect(changed()).toEqual(['time moved forward to that of the previous message 1']);
  });

  it('drops a message that is too late if `tooLate` is drop', () => {
    const { message, rows, dropped } = openImport({}, { maxLateMs: 0, tooLate: 'drop' });
    message(100, (market) => market.level(bid, 4_000, SHARE));
    message(99, (market) => market.level(bid, 4_000, 2 * SHARE));
    message(Number.NaN, (market) => market.level(bid, 4_000, 2 * SHARE));
    expect(rows()).toEqual(['100 level bid 4000 1 |']);
    expect(dropped()).toEqual(['message earlier than the previous one 1', 'time out of range 1']);
  });

  it('moves a print before the reduction that it explains, within the window', () => {
    const { message, rows, counts } = openImport({}, { pairWindowMs: 50 });
    message(100, (market) => market.level(ask, 6_000, 10 * SHARE));
    message(110, (market) => market.level(ask, 6_000, 4 * SHARE));
    message(150, (market) => market.trade(bid, 6_000, 6 * SHARE));
    message(155, (market) => market.trade(bid, 6_000, 6 * SHARE));
    message(300, (market) => market.level(ask, 6_000, SHARE));
    message(351, (market) => market.trade(bid, 6_000, 3 * SHARE));
    expect(rows()).toEqual([
      '100 level ask 6000 10 |',
      '110 trade bid 6000 6',
      '110 level ask 6000 4 |',
      '155 trade bid 6000 6 |',
      '300 level ask 6000 1 |',
      '351 trade bid 6000 3 |',
    ]);
    expect(counts.trades.paired).toBe(1);
  });

  it('does not move a print that explains a reduction in its own message', () => {
    const { message, rows } = openImport({}, { pairWindowMs: 50 });
    message(100, (market) => market.level(ask, 6_000, 10 * SHARE));
    message(110, (market) => market.level(ask, 6_000, 4 * SHARE));
    message(120, (market) => {
      market.trade(bid, 6_000, 2 * SHARE);
      market.level(ask, 6_000, 2 * SHARE);
    });
    expect(rows().slice(2)).toEqual(['120 trade bid 6000 2', '120 level ask 6000 2 |']);
  });

  it('splits a message with more prints than a block has rows', () => {
    const { message, rows } = openImport();
    message(1, (market) => {
      for (let print = 0; print < 70_000; print += 1) market.trade(bid, 4_000, SHARE);
      market.level(bid, 3_900, SHARE);
    });
    expect(rows().length).toBe(70_001);
    expect(rows().at(-1)).toBe('1 level bid 3900 1 |');
  });
});

describe('the counts of an import', () => {
  it('keep the first five places of a reason', () => {
    const counts = new ImportCounts();
    for (let line = 2; line < 10; line += 1) {
      counts.setPlace('trades.csv', line);
      counts.countDropped('NO row', 5);
    }
    const places = [2, 3, 4, 5, 6].map((line) => `trades.csv:${line}`);
    expect(counts.dropped.get('NO row')).toMatchObject({ count: 8, places });
    expect(JSON.stringify(counts)).toContain('"shares":"0.000040"');
  });

  it('do not reconcile when traded shares are lost', () => {
    const counts = new ImportCounts();
    counts.trades.read = 1;
    counts.trades.shares.add(1);
    expect(() => counts.reconcile()).toThrow('do not add up');
  });
});
