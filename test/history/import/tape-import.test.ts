import { describe, expect, it } from 'vitest';
import { priceBps, SHARE } from '../../../src/domain/index.ts';
import { SIDE } from '../../../src/tape/index.ts';
import { openImport } from './open-import.ts';

const { bid, ask, unknown } = SIDE;

describe('an imported market', () => {
  it('writes prints first, then levels, then status and resolution', () => {
    const { message, rows } = openImport();
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
    const { message, rows } = openImport();
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
    const { message, rows, tape } = openImport();
    message(1, (market) => market.trade(ask, 4_000, SHARE));
    message(2, (market) => market.status('HALTED'));
    tape.finish();
    expect(tape.content).toBe('trades');
    message(3, (market) => market.level(bid, 4_000, SHARE));
    rows();
    expect(tape.content).toBeUndefined();
  });

  it('mirrors rows of NO to the other side of YES', () => {
    const { message, rows } = openImport();
    message(1, (market) => {
      market.level(bid, 4_000, SHARE, 'NO');
      market.trade(bid, 4_100, SHARE, 'NO');
      market.trade(unknown, 4_100, SHARE, 'NO');
    });
    expect(rows()).toEqual(['1 trade ask 5900 1', '1 trade ? 5900 1', '1 level ask 6000 1 |']);
  });

  it('drops and counts rows of NO when mirroring is off', () => {
    const { message, rows, dropped, counts } = openImport({ noRows: 'drop' });
    message(1, (market) => {
      market.level(bid, 4_000, SHARE, 'NO');
      market.trade(bid, 4_100, 3 * SHARE, 'NO');
    });
    expect(rows()).toEqual([]);
    expect(dropped()).toEqual(['NO row 2']);
    expect(counts.dropped.get('NO row')?.shares.micros).toBe(3_000_000n);
  });

  it('keeps book and gap when it drops a best price or a full book of NO', () => {
    const { message, rows, dropped } = openImport({ noRows: 'drop' });
    message(1, (market) => market.level(bid, 4_000, SHARE));
    message(2, (market) => market.fullBook('NO'));
    message(3, (market) => market.gap());
    message(4, (market) => market.top(ask, 6_000, SHARE, 'NO'));
    message(5, (market) => market.fullBook('NO'));
    message(6, (market) => market.top(ask, 6_000, SHARE));
    expect(rows()).toEqual(['1 level bid 4000 1 |', '3 gap bid 0 0 |', '6 clear bid 0 0', '6 level ask 6000 1 |']);
    expect(dropped()).toEqual(['NO row 3']);
  });

  it('adds up levels that round to one price, and rounds the sum down to lots', () => {
    const { message, rows, changed } = openImport();
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
    const { message, rows, dropped } = openImport({
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
    const { message, rows, dropped } = openImport({ offGrid: 'drop' });
    message(1, (market) => {
      market.level(bid, 4_050, SHARE);
      market.level(bid, 4_100.000_000_000_1, SHARE);
    });
    expect(rows()).toEqual(['1 level bid 4100 1 |']);
    expect(dropped()).toEqual(['price off the grid 1']);
  });

  it('adds level changes to the level, and removes and reports a level below 0', () => {
    const { message, rows, market, tape, changed } = openImport();
    message(1, () => market.levelDelta(bid, 4_000, 3 * SHARE));
    message(2, () => market.levelDelta(bid, 4_000, -SHARE));
    tape.begin(3);
    expect(market.levelDelta(bid, 4_000, -3 * SHARE)).toBe(false);
    tape.end();
    expect(rows()).toEqual(['1 level bid 4000 3 |', '2 level bid 4000 2 |', '3 level bid 4000 0 |']);
    expect(changed()).toEqual(['level below 0 after a change: removed 1']);
  });

  it('drops negative and unreadable sizes', () => {
    const { message, rows, dropped } = openImport();
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
    const { message, rows, dropped } = openImport({ startsEmpty: false });
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
    const { message, rows, dropped } = openImport();
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
    const tape = openImport({ inferPrints: true });
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
    const bothShrank = books(book(10, 10), book(9, 9));
    expect([bothShrank.rows, bothShrank.inferred.unexplained]).toEqual([[], 2]);
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
    const { message } = openImport({ inferPrints: true });
    expect(() => message(1, (market) => market.trade(bid, 4_000, SHARE))).toThrow('inferred from books');
  });
});
