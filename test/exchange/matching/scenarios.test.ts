import { describe, expect, it } from 'vitest';
import { expectScenario } from './scenario.ts';

describe('the four kinds of order', () => {
  it('match a resting BUY YES so that SELL YES trades, BUY NO mints, and the others rest', () => {
    expectScenario(`
      1 BUY YES 10 @ 6000  | rests 10                             | bid 6000: 10 (1)
      2 BUY YES 4 @ 6500   | rests 4                              | bid 6500: 4 (1) 6000: 10 (1)
      --------------------
      1 BUY YES 10 @ 6000  | rests 10                             | bid 6000: 10 (1)
      2 SELL YES 4 @ 5500  | takes 4 of 1 @ 6000 NORMAL, 2 filled | bid 6000: 6 (1)
      --------------------
      1 BUY YES 10 @ 6000  | rests 10                             | bid 6000: 10 (1)
      2 BUY NO 4 @ 4500    | takes 4 of 1 @ 6000 MINT, 2 filled   | bid 6000: 6 (1)
      --------------------
      1 BUY YES 10 @ 6000  | rests 10                             | bid 6000: 10 (1)
      2 SELL NO 4 @ 3500   | rests 4                              | bid 6500: 4 (1) 6000: 10 (1)
    `);
  });

  it('match a resting SELL YES so that BUY YES trades, SELL NO merges, and the others rest', () => {
    expectScenario(`
      1 SELL YES 10 @ 6000 | rests 10                             | ask 6000: 10 (1)
      2 BUY YES 4 @ 6500   | takes 4 of 1 @ 6000 NORMAL, 2 filled | ask 6000: 6 (1)
      --------------------
      1 SELL YES 10 @ 6000 | rests 10                             | ask 6000: 10 (1)
      2 SELL YES 4 @ 5500  | rests 4                              | ask 5500: 4 (1) 6000: 10 (1)
      --------------------
      1 SELL YES 10 @ 6000 | rests 10                             | ask 6000: 10 (1)
      2 BUY NO 4 @ 4500    | rests 4                              | ask 5500: 4 (1) 6000: 10 (1)
      --------------------
      1 SELL YES 10 @ 6000 | rests 10                             | ask 6000: 10 (1)
      2 SELL NO 4 @ 3500   | takes 4 of 1 @ 6000 MERGE, 2 filled  | ask 6000: 6 (1)
    `);
  });

  it('match a resting BUY NO so that BUY YES mints, SELL NO trades, and the others rest', () => {
    expectScenario(`
      1 BUY NO 10 @ 4000   | rests 10                             | ask 6000: 10 (1)
      2 BUY YES 4 @ 6500   | takes 4 of 1 @ 6000 MINT, 2 filled   | ask 6000: 6 (1)
      --------------------
      1 BUY NO 10 @ 4000   | rests 10                             | ask 6000: 10 (1)
      2 SELL YES 4 @ 5500  | rests 4                              | ask 5500: 4 (1) 6000: 10 (1)
      --------------------
      1 BUY NO 10 @ 4000   | rests 10                             | ask 6000: 10 (1)
      2 BUY NO 4 @ 4500    | rests 4                              | ask 5500: 4 (1) 6000: 10 (1)
      --------------------
      1 BUY NO 10 @ 4000   | rests 10                             | ask 6000: 10 (1)
      2 SELL NO 4 @ 3500   | takes 4 of 1 @ 6000 NORMAL, 2 filled | ask 6000: 6 (1)
    `);
  });

  it('match a resting SELL NO so that SELL YES merges, BUY NO trades, and the others rest', () => {
    expectScenario(`
      1 SELL NO 10 @ 4000  | rests 10                             | bid 6000: 10 (1)
      2 BUY YES 4 @ 6500   | rests 4                              | bid 6500: 4 (1) 6000: 10 (1)
      --------------------
      1 SELL NO 10 @ 4000  | rests 10                             | bid 6000: 10 (1)
      2 SELL YES 4 @ 5500  | takes 4 of 1 @ 6000 MERGE, 2 filled  | bid 6000: 6 (1)
      --------------------
      1 SELL NO 10 @ 4000  | rests 10                             | bid 6000: 10 (1)
      2 BUY NO 4 @ 4500    | takes 4 of 1 @ 6000 NORMAL, 2 filled | bid 6000: 6 (1)
      --------------------
      1 SELL NO 10 @ 4000  | rests 10                             | bid 6000: 10 (1)
      2 SELL NO 4 @ 3500   | rests 4                              | bid 6500: 4 (1) 6000: 10 (1)
    `);
  });
});

