import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOOK_SIDE, type BookView, inNoTerms, Ladder } from '../../src/book/index.ts';
import { priceBps } from '../../src/domain/index.ts';
import { SIDE } from '../../src/tape/index.ts';
import { runs } from '../runs.ts';
import { NaiveBook } from './naive-book.ts';

const SHARE = 1_000_000;

function ladderOf(tick: number, bids: readonly (readonly number[])[], asks: readonly (readonly number[])[]): Ladder {
  const ladder = new Ladder(tick);
  for (const [price = 0, shares = 0] of bids) ladder.set(BOOK_SIDE.bid, price, shares * SHARE);
  for (const [price = 0, shares = 0] of asks) ladder.set(BOOK_SIDE.ask, price, shares * SHARE);
  return ladder;
}

/** Compares all queries of a view with the twin. */
function expectSame(book: BookView, twin: NaiveBook, probes: readonly number[]): void {
  const bid = twin.best('bid');
  const ask = twin.best('ask');
  expect(book.bestBid()).toBe(bid);
  expect(book.bestAsk()).toBe(ask);
  expect(book.doubleMid()).toBe(bid === undefined || ask === undefined ? undefined : bid + ask);
  expect(book.mid()).toBe(bid === undefined || ask === undefined ? undefined : (bid + ask) / 2);
  expect(book.spread()).toBe(bid === undefined || ask === undefined ? undefined : ask - bid);
  expect(book.crossed()).toBe(bid !== undefined && ask !== undefined && bid >= ask);
  expect(book.depth('bid', 20_000)).toEqual(twin.side('bid'));
  expect(book.depth('ask', 20_000)).toEqual(twin.side('ask'));
  for (const price of probes) {
    expect(book.nextBid(price)).toBe(twin.nextBid(price));
    expect(book.nextAsk(price)).toBe(twin.nextAsk(price));
    expect(book.bidAt(price)).toBe(twin.bids.get(price) ?? 0);
    expect(book.askAt(price)).toBe(twin.asks.get(price) ?? 0);
  }
}

