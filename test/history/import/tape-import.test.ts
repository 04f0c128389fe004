import { describe, expect, it } from 'vitest';
import { priceBps } from '../../../src/domain/index.ts';
import { ImportCounts } from '../../../src/history/import/counts.ts';
import type { MarketImport } from '../../../src/history/import/market-import.ts';
import type { MarketRules } from '../../../src/history/import/market-rows.ts';
import { TapeImport, type TapeImportOptions } from '../../../src/history/import/tape-import.ts';
import { BlockWriter, SIDE } from '../../../src/tape/index.ts';
import { textOfRows } from './tape-rows.ts';

const SHARE = 1_000_000;
const { bid, ask, unknown } = SIDE;

/** Writes a tape of one market whose rows are returned as text; `|` ends a message. */
function tapeOf(rules: Partial<MarketRules> = {}, options: TapeImportOptions = {}) {
  const rows: string[] = [];
  const out = new BlockWriter((block) => {
    for (const row of textOfRows(block)) rows.push(row);
  });
  const counts = new ImportCounts();
  const tape = new TapeImport(out, counts, options);
  const market = tape.addMarket({ grid: { type: 'tick', tickBps: 100 }, ...rules });
  return {
    counts,
    tape,
    market,
    message(tx: number, fill: (market: MarketImport) => void): void {
      if (!tape.begin(tx)) return;
      fill(market);
      tape.end();
    },
    rows(): readonly string[] {
      tape.finish();
      out.finish();
      counts.reconcile();
      return rows;
    },
    dropped: () => [...counts.dropped].map(([reason, { count }]) => `${reason} ${count}`),
    changed: () => [...counts.changed].map(([reason, { count }]) => `${reason} ${count}`),
  };
}

