/** Cases from the tests of liquibook and exchange-core; `test/exchange/matching/known-engines.md` lists all of them. */

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { LOT } from '../../../src/domain/index.ts';
import { FORCE } from '../../../src/exchange/index.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { LoggedBook } from './logged-book.ts';
import { expectScenario } from './scenario.ts';

const { buyYes, sellYes } = ORDER_KIND;
const { gtc, fak } = FORCE;

describe('an incoming order', () => {
  it('that exactly fills the first order leaves the other orders unchanged', () => {
    expectScenario(`
      1 BUY YES 10 @ 5000  | rests 10                              | bid 5000: 10 (1)
      2 SELL YES 4 @ 5010  | rests 4                               | bid 5000: 10 (1) ask 5010: 4 (1)
      3 SELL YES 6 @ 5020  | rests 6                               | bid 5000: 10 (1) ask 5010: 4 (1) 5020: 6 (1)
      4 BUY YES 4 @ 5010   | takes 4 of 2 @ 5010 NORMAL, 2 filled, 4 filled | bid 5000: 10 (1) ask 5020: 6 (1)
      5 SELL YES 10 @ 5000 | takes 10 of 1 @ 5000 NORMAL, 1 filled, 5 filled | ask 5020: 6 (1)
    `);
  });

  it('larger than one price level rests with its remainder on its own side, ahead of worse orders', () => {
    expectScenario(`
      1 BUY YES 10 @ 5000  | rests 10                              | bid 5000: 10 (1)
      2 SELL YES 3 @ 5010  | rests 3                               | bid 5000: 10 (1) ask 5010: 3 (1)
      3 SELL YES 2 @ 5010  | rests 2                               | bid 5000: 10 (1) ask 5010: 5 (2)
      4 SELL YES 9 @ 5030  | rests 9                               | bid 5000: 10 (1) ask 5010: 5 (2) 5030: 9 (1)
      5 BUY YES 7 @ 5020   | takes 3 of 2 @ 5010 NORMAL, 2 filled, takes 2 of 3 @ 5010 NORMAL, 3 filled, rests 2 | bid 5020: 2 (1) 5000: 10 (1) ask 5030: 9 (1)
      6 SELL YES 5 @ 5000  | takes 2 of 5 @ 5020 NORMAL, 5 filled, takes 3 of 1 @ 5000 NORMAL, 6 filled | bid 5000: 7 (1) ask 5030: 9 (1)
    `);
  });

  it('repeated in small sizes reduces a large order to zero', () => {
    expectScenario(`
      1 SELL YES 9 @ 5010  | rests 9                               | ask 5010: 9 (1)
      2 SELL YES 1 @ 5010  | rests 1                               | ask 5010: 10 (2)
      3 BUY YES 4 @ 5010   | takes 4 of 1 @ 5010 NORMAL, 3 filled  | ask 5010: 6 (2)
      4 BUY YES 4 @ 5010   | takes 4 of 1 @ 5010 NORMAL, 4 filled  | ask 5010: 2 (2)
      5 BUY YES 1 @ 5010   | takes 1 of 1 @ 5010 NORMAL, 1 filled, 5 filled | ask 5010: 1 (1)
      6 BUY YES 4 @ 5010   | takes 1 of 2 @ 5010 NORMAL, 2 filled, rests 3 | bid 5010: 3 (1)
    `);
  });

  it('at the worst price pays each maker the maker’s price, like a market order', () => {
    expectScenario(`
      1 SELL YES 1 @ 10           | rests 1                        | ask 10: 1 (1)
      2 SELL YES 2 @ 9990         | rests 2                        | ask 10: 1 (1) 9990: 2 (1)
      3 BUY YES 3 @ 9990 FAK      | takes 1 of 1 @ 10 NORMAL, 1 filled, takes 2 of 2 @ 9990 NORMAL, 2 filled, 3 filled | empty
      4 BUY YES 1 @ 10            | rests 1                        | bid 10: 1 (1)
      5 BUY YES 2 @ 9990          | rests 2                        | bid 9990: 2 (1) 10: 1 (1)
      6 BUY NO 4 @ 9990 FAK       | takes 2 of 5 @ 9990 MINT, 5 filled, takes 1 of 4 @ 10 MINT, 4 filled, 6 gives up 1 FAK_REMAINDER | empty
    `);
  });
});