describe('Ladder', () => {
  it('returns nothing for an empty book', () => {
    const book = new Ladder(1);
    expectSame(book, new NaiveBook(), [0, 1, 5000, 9999, 10_000]);
    expect(book.microprice()).toBeUndefined();
    expect([book.topBid, book.topAsk]).toEqual([0, 10_000]);
  });

  it('weights the microprice by the opposite sizes: 5800 (100) / 6200 (300) gives 5900', () => {
    expect(ladderOf(10, [[5800, 100]], [[6200, 300]]).microprice()).toBe(5900);
    expect(ladderOf(10, [[5800, 100]], []).microprice()).toBeUndefined();
    expect(ladderOf(10, [], [[6200, 300]]).microprice()).toBeUndefined();
  });

  it('has zero shares at impossible prices', () => {
    const book = ladderOf(10, [[9990, 1]], [[10, 1]]);
    for (const price of [-10_010, -20, -10, 0, 10_000, 10_010, 10_020, 20_000, 20_010]) {
      expect([price, book.bidAt(price), book.askAt(price)]).toEqual([price, 0, 0]);
    }
    const turned = ladderOf(10, [[10, 1]], [[9990, 1]]);
    for (const price of [-20, -10, 10_010, 10_020, 20_000]) {
      expect([price, turned.bidAt(price), turned.askAt(price)]).toEqual([price, 0, 0]);
    }
  });

  it('finds the next best level at any distance when the best level becomes empty', () => {
    const book = ladderOf(
      1,
      [
        [1, 1],
        [9998, 1],
      ],
      [
        [9999, 1],
        [2, 1],
      ],
    );
    expect([book.topBid, book.topAsk, book.crossed()]).toEqual([9998, 2, true]);
    book.set(BOOK_SIDE.bid, 9998, 0);
    book.set(BOOK_SIDE.ask, 2, 0);
    expect([book.topBid, book.topAsk, book.crossed()]).toEqual([1, 9999, false]);
    book.set(BOOK_SIDE.bid, 1, 0);
    book.set(BOOK_SIDE.ask, 9999, 0);
    expect([book.topBid, book.topAsk]).toEqual([0, 10_000]);
  });

  it('keeps sizes exact far beyond int32', () => {
    const book = new Ladder(10);
    book.set(BOOK_SIDE.bid, 5000, 999_999_999_990_000);
    expect(book.bidAt(5000)).toBe(999_999_999_990_000);
  });

  it('returns a depth that does not change later', () => {
    const book = ladderOf(
      10,
      [
        [5000, 2],
        [4990, 1],
        [4000, 7],
      ],
      [],
    );
    const before = book.depth('bid', 2);
    book.clear();
    expect(before).toEqual([
      { price: 5000, shares: 2 * SHARE },
      { price: 4990, shares: SHARE },
    ]);
    expect(book.depth('bid', 2)).toEqual([]);
  });

  it('refuses a price off the tick or out of range, an unknown side and a negative size', () => {
    const book = new Ladder(10);
    expect(() => book.set(BOOK_SIDE.bid, 5005, 1)).toThrow('Invariant: 5005 bps is not a price of a book with tick 10');
    for (const price of [0, 10_000, -10, 10_010, 5000.5, Number.NaN]) {
      expect(() => book.set(BOOK_SIDE.ask, price, 1)).toThrow(`Invariant: ${price} bps`);
    }
    expect(() => book.set(SIDE.unknown, 5000, 1)).toThrow('Invariant: 2 is not a side of a book');
    expect(() => book.set(BOOK_SIDE.bid, 5000, -1)).toThrow('Invariant: -1 micro-shares at 5000');
    expect(() => book.set(BOOK_SIDE.bid, 5000, Number.NaN)).toThrow('Invariant: NaN micro-shares');
    expectSame(book, new NaiveBook(), [5000]);
  });

  it('refuses a tick that does not divide 10000', () => {
    for (const tick of [0, -1, 3, 2.5, 10_000, Number.NaN])
      expect(() => new Ladder(tick)).toThrow('Invariant: the tick');
  });

  it('has room for every price of a grid', () => {
    expect(Ladder.forGrid({ type: 'tick', tickBps: 100 }).tickBps).toBe(100);
    const grid = { type: 'list', bids: [7872, 7936].map(priceBps), asks: [8130].map(priceBps) } as const;
    expect(Ladder.forGrid(grid).tickBps).toBe(2);
    expect(Ladder.forGrid({ type: 'list', bids: [], asks: [] }).tickBps).toBe(1);
  });

  it('numbers its sides as tape rows do', () => {
    expect(BOOK_SIDE).toEqual({ bid: SIDE.bid, ask: SIDE.ask });
  });

  it('holds ten thousand markets at the default tick in under 200 MB', () => {
    const before = process.memoryUsage().arrayBuffers;
    const books = Array.from({ length: 10_000 }, () => new Ladder(10));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200_000_000);
    expect(books.every((book) => book.topBid === 0)).toBe(true);
  });
});

describe('Ladder against a naive implementation', () => {
  const ticks = fc.constantFrom(1, 2, 10, 16, 50, 100, 625, 2500);
  const scripts = fc.tuple(ticks, fc.boolean()).chain(([tick, crowded]) => {
    const end = 10_000 / tick;
    // Half of the scripts use few prices, so that levels are set, emptied and set again.
    const slot = crowded ? fc.integer({ min: 1, max: Math.min(end - 1, 12) }) : fc.integer({ min: 1, max: end - 1 });
    const change = fc.record({
      side: fc.constantFrom(0, 1),
      price: slot.map((at) => at * tick),
      shares: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 1, max: 100_000_000_000 }).map((lots) => lots * 10_000),
      ),
      clear: fc.integer({ min: 0, max: 60 }).map((roll) => roll === 0),
    });
    return fc.record({ tick: fc.constant(tick), changes: fc.array(change, { minLength: 1, maxLength: 120 }) });
  });

  it('agrees on every query after every change, in YES and in NO terms', () => {
    fc.assert(
      fc.property(scripts, ({ tick, changes }) => {
        const book = new Ladder(tick);
        const twin = new NaiveBook();
        const asNo = inNoTerms(book);
        const noTwin = new NaiveBook();
        for (const { side, price, shares, clear } of changes) {
          if (clear) for (const each of [book, twin, noTwin]) each.clear();
          book.set(side, price, shares);
          twin.set(side, price, shares);
          noTwin.set(1 - side, 10_000 - price, shares);
          expectSame(book, twin, [0, price - tick, price - 1, price, price + 1, price + tick, 10_000]);
          expectSame(asNo, noTwin, [0, 10_000 - price, 10_000]);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('weights the microprice in the same way in NO terms', () => {
    const book = ladderOf(10, [[5800, 100]], [[6200, 300]]);
    expect(inNoTerms(book).microprice()).toBe(4100);
    expect(inNoTerms(new Ladder(10)).microprice()).toBeUndefined();
  });
});