describe('an imported market', () => {
  it('writes prints first, then levels, then status and resolution', () => {
    const { message, rows } = tapeOf();
    message(1, (market) => {
      market.status('HALTED');
      market.level(bid, 4_000, SHARE);
      market.trade(ask, 4_000, SHARE);
      market.placeDelay(5_000);
      market.resolution(10_000);
    });
    expect(rows()).toEqual([
      '1 trade ask 4000 1',
      '1 level bid 4000 1',
      '1 status bid 1 0',
      '1 placeDelay bid 0 0.005',
      '1 resolution bid 10000 0 |',
    ]);
  });

  it('writes a repeated full book as its differences', () => {
    const { message, rows } = tapeOf();
    message(1, (market) => {
      market.fullBook();
      market.level(bid, 4_000, SHARE);
      market.level(ask, 6_000, SHARE);
    });
    message(2, (market) => {
      market.fullBook();
      market.level(bid, 4_000, SHARE);
      market.level(ask, 6_100, 2 * SHARE);
    });
    expect(rows()).toEqual([
      '1 level bid 4000 1',
      '1 level ask 6000 1 |',
      '2 level ask 6000 0',
      '2 level ask 6100 2 |',
    ]);
  });

  it('marks a tape that has only trades', () => {
    const { message, rows, tape } = tapeOf();
    message(1, (market) => market.trade(ask, 4_000, SHARE));
    message(2, (market) => market.status('HALTED'));
    tape.finish();
    expect(tape.content).toBe('trades');
    message(3, (market) => market.level(bid, 4_000, SHARE));
    rows();
    expect(tape.content).toBeUndefined();
  });

  it('mirrors rows of NO to the other side of YES', () => {
    const { message, rows } = tapeOf();
    message(1, (market) => {
      market.level(bid, 4_000, SHARE, true);
      market.trade(bid, 4_100, SHARE, true);
      market.trade(unknown, 4_100, SHARE, true);
    });
    expect(rows()).toEqual(['1 trade ask 5900 1', '1 trade ? 5900 1', '1 level ask 6000 1 |']);
  });

  it('drops and counts rows of NO when mirroring is off', () => {
    const { message, rows, dropped, counts } = tapeOf({ noOutcomeRows: 'drop' });
    message(1, (market) => {
      market.level(bid, 4_000, SHARE, true);
      market.trade(bid, 4_100, 3 * SHARE, true);
    });
    expect(rows()).toEqual([]);
    expect(dropped()).toEqual(['NO row 2']);
    expect(counts.dropped.get('NO row')?.shares.micros).toBe(3_000_000n);
  });

  it('adds up levels that round to one price, and rounds the sum down to lots', () => {
    const { message, rows, changed } = tapeOf();
    message(1, (market) => {
      market.level(bid, 4_050, 15_000);
      market.level(bid, 4_000, 5_000);
      market.level(ask, 5_950.5, SHARE);
    });
    message(2, (market) => market.level(bid, 4_050, 0));
    expect(rows()).toEqual(['1 level bid 4000 0.02', '1 level ask 6000 1 |', '2 level bid 4000 0 |']);
    expect(changed()).toEqual(['price rounded to the grid 3']);
  });

  it('rounds to a grid of listed prices in the direction of each side, and drops prices outside it', () => {
    const { message, rows, dropped } = tapeOf({
      grid: { type: 'list', bids: [priceBps(3_000)], asks: [priceBps(7_000)] },
    });
    message(1, (market) => {
      market.level(bid, 3_500, SHARE);
      market.level(bid, 2_999, SHARE);
      market.level(ask, 6_000, SHARE);
      market.level(ask, 10_000, SHARE);
    });
    expect(rows()).toEqual(['1 level bid 3000 1', '1 level ask 7000 1 |']);
    expect(dropped()).toEqual(['price beyond the last price of the grid 1', 'price not between 0 and 1 1']);
  });

  it('drops prices off the grid when rounding is off', () => {
    const { message, rows, dropped } = tapeOf({ offGrid: 'drop' });
    message(1, (market) => {
      market.level(bid, 4_050, SHARE);
      market.level(bid, 4_100.000_000_000_1, SHARE);
    });
    expect(rows()).toEqual(['1 level bid 4100 1 |']);
    expect(dropped()).toEqual(['price off the grid 1']);
  });

  it('adds level changes to the level, and removes and reports a level below 0', () => {
    const { message, rows, market, tape, changed } = tapeOf();
    message(1, () => market.levelDelta(bid, 4_000, 3 * SHARE));
    message(2, () => market.levelDelta(bid, 4_000, -SHARE));
    tape.begin(3);
    expect(market.levelDelta(bid, 4_000, -3 * SHARE)).toBe(false);
    tape.end();
    expect(rows()).toEqual(['1 level bid 4000 3 |', '2 level bid 4000 2 |', '3 level bid 4000 0 |']);
    expect(changed()).toEqual(['level below 0 after a change: removed 1']);
  });

  it('drops negative and unreadable sizes', () => {
    const { message, rows, dropped } = tapeOf();
    message(1, (market) => {
      market.level(bid, 4_000, -1);
      market.trade(bid, 4_000, Number.NaN);
      market.trade(bid, 4_000, 0);
      market.trade(bid, 4_000, 9_999);
    });
    expect(rows()).toEqual([]);
    expect(dropped()).toEqual([
      'negative size 1',
      'size that is not a number of micro-shares below 2^53 1',
      'trade of 0 shares 1',
      'trade below one lot 1',
    ]);
  });

  it('ends the book at a gap, drops levels until the next full book, and starts that with a clear', () => {
    const { message, rows, dropped } = tapeOf({ startsEmpty: false });
    message(1, (market) => market.level(bid, 4_000, SHARE));
    message(2, (market) => {
      market.fullBook();
      market.level(bid, 4_000, SHARE);
    });
    message(3, (market) => market.gap());
    message(4, (market) => market.level(bid, 4_000, 2 * SHARE));
    message(5, (market) => {
      market.fullBook();
      market.level(bid, 4_100, SHARE);
    });
    expect(rows()).toEqual(['2 level bid 4000 1 |', '3 gap bid 0 0 |', '5 clear bid 0 0', '5 level bid 4100 1 |']);
    expect(dropped()).toEqual(['level before the first full book 2']);
  });

  it('drops everything after the resolution', () => {
    const { message, rows, dropped } = tapeOf();
    message(1, (market) => market.resolution(undefined));
    message(2, (market) => {
      market.trade(bid, 4_000, SHARE);
      market.resolution(10_000);
    });
    expect(rows()).toEqual(['1 resolution bid 65535 0 |']);
    expect(dropped()).toEqual(['row after the resolution 2']);
  });
});