describe('FAK and FOK orders to sell', () => {
  it('fill as much as the bids offer when they are FAK, from nothing to several prices', () => {
    expectScenario(`
      1 SELL YES 3 @ 5000 FAK  | 1 gives up 3 FAK_REMAINDER        | empty
      2 BUY YES 2 @ 5000       | rests 2                           | bid 5000: 2 (1)
      3 SELL YES 3 @ 5010 FAK  | 3 gives up 3 FAK_REMAINDER        | bid 5000: 2 (1)
      4 SELL YES 3 @ 5000 FAK  | takes 2 of 2 @ 5000 NORMAL, 2 filled, 4 gives up 1 FAK_REMAINDER | empty
      5 BUY YES 2 @ 5000       | rests 2                           | bid 5000: 2 (1)
      6 BUY YES 2 @ 4990       | rests 2                           | bid 5000: 2 (1) 4990: 2 (1)
      7 SELL YES 3 @ 4000 FAK  | takes 2 of 5 @ 5000 NORMAL, 5 filled, takes 1 of 6 @ 4990 NORMAL, 7 filled | bid 4990: 1 (1)
    `);
  });

  it('fill completely or are refused when they are FOK, even when one tick of price is missing', () => {
    expectScenario(`
      1 SELL YES 3 @ 5000 FOK  | FOK_NOT_FILLABLE                  | empty
      2 BUY YES 2 @ 5000       | rests 2                           | bid 5000: 2 (1)
      3 BUY YES 1 @ 4990       | rests 1                           | bid 5000: 2 (1) 4990: 1 (1)
      4 SELL YES 4 @ 4000 FOK  | FOK_NOT_FILLABLE                  | bid 5000: 2 (1) 4990: 1 (1)
      5 SELL YES 3 @ 5000 FOK  | FOK_NOT_FILLABLE                  | bid 5000: 2 (1) 4990: 1 (1)
      6 SELL YES 3 @ 4990 FOK  | takes 2 of 2 @ 5000 NORMAL, 2 filled, takes 1 of 3 @ 4990 NORMAL, 3 filled, 6 filled | empty
    `);
  });
});