describe('the priority of orders', () => {
  it('is by price, then by time, across kinds', () => {
    expectScenario(`
      1 BUY YES 5 @ 6000   | rests 5                                                             | bid 6000: 5 (1)
      2 SELL NO 5 @ 4000   | rests 5                                                             | bid 6000: 10 (2)
      3 BUY YES 5 @ 6010   | rests 5                                                             | bid 6010: 5 (1) 6000: 10 (2)
      4 SELL YES 7 @ 6000  | takes 5 of 3 @ 6010 NORMAL, 3 filled, takes 2 of 1 @ 6000 NORMAL, 4 filled | bid 6000: 8 (2)
      5 BUY NO 4 @ 4000    | takes 3 of 1 @ 6000 MINT, 1 filled, takes 1 of 2 @ 6000 NORMAL, 5 filled | bid 6000: 4 (1)
    `);
  });

  it('is kept by a reduce and lost by a cancel', () => {
    expectScenario(`
      1 BUY YES 5 @ 6000   | rests 5                              | bid 6000: 5 (1)
      2 BUY YES 5 @ 6000   | rests 5                              | bid 6000: 10 (2)
      3 BUY YES 5 @ 6000   | rests 5                              | bid 6000: 15 (3)
      reduce 2 by 3        | 2 has 2                              | bid 6000: 12 (3)
      cancel 1             | 1 gives up 5                         | bid 6000: 7 (2)
      4 BUY YES 5 @ 6000   | rests 5                              | bid 6000: 12 (3)
      5 SELL YES 3 @ 6000  | takes 2 of 2 @ 6000 NORMAL, 2 filled, takes 1 of 3 @ 6000 NORMAL, 5 filled | bid 6000: 9 (2)
      cancel 3             | 3 gives up 4                         | bid 6000: 5 (1)
    `);
  });

  it('lets a taker match worse prices, each at its maker’s price, and rest at its own', () => {
    expectScenario(`
      1 SELL YES 1 @ 5500  | rests 1                              | ask 5500: 1 (1)
      2 SELL YES 2 @ 5600  | rests 2                              | ask 5500: 1 (1) 5600: 2 (1)
      3 SELL YES 3 @ 5900  | rests 3                              | ask 5500: 1 (1) 5600: 2 (1) 5900: 3 (1)
      4 BUY YES 5 @ 5600   | takes 1 of 1 @ 5500 NORMAL, 1 filled, takes 2 of 2 @ 5600 NORMAL, 2 filled, rests 2 | bid 5600: 2 (1) ask 5900: 3 (1)
    `);
  });
});

describe('an order’s time in force', () => {
  it('GTC rests with the unfilled size', () => {
    expectScenario(`
      1 SELL YES 3 @ 5500      | rests 3                                                    | ask 5500: 3 (1)
      2 BUY YES 5 @ 5500 GTC   | takes 3 of 1 @ 5500 NORMAL, 1 filled, rests 2              | bid 5500: 2 (1)
    `);
  });

  it('FAK cancels the unfilled size, all of it when nothing matches', () => {
    expectScenario(`
      1 SELL YES 3 @ 5500      | rests 3                                                    | ask 5500: 3 (1)
      2 BUY YES 5 @ 5490 FAK   | 2 gives up 5 FAK_REMAINDER                                 | ask 5500: 3 (1)
      3 BUY YES 2 @ 5500 FAK   | takes 2 of 1 @ 5500 NORMAL, 3 filled                       | ask 5500: 1 (1)
      4 BUY YES 5 @ 5500 FAK   | takes 1 of 1 @ 5500 NORMAL, 1 filled, 4 gives up 4 FAK_REMAINDER | empty
    `);
  });

  it('FOK trades completely within its limit, or is refused before anything trades', () => {
    expectScenario(`
      1 SELL YES 3 @ 5500      | rests 3                                                    | ask 5500: 3 (1)
      2 SELL YES 3 @ 5600      | rests 3                                                    | ask 5500: 3 (1) 5600: 3 (1)
      3 BUY YES 6 @ 5590 FOK   | FOK_NOT_FILLABLE                                           | ask 5500: 3 (1) 5600: 3 (1)
      4 BUY YES 7 @ 5600 FOK   | FOK_NOT_FILLABLE                                           | ask 5500: 3 (1) 5600: 3 (1)
      5 BUY YES 1 @ 5490 FOK   | FOK_NOT_FILLABLE                                           | ask 5500: 3 (1) 5600: 3 (1)
      6 BUY YES 6 @ 5600 FOK   | takes 3 of 1 @ 5500 NORMAL, 1 filled, takes 3 of 2 @ 5600 NORMAL, 2 filled, 6 filled | empty
      7 SELL NO 1 @ 5000 FOK   | FOK_NOT_FILLABLE                                           | empty
    `);
  });

  it('FOK of a seller counts the bids', () => {
    expectScenario(`
      1 BUY YES 3 @ 5500       | rests 3                                                    | bid 5500: 3 (1)
      2 SELL NO 3 @ 4600       | rests 3                                                    | bid 5500: 3 (1) 5400: 3 (1)
      3 SELL YES 4 @ 5410 FOK  | FOK_NOT_FILLABLE                                           | bid 5500: 3 (1) 5400: 3 (1)
      4 BUY NO 4 @ 4600 FOK    | takes 3 of 1 @ 5500 MINT, 1 filled, takes 1 of 2 @ 5400 NORMAL, 4 filled | bid 5400: 2 (1)
    `);
  });

  it('post-only is refused when it would match, and otherwise rests', () => {
    expectScenario(`
      1 SELL YES 3 @ 5500           | rests 3                 | ask 5500: 3 (1)
      2 BUY YES 5 @ 5500 post-only  | POST_ONLY_WOULD_CROSS   | ask 5500: 3 (1)
      3 SELL NO 5 @ 4500 post-only  | POST_ONLY_WOULD_CROSS   | ask 5500: 3 (1)
      4 BUY YES 5 @ 5490 post-only  | rests 5                 | bid 5490: 5 (1) ask 5500: 3 (1)
      5 SELL YES 5 @ 5490 post-only | POST_ONLY_WOULD_CROSS   | bid 5490: 5 (1) ask 5500: 3 (1)
      6 BUY NO 1 @ 4500 post-only   | rests 1                 | bid 5490: 5 (1) ask 5500: 4 (2)
    `);
  });
});

