import { describe, expect, it } from 'vitest';
import { LOT, MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import { FORCE, inYesTerms, OrderSlots, SELF_TRADE } from '../../../src/exchange/index.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { LoggedBook } from './logged-book.ts';

const { buyYes, sellYes, buyNo, sellNo } = ORDER_KIND;
const { gtc } = FORCE;

function newBook(tickBps: number) {
  return { book: new LoggedBook({ tickBps, slots: new OrderSlots(), number: 0 }) };
}

describe('the fast path into the book', () => {
  const kinds = [buyYes, sellYes, buyNo, sellNo];

  it.each([1, 10, 16, 2500])('returns the level of each price on a tick of %i, and -1 for any other number', (tick) => {
    const { book } = newBook(tick);
    for (const kind of kinds) {
      for (let price = -20; price <= 10_020; price++) {
        const isPrice = price >= tick && price <= 10_000 - tick && price % tick === 0;
        const level = isPrice ? inYesTerms(kind, price) / tick : -1;
        if (book.levelFor(kind, price, LOT) !== level) expect.fail(`kind ${kind} at ${price}`);
      }
      const numbers = [Number.NaN, Infinity, -Infinity, 2 ** 32 + 5000, 5000.5, 1e300, 16_384, 2 ** 31, -(2 ** 32)];
      expect(numbers.filter((price) => book.levelFor(kind, price, LOT) !== -1)).toEqual([]);
    }
  });

  it('returns -1 for an order whose level could exceed 2^53', () => {
    const { book } = newBook(10);
    for (let order = 1; order <= 9; order++) book.place(order, buyYes, gtc, 10, MAX_ORDER_SHARES);
    expect([book.levelFor(buyYes, 10, MAX_ORDER_SHARES), book.levelFor(buyYes, 10, LOT)]).toEqual([-1, 1]);
    expect(book.levelFor(sellNo, 9990, MAX_ORDER_SHARES)).toBe(-1);
  });

  it.each(kinds)('gives the same result as the full path for kind %i', (kind) => {
    const [fast, full] = [newBook(10), newBook(10)];
    for (const { book } of [fast, full]) {
      [buyYes, sellYes, buyNo, sellNo].forEach((resting, at) => {
        book.place(at + 1, resting, gtc, resting === buyYes || resting === sellNo ? 4990 : 5010, 3 * LOT, 7 + at);
      });
    }
    for (const [at, price] of [10, 4980, 4990, 5000, 5010, 5020, 9990].entries()) {
      fast.book.enterGtc(10 + at, kind, fast.book.levelFor(kind, price, 2 * LOT), 2 * LOT, 7);
      full.book.enter(10 + at, kind, gtc, price, 2 * LOT, 7, SELF_TRADE.cancelTaker);
      expect(fast.book.stateHash()).toEqual(full.book.stateHash());
    }
  });
});