describe('a price level', () => {
  it('can be added before, after and between others, disappears when empty, and can return', () => {
    expectScenario(`
      1 BUY YES 1 @ 5000   | rests 1       | bid 5000: 1 (1)
      2 BUY YES 2 @ 4000   | rests 2       | bid 5000: 1 (1) 4000: 2 (1)
      3 BUY YES 3 @ 6000   | rests 3       | bid 6000: 3 (1) 5000: 1 (1) 4000: 2 (1)
      4 BUY YES 4 @ 5500   | rests 4       | bid 6000: 3 (1) 5500: 4 (1) 5000: 1 (1) 4000: 2 (1)
      cancel 1             | 1 gives up 1  | bid 6000: 3 (1) 5500: 4 (1) 4000: 2 (1)
      5 BUY YES 5 @ 5000   | rests 5       | bid 6000: 3 (1) 5500: 4 (1) 5000: 5 (1) 4000: 2 (1)
      cancel 3             | 3 gives up 3  | bid 5500: 4 (1) 5000: 5 (1) 4000: 2 (1)
      6 BUY YES 6 @ 6000   | rests 6       | bid 6000: 6 (1) 5500: 4 (1) 5000: 5 (1) 4000: 2 (1)
    `);
  });

  it('with a size past 32 bits, near the middle and at both ends, is counted and traded without loss', () => {
    expectScenario(`
      1 SELL YES 900000000 @ 5010      | rests 900000000  | ask 5010: 900000000 (1)
      2 BUY YES 900000000.01 @ 5000    | rests 900000000.01 | bid 5000: 900000000.01 (1) ask 5010: 900000000 (1)
      3 BUY NO 1 @ 10                  | rests 1          | bid 5000: 900000000.01 (1) ask 5010: 900000000 (1) 9990: 1 (1)
      4 SELL NO 800000000 @ 9990       | rests 800000000  | bid 5000: 900000000.01 (1) 10: 800000000 (1) ask 5010: 900000000 (1) 9990: 1 (1)
      5 SELL YES 900000001 @ 4000      | takes 900000000.01 of 2 @ 5000 NORMAL, 2 filled, rests 0.99 | bid 10: 800000000 (1) ask 4000: 0.99 (1) 5010: 900000000 (1) 9990: 1 (1)
      6 SELL YES 800000000 @ 10        | takes 800000000 of 4 @ 10 MERGE, 4 filled, 6 filled | ask 4000: 0.99 (1) 5010: 900000000 (1) 9990: 1 (1)
      7 BUY YES 900000001.99 @ 9990    | takes 0.99 of 5 @ 4000 NORMAL, 5 filled, takes 900000000 of 1 @ 5010 NORMAL, 1 filled, takes 1 of 3 @ 9990 MINT, 3 filled, 7 filled | empty
    `);
  });

  it('far from the best becomes the best when the others are filled or cancelled', () => {
    expectScenario(
      `
      1 SELL YES 1 @ 5000  | rests 1       | ask 5000: 1 (1)
      2 SELL YES 1 @ 5001  | rests 1       | ask 5000: 1 (1) 5001: 1 (1)
      3 SELL YES 1 @ 5033  | rests 1       | ask 5000: 1 (1) 5001: 1 (1) 5033: 1 (1)
      4 SELL YES 1 @ 6999  | rests 1       | ask 5000: 1 (1) 5001: 1 (1) 5033: 1 (1) 6999: 1 (1)
      5 SELL YES 1 @ 9999  | rests 1       | ask 5000: 1 (1) 5001: 1 (1) 5033: 1 (1) 6999: 1 (1) 9999: 1 (1)
      6 BUY YES 1 @ 5000   | takes 1 of 1 @ 5000 NORMAL, 1 filled, 6 filled | ask 5001: 1 (1) 5033: 1 (1) 6999: 1 (1) 9999: 1 (1)
      cancel 2             | 2 gives up 1  | ask 5033: 1 (1) 6999: 1 (1) 9999: 1 (1)
      7 BUY YES 1 @ 5033   | takes 1 of 3 @ 5033 NORMAL, 3 filled, 7 filled | ask 6999: 1 (1) 9999: 1 (1)
      cancel 4             | 4 gives up 1  | ask 9999: 1 (1)
      8 BUY YES 1 @ 9999   | takes 1 of 5 @ 9999 NORMAL, 5 filled, 8 filled | empty
      `,
      1,
    );
  });
});

describe('a closed order', () => {
  it('is skipped, and the next order in time matches', () => {
    expectScenario(`
      1 BUY YES 1 @ 5000   | rests 1       | bid 5000: 1 (1)
      2 BUY YES 2 @ 5000   | rests 2       | bid 5000: 3 (2)
      cancel 1             | 1 gives up 1  | bid 5000: 2 (1)
      3 SELL YES 1 @ 5000  | takes 1 of 2 @ 5000 NORMAL, 3 filled | bid 5000: 1 (1)
    `);
  });

  it('cannot be cancelled or reduced, and its number can be used again', () => {
    expectScenario(`
      1 BUY YES 1 @ 5000   | rests 1       | bid 5000: 1 (1)
      2 SELL YES 1 @ 5000  | takes 1 of 1 @ 5000 NORMAL, 1 filled, 2 filled | empty
      cancel 1             | NOT_FOUND     | empty
      reduce 1 by 1        | NOT_FOUND     | empty
      cancel 2             | NOT_FOUND     | empty
      3 BUY YES 1 @ 5000   | rests 1       | bid 5000: 1 (1)
      3 BUY YES 1 @ 4000   | CONFLICT      | bid 5000: 1 (1)
      cancel 3             | 3 gives up 1  | empty
      3 BUY YES 1 @ 4000   | rests 1       | bid 4000: 1 (1)
    `);
  });
});