describe('cancel and reduce', () => {
  it('remove orders from the front, the middle and the back of a queue', () => {
    expectScenario(`
      1 BUY NO 1 @ 4000   | rests 1                  | ask 6000: 1 (1)
      2 BUY NO 2 @ 4000   | rests 2                  | ask 6000: 3 (2)
      3 BUY NO 3 @ 4000   | rests 3                  | ask 6000: 6 (3)
      4 BUY NO 4 @ 4000   | rests 4                  | ask 6000: 10 (4)
      cancel 2            | 2 gives up 2             | ask 6000: 8 (3)
      cancel 4            | 4 gives up 4             | ask 6000: 4 (2)
      5 BUY NO 5 @ 4000   | rests 5                  | ask 6000: 9 (3)
      cancel 1            | 1 gives up 1             | ask 6000: 8 (2)
      6 SELL NO 4 @ 4000  | takes 3 of 3 @ 6000 NORMAL, 3 filled, takes 1 of 5 @ 6000 NORMAL, 6 filled | ask 6000: 4 (1)
      cancel 5            | 5 gives up 4             | empty
    `);
  });

  it('reveal the next best price when the best level is empty', () => {
    expectScenario(`
      1 BUY YES 1 @ 5000  | rests 1                  | bid 5000: 1 (1)
      2 BUY YES 1 @ 10    | rests 1                  | bid 5000: 1 (1) 10: 1 (1)
      3 BUY NO 1 @ 4990   | rests 1                  | bid 5000: 1 (1) 10: 1 (1) ask 5010: 1 (1)
      4 BUY NO 1 @ 10     | rests 1                  | bid 5000: 1 (1) 10: 1 (1) ask 5010: 1 (1) 9990: 1 (1)
      cancel 1            | 1 gives up 1             | bid 10: 1 (1) ask 5010: 1 (1) 9990: 1 (1)
      cancel 3            | 3 gives up 1             | bid 10: 1 (1) ask 9990: 1 (1)
      cancel 2            | 2 gives up 1             | ask 9990: 1 (1)
      cancel 4            | 4 gives up 1             | empty
    `);
  });

  it('close the order when they remove all remaining shares or more', () => {
    expectScenario(`
      1 BUY YES 5 @ 5000  | rests 5                  | bid 5000: 5 (1)
      2 BUY YES 5 @ 5000  | rests 5                  | bid 5000: 10 (2)
      reduce 1 by 5       | 1 gives up 5             | bid 5000: 5 (1)
      reduce 2 by 6       | 2 gives up 5             | empty
    `);
  });

  it('are refused for closed orders and for partial lots', () => {
    expectScenario(`
      cancel 1               | NOT_FOUND             | empty
      reduce 1 by 1          | NOT_FOUND             | empty
      1 BUY YES 5 @ 5000     | rests 5               | bid 5000: 5 (1)
      reduce 1 by 0          | INVALID_LOT           | bid 5000: 5 (1)
      reduce 1 by -1         | INVALID_LOT           | bid 5000: 5 (1)
      reduce 1 by 0.001      | INVALID_LOT           | bid 5000: 5 (1)
      reduce 1 by NaN        | INVALID_LOT           | bid 5000: 5 (1)
      reduce 1 by Infinity   | INVALID_LOT           | bid 5000: 5 (1)
      cancel 1               | 1 gives up 5          | empty
      cancel 1               | NOT_FOUND             | empty
    `);
  });
});

describe('a scenario of the matching book', () => {
  it('fails when its expectation is wrong', () => {
    expect(() => expectScenario('1 BUY YES 5 @ 5000 | rests 4 | bid 5000: 5 (1)')).toThrow();
    expect(() => expectScenario('1 BUY YES 5 @ 5000 | rests 5 | bid 5000: 4 (1)')).toThrow();
    expect(() => expectScenario('1 BUY MAYBE 5 @ 5000 | rests 5 | bid 5000: 5 (1)')).toThrow('unknown command');
  });
});
