import { describe, expect, it } from 'vitest';
import { InputFault, LOT, MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import { BOOK_RESULT, CLOSE, FORCE, OrderSlots } from '../../../src/exchange/index.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { LoggedBook } from './logged-book.ts';
import { rejectReason } from './order-codes.ts';

const { buyYes, sellYes, buyNo } = ORDER_KIND;
const { gtc, postOnly, fak, fok } = FORCE;

function newBook(tickBps = 1, slots = new OrderSlots(), number = 0) {
  const book = new LoggedBook({ tickBps, slots, number });
  return { log: book.log, slots, book };
}

describe('refusals of the matching book', () => {
  const valid = [2, buyYes, gtc, 5000, LOT] as const;
  const refused: readonly (readonly [string, readonly [number, number, number, number, number]])[] = [
    ['CONFLICT', [1, buyYes, gtc, 5000, LOT]],
    ['CONFLICT', [1, 9, 9, Number.NaN, Number.NaN]],
    ...[0, -1, 1.5, Number.NaN, Infinity, 2 ** 53].map(
      (order) => ['INVALID_ORDER', [order, buyYes, gtc, 5, LOT]] as const,
    ),
    ...[-1, 4, 0.5, Number.NaN].map((kind) => ['INVALID_ORDER', [2, kind, gtc, 5000, LOT]] as const),
    ...[-1, 4, 0.5, Number.NaN].map((force) => ['INVALID_ORDER', [2, buyYes, force, Number.NaN, 0]] as const),
    ...[0, -10, 10_000, 10_010, 5, 5000.5, 4_294_972_296, 2 ** 53, Number.NaN, Infinity, -Infinity].flatMap((price) => [
      ['INVALID_TICK', [2, buyYes, gtc, price, 0]] as const,
      ['INVALID_TICK', [2, buyNo, gtc, price, 0]] as const,
    ]),
    ...[0, -LOT, 1, LOT + 1, LOT + 0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, 1e300].map(
      (shares) => ['INVALID_LOT', [2, buyYes, gtc, 5000, shares]] as const,
    ),
    ['ABOVE_MAX', [2, buyYes, gtc, 5000, MAX_ORDER_SHARES + LOT]],
    ['ABOVE_MAX', [2, sellYes, postOnly, 10, MAX_ORDER_SHARES + LOT]],
    ['POST_ONLY_WOULD_CROSS', [2, sellYes, postOnly, 4000, LOT]],
    ['FOK_NOT_FILLABLE', [2, sellYes, fok, 4000, 2 * LOT]],
  ];

  it.each(refused)('change nothing: %s for %j', (reason, [order, kind, force, price, shares]) => {
    const { book, log, slots } = newBook(10);
    book.place(1, buyYes, gtc, 4000, LOT);
    const before = book.stateHash();
    log.take();
    expect(rejectReason(book.place(order, kind, force, price, shares))).toBe(reason);
    expect([book.stateHash(), log.take(), slots.size]).toEqual([before, '', 1]);
    // The number of a refused order can be used again.
    expect(book.place(...valid)).toBe(BOOK_RESULT.done);
  });

  it('include orders of another book, which cannot be cancelled or reduced in this book', () => {
    const slots = new OrderSlots();
    const [first, second] = [newBook(10, slots, 1), newBook(10, slots, 2)];
    first.book.place(1, buyYes, gtc, 5000, LOT);
    const before = first.book.stateHash();
    expect(rejectReason(second.book.place(1, buyYes, gtc, 5000, LOT))).toBe('CONFLICT');
    expect(rejectReason(second.book.cancel(1))).toBe('NOT_FOUND');
    expect(rejectReason(second.book.reduceOrder(1, LOT))).toBe('NOT_FOUND');
    expect([second.book.remainingOf(1), first.book.remainingOf(1)]).toEqual([0, LOT]);
    expect(first.book.stateHash()).toBe(before);
  });

  it('report the first failure in the order of the venue’s checks', () => {
    const { book } = newBook(10);
    book.place(1, buyYes, gtc, 4000, LOT);
    const reasons = [
      book.place(1, 4, 4, 5, 5),
      book.place(2, 4, 4, 5, 5),
      book.place(2, 0, 0, 5, 5),
      book.place(2, 0, 0, 10, 5),
      book.place(2, sellYes, postOnly, 10, 2e15),
      book.place(2, sellYes, postOnly, 10, 1e15),
      book.place(2, sellYes, fok, 10, 1e15),
    ].map(rejectReason);
    const inOrder = [
      'CONFLICT',
      'INVALID_ORDER',
      'INVALID_TICK',
      'INVALID_LOT',
      'ABOVE_MAX',
      'POST_ONLY_WOULD_CROSS',
      'FOK_NOT_FILLABLE',
    ];
    expect(reasons).toEqual(inOrder);
  });
});

describe('the matching book', () => {
  it('trades the largest size at 1 and at 9999 bps', () => {
    const { book, log } = newBook();
    book.place(1, buyYes, gtc, 1, MAX_ORDER_SHARES);
    book.place(2, sellYes, gtc, 9999, MAX_ORDER_SHARES);
    expect([book.bestBid, book.bestAsk]).toEqual([1, 9999]);
    book.place(3, buyNo, gtc, 9999, MAX_ORDER_SHARES);
    book.place(4, buyYes, fok, 9999, MAX_ORDER_SHARES);
    expect(
      log
        .take()
        .split(';')
        .filter((row) => row.startsWith('0')),
    ).toEqual([`0,1,3,1,${MAX_ORDER_SHARES},0`, `0,2,4,9999,${MAX_ORDER_SHARES},1`]);
    expect([book.bestBid, book.bestAsk]).toEqual([0, 10_000]);
  });

  it('sweeps all 9,999 levels with one order', () => {
    const { book, slots } = newBook();
    for (let price = 1; price <= 9999; price++) book.place(price, sellYes, gtc, price, LOT);
    expect([book.bestAsk, slots.size]).toEqual([1, 9999]);
    expect(book.place(10_000, buyYes, fok, 9999, 9999 * LOT)).toBe(BOOK_RESULT.done);
    expect([book.bestBid, book.bestAsk, slots.size]).toEqual([0, 10_000, 0]);
    expect(book.stateHash()).toBe(newBook().book.stateHash());
  });

  it('keeps each level within 2^53, so that its total stays exact', () => {
    const { book } = newBook(10);
    for (let order = 1; order <= 9; order++)
      expect(book.place(order, buyYes, gtc, 50, MAX_ORDER_SHARES)).toBe(BOOK_RESULT.done);
    expect(rejectReason(book.place(10, buyYes, gtc, 50, MAX_ORDER_SHARES))).toBe('ABOVE_MAX');
    expect(book.refusal(buyYes, gtc, 50, MAX_ORDER_SHARES, 7, 0)).toBe(BOOK_RESULT.aboveMax);
    expect(book.refusal(ORDER_KIND.sellNo, postOnly, 9950, MAX_ORDER_SHARES, 7, 0)).toBe(BOOK_RESULT.aboveMax);
    expect(book.refusal(buyYes, fak, 50, MAX_ORDER_SHARES, 7, 0)).toBe(BOOK_RESULT.done);
    // A FAK remainder, and an order at another price, do not add to the level.
    expect(book.place(11, buyYes, fak, 50, MAX_ORDER_SHARES)).toBe(BOOK_RESULT.done);
    expect(book.place(12, buyYes, gtc, 40, MAX_ORDER_SHARES)).toBe(BOOK_RESULT.done);
    const available = Math.floor((Number.MAX_SAFE_INTEGER - 9 * MAX_ORDER_SHARES) / LOT) * LOT;
    expect(rejectReason(book.place(13, buyYes, gtc, 50, available + LOT))).toBe('ABOVE_MAX');
    expect(book.place(14, buyYes, gtc, 50, available)).toBe(BOOK_RESULT.done);
    expect(book.sharesAt(50)).toBe(9 * MAX_ORDER_SHARES + available);
    // An order of the other side does not add to the level that it matches.
    expect(book.place(15, sellYes, gtc, 50, MAX_ORDER_SHARES)).toBe(BOOK_RESULT.done);
    expect(book.sharesAt(50)).toBe(8 * MAX_ORDER_SHARES + available);
  });

  it('accepts order numbers up to 2^53', () => {
    const { book, log } = newBook();
    const last = Number.MAX_SAFE_INTEGER;
    for (const order of [last, last - 2 ** 32, 2 ** 31, 2 ** 32 + 5, 5]) {
      expect(book.place(order, buyYes, gtc, 5000, LOT)).toBe(BOOK_RESULT.done);
    }
    expect(rejectReason(book.place(last, buyYes, gtc, 5000, LOT))).toBe('CONFLICT');
    log.take();
    book.cancel(last - 2 ** 32);
    book.cancel(2 ** 32 + 5);
    expect(log.take()).toBe(`3,${last - 2 ** 32},${LOT},1;3,${2 ** 32 + 5},${LOT},1`);
    expect([last, 2 ** 31, 5].map((order) => book.remainingOf(order))).toEqual([LOT, LOT, LOT]);
  });

  it('refuses a tick that does not divide 10000 and an invalid market number', () => {
    for (const tickBps of [0, -1, 3, 2.5, 10_000, 20_000, Number.NaN])
      expect(() => newBook(tickBps)).toThrow(InputFault);
    for (const number of [-1, 0.5, 2 ** 31, Number.NaN]) {
      expect(() => newBook(1, new OrderSlots(), number)).toThrow(InputFault);
    }
  });

  it('has a single level at a tick of 5000', () => {
    const { book } = newBook(5000);
    book.place(1, buyYes, gtc, 5000, LOT);
    book.place(2, buyNo, gtc, 5000, LOT);
    expect([book.bestBid, book.bestAsk]).toEqual([0, 10_000]);
  });
});

describe('queries of the matching book', () => {
  it('find the next level in both directions from any price', () => {
    const { book } = newBook(10);
    for (const [order, price] of [
      [1, 10],
      [2, 4990],
      [3, 5000],
    ] as const)
      book.place(order, buyYes, gtc, price, LOT);
    for (const [order, price] of [
      [4, 5010],
      [5, 9990],
    ] as const)
      book.place(order, sellYes, gtc, price, LOT);
    expect([0, 10, 15, 4990, 5000, 5005, 9995, 10_000].map((price) => book.priceBelow(price))).toEqual([
      0, 0, 10, 10, 4990, 5000, 9990, 9990,
    ]);
    expect([0, 5, 10, 4995, 5000, 5010, 9985, 9990, 10_000].map((price) => book.priceAbove(price))).toEqual([
      10, 10, 4990, 5000, 5010, 9990, 9990, 10_000, 10_000,
    ]);
  });

  it('return zero for prices off the grid or out of range', () => {
    const { book } = newBook(10);
    book.place(1, buyYes, gtc, 5000, LOT);
    for (const price of [0, 10_000, 5005, -10, 20_000, Number.NaN]) {
      expect([book.sharesAt(price), book.orderCountAt(price)]).toEqual([0, 0]);
    }
    expect([book.sharesAt(5000), book.orderCountAt(5000), book.remainingOf(1), book.remainingOf(2)]).toEqual([
      LOT,
      1,
      LOT,
      0,
    ]);
  });
});

describe('an unused or closed book', () => {
  const reads = (book: LoggedBook) => [
    [
      book.bestBid,
      book.bestAsk,
      book.priceAbove(0),
      book.priceAbove(5000),
      book.priceBelow(5000),
      book.priceBelow(10_000),
    ],
    [book.sharesAt(5000), book.orderCountAt(5000), book.firstAt(5000)],
    [book.refusal(buyYes, gtc, 5000, MAX_ORDER_SHARES, 0, 0), book.refusal(sellYes, postOnly, 10, LOT, 7, 0)],
    [book.refusal(buyYes, fak, 5000, LOT, 7, 1), book.refusal(sellYes, fok, 10, LOT, 7, 0)],
  ];
  const empty = [
    [0, 10_000, 10_000, 10_000, 0, 0],
    [0, 0, 0],
    [BOOK_RESULT.done, BOOK_RESULT.done],
    [BOOK_RESULT.done, BOOK_RESULT.fokNotFillable],
  ];

  it('is empty and refuses only a FOK', () => {
    const { book } = newBook(10);
    expect(reads(book)).toEqual(empty);
    for (const [at, price] of [10, 5000, 9990].entries()) book.place(at + 1, buyYes, gtc, price, LOT, 7);
    book.closeAll(CLOSE.marketNotOpen);
    expect(reads(book)).toEqual(empty);
    expect([book.stateHash(), book.shared.size]).toEqual([newBook(10).book.stateHash(), 0]);
  });

  it('releases its slots to other books', () => {
    const slots = new OrderSlots(1);
    const [first, second] = [newBook(10, slots, 1).book, newBook(10, slots, 2).book];
    second.place(99, sellYes, gtc, 6000, LOT, 8);
    for (let order = 1; order <= 50; order++) first.place(order, buyYes, gtc, 10 * order, LOT, 7);
    first.closeAll(CLOSE.tickChanged);
    const { rows } = slots;
    for (let order = 100; order < 150; order++) second.place(order, buyYes, gtc, 10 * (order - 99), LOT, 8);
    expect([slots.size, slots.rows, first.remainingOf(100), first.bestBid]).toEqual([51, rows, 0, 0]);
    expect([first.ordersOf(7), second.ordersOf(8).length, second.bestBid]).toEqual([[], 51, 500]);
  });
});

describe('the state hash of a book', () => {
  const hashAfter = (change: (book: LoggedBook) => void, tickBps = 10) => {
    const { book } = newBook(tickBps);
    change(book);
    return book.stateHash();
  };
  const placeFirst = (book: LoggedBook) => book.place(1, buyYes, gtc, 5000, 2 * LOT);
  const placeSecond = (book: LoggedBook) => book.place(2, buyYes, gtc, 5000, 2 * LOT);

  it('does not depend on how the state was reached or on the slots used', () => {
    const direct = hashAfter((book) => [placeFirst(book), placeSecond(book)]);
    const indirect = hashAfter((book) => {
      book.place(9, sellYes, gtc, 5010, LOT);
      book.place(1, buyYes, gtc, 5000, 4 * LOT);
      book.cancel(9);
      placeSecond(book);
      book.place(10, sellYes, fak, 5000, LOT);
      book.reduceOrder(1, LOT);
    });
    expect(indirect).toBe(direct);
  });

  it('depends on order of time, number, kind, remaining size, owner, price and tick', () => {
    const hashes = [
      hashAfter(() => {}),
      hashAfter(() => {}, 5),
      hashAfter(placeFirst),
      hashAfter(placeFirst, 5),
      hashAfter((book) => book.place(2, buyYes, gtc, 5000, 2 * LOT)),
      hashAfter((book) => book.place(1, ORDER_KIND.sellNo, gtc, 5000, 2 * LOT)),
      hashAfter((book) => book.place(1, sellYes, gtc, 5000, 2 * LOT)),
      hashAfter((book) => book.place(1, buyYes, gtc, 5000, LOT)),
      hashAfter((book) => book.place(1, buyYes, gtc, 5000, 2 * LOT, 7)),
      hashAfter((book) => book.place(1, buyYes, gtc, 5010, 2 * LOT)),
      hashAfter((book) => [placeFirst(book), placeSecond(book)]),
      hashAfter((book) => [placeSecond(book), placeFirst(book)]),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('is the same on every machine and Node version', () => {
    expect(
      hashAfter((book) => [placeFirst(book), placeSecond(book), book.place(3, buyNo, gtc, 10, MAX_ORDER_SHARES)]),
    ).toBe('80b4ff5102eba4e4');
  });
});