describe('an order moved by a cancel and a place', () => {
  it('is last at its new price, whether the level exists or not', () => {
    expectScenario(`
      1 BUY YES 1 @ 5000   | rests 1       | bid 5000: 1 (1)
      2 BUY YES 2 @ 4990   | rests 2       | bid 5000: 1 (1) 4990: 2 (1)
      cancel 1             | 1 gives up 1  | bid 4990: 2 (1)
      3 BUY YES 1 @ 4990   | rests 1       | bid 4990: 3 (2)
      ahead of 3           | 2             | bid 4990: 3 (2)
      cancel 3             | 3 gives up 1  | bid 4990: 2 (1)
      4 BUY YES 1 @ 5010   | rests 1       | bid 5010: 1 (1) 4990: 2 (1)
    `);
  });

  it('matches like any other order when it crosses, at two prices or the whole side', () => {
    expectScenario(`
      1 SELL YES 2 @ 5010  | rests 2       | ask 5010: 2 (1)
      2 SELL YES 3 @ 5020  | rests 3       | ask 5010: 2 (1) 5020: 3 (1)
      3 BUY YES 4 @ 5000   | rests 4       | bid 5000: 4 (1) ask 5010: 2 (1) 5020: 3 (1)
      cancel 3             | 3 gives up 4  | ask 5010: 2 (1) 5020: 3 (1)
      4 BUY YES 4 @ 5020   | takes 2 of 1 @ 5010 NORMAL, 1 filled, takes 2 of 2 @ 5020 NORMAL, 4 filled | ask 5020: 1 (1)
      5 BUY YES 4 @ 5000   | rests 4       | bid 5000: 4 (1) ask 5020: 1 (1)
      cancel 5             | 5 gives up 4  | ask 5020: 1 (1)
      6 BUY YES 4 @ 5030   | takes 1 of 2 @ 5020 NORMAL, 2 filled, rests 3 | bid 5030: 3 (1)
    `);
  });
});

describe('many orders', () => {
  it('at one price, cancelled at random, leave correct sums and a queue in order of time', () => {
    const random = seededRandom(7);
    const book = new LoggedBook();
    let next = 0;
    let open: number[] = [];
    for (let round = 0; round < 20; round++) {
      for (let count = 0; count < 1000; count++) {
        book.place(++next, buyYes, gtc, 5000, LOT * (1 + (next % 50)));
        open.push(next);
      }
      for (let count = 0; count < 900; count++) {
        const [order = 0] = open.splice(random.int(open.length), 1);
        book.cancel(order);
      }
      const sum = open.reduce((total, order) => total + book.remainingOf(order), 0);
      expect([book.sharesAt(5000), book.orderCountAt(5000)]).toEqual([sum, open.length]);
      book.log.take();
      const half = Math.floor(sum / LOT / 2) * LOT;
      book.place(++next, sellYes, fak, 5000, half);
      const makers = book.log.rows.filter(([event]) => event === 0).map(([, maker]) => maker);
      expect(makers).toEqual(open.slice(0, makers.length));
      open = open.filter((order) => book.remainingOf(order) > 0);
      expect([book.sharesAt(5000), book.orderCountAt(5000)]).toEqual([sum - half, open.length]);
    }
  });

  it.each([
    ['asks at falling prices match a thousand bids', buyYes, sellYes],
    ['bids at rising prices match a thousand asks', sellYes, buyYes],
  ])('at one price each leave the correct sizes: %s', (_, resting, incoming) => {
    const book = new LoggedBook({ tickBps: 1 });
    const prices = Array.from({ length: 2000 }, (_, at) => 4000 + at);
    const isBid = incoming === buyYes;
    const behind = prices.filter((price) => (isBid ? price > 5000 : price < 5000));
    const sizes = new Map<number, number>();
    let next = 0;
    for (const price of behind) book.place(++next, resting, gtc, price, LOT);
    for (const price of isBid ? prices : prices.toReversed()) {
      const takes = behind.includes(price) ? LOT : 0;
      book.place(++next, incoming, gtc, price, price * LOT);
      sizes.set(price, price * LOT - takes);
    }
    expect(prices.map((price) => book.sharesAt(price))).toEqual(prices.map((price) => sizes.get(price)));
    expect([book.bestBid, book.bestAsk]).toEqual(isBid ? [5999, 10_000] : [0, 4000]);
  });
});