describe('prints inferred from repeated full books', () => {
  const books = (first: readonly [number, number, number][], second: readonly [number, number, number][]) => {
    const tape = tapeOf({ inferPrints: true });
    for (const [at, book] of [first, second].entries()) {
      tape.message(at + 1, (market) => {
        market.fullBook();
        for (const [side, price, shares] of book) market.level(side === 0 ? bid : ask, price, shares * SHARE);
      });
    }
    return { rows: tape.rows().filter((row) => row.startsWith('2 trade')), inferred: tape.counts.inferred };
  };
  const book = (bidShares: number, askShares: number): [number, number, number][] => [
    [0, 4_000, bidShares],
    [1, 6_000, askShares],
    [1, 6_100, 50],
  ];

  it('infers a print from a reduction of the best level', () => {
    expect(books(book(10, 10), book(10, 4)).rows).toEqual(['2 trade bid 6000 6 inferred']);
    expect(books(book(10, 10), book(0, 10)).rows).toEqual(['2 trade ask 4000 10 inferred']);
  });

  it('counts a reduction as unexplained when both sides shrank or a better price appeared', () => {
    const both = books(book(10, 10), book(9, 9));
    expect([both.rows, both.inferred.unexplained]).toEqual([[], 2]);
    const better = books(book(10, 10), [...book(10, 9), [0, 4_100, 5]]);
    expect([better.rows, better.inferred.unexplained]).toEqual([[], 1]);
  });

  it('infers a cancellation from a reduction of a deeper level', () => {
    const deep = books(book(10, 10), [
      [0, 4_000, 10],
      [1, 6_000, 10],
    ]);
    expect([deep.rows, deep.inferred.prints, deep.inferred.unexplained]).toEqual([[], 0, 0]);
  });

  it('refuses a recorded trade, which would count twice', () => {
    const { message } = tapeOf({ inferPrints: true });
    expect(() => message(1, (market) => market.trade(bid, 4_000, SHARE))).toThrow('inferred from books');
  });
});

describe('the messages of an import', () => {
  it('moves a slightly late message forward, and refuses a later one', () => {
    const { message, rows, changed } = tapeOf({}, { lateMs: 10 });
    message(100, (market) => market.level(bid, 4_000, SHARE));
    message(95, (market) => market.level(bid, 4_000, 2 * SHARE));
    expect(() => message(89, () => undefined)).toThrow('1970-01-01T00:00:00.089Z');
    expect(rows()).toEqual(['100 level bid 4000 1 |', '100 level bid 4000 2 |']);
    expect(changed()).toEqual(['time moved forward to that of the previous message 1']);
  });

  it('drops a message that is too late when so configured', () => {
    const { message, rows, dropped } = tapeOf({}, { lateMs: 0, later: 'drop' });
    message(100, (market) => market.level(bid, 4_000, SHARE));
    message(99, (market) => market.level(bid, 4_000, 2 * SHARE));
    message(Number.NaN, (market) => market.level(bid, 4_000, 2 * SHARE));
    expect(rows()).toEqual(['100 level bid 4000 1 |']);
    expect(dropped()).toEqual(['message earlier than the previous one 1', 'time out of range 1']);
  });

  it('moves a print before the reduction that it explains, within the window', () => {
    const { message, rows, counts } = tapeOf({}, { pairWindowMs: 50 });
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
    const { message, rows } = tapeOf({}, { pairWindowMs: 50 });
    message(100, (market) => market.level(ask, 6_000, 10 * SHARE));
    message(110, (market) => market.level(ask, 6_000, 4 * SHARE));
    message(120, (market) => {
      market.trade(bid, 6_000, 2 * SHARE);
      market.level(ask, 6_000, 2 * SHARE);
    });
    expect(rows().slice(2)).toEqual(['120 trade bid 6000 2', '120 level ask 6000 2 |']);
  });

  it('splits a message with more prints than a block has rows', () => {
    const { message, rows } = tapeOf();
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
      counts.at('trades.csv', line);
      counts.drop('NO row', 5);
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
