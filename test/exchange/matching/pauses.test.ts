import { describe, it } from 'vitest';
import { expectScenario } from './scenario.ts';

describe('a pause between two matches', () => {
  it('happens after the previous maker is processed and before the next match', () => {
    expectScenario(`
      1 SELL YES 2 @ 5500                                 | rests 2 | ask 5500: 2 (1)
      2 SELL YES 3 @ 5500                                 | rests 3 | ask 5500: 5 (2)
      3 SELL YES 4 @ 5500                                 | rests 4 | ask 5500: 9 (3)
      4 BUY YES 8 @ 5500, after fill 1 close 2            | takes 2 of 1 @ 5500 NORMAL, 1 filled, pause, 2 gives up 3 ORDER_GROUP_LIMIT, takes 4 of 3 @ 5500 NORMAL, 3 filled, rests 2 | bid 5500: 2 (1)
    `);
  });

  it('may close the partly filled maker, the whole level, or all remaining orders', () => {
    expectScenario(`
      1 SELL YES 5 @ 5500                                 | rests 5 | ask 5500: 5 (1)
      2 BUY YES 2 @ 5500, after fill 1 close 1            | takes 2 of 1 @ 5500 NORMAL, pause, 1 gives up 3 ORDER_GROUP_LIMIT, 2 filled | empty
      --------------------
      1 SELL YES 1 @ 5500                                 | rests 1 | ask 5500: 1 (1)
      2 SELL YES 2 @ 5500                                 | rests 2 | ask 5500: 3 (2)
      3 SELL YES 3 @ 5600                                 | rests 3 | ask 5500: 3 (2) 5600: 3 (1)
      4 BUY YES 9 @ 5600, after fill 1 close 2            | takes 1 of 1 @ 5500 NORMAL, 1 filled, pause, 2 gives up 2 ORDER_GROUP_LIMIT, takes 3 of 3 @ 5600 NORMAL, 3 filled, rests 5 | bid 5600: 5 (1)
      --------------------
      1 BUY YES 1 @ 5500                                  | rests 1 | bid 5500: 1 (1)
      2 BUY YES 2 @ 5500                                  | rests 2 | bid 5500: 3 (2)
      3 BUY YES 3 @ 5400                                  | rests 3 | bid 5500: 3 (2) 5400: 3 (1)
      4 BUY YES 4 @ 5300                                  | rests 4 | bid 5500: 3 (2) 5400: 3 (1) 5300: 4 (1)
      5 SELL YES 9 @ 5300, after fill 1 close 4 3 2       | takes 1 of 1 @ 5500 NORMAL, 1 filled, pause, 4 gives up 4 ORDER_GROUP_LIMIT, 3 gives up 3 ORDER_GROUP_LIMIT, 2 gives up 2 ORDER_GROUP_LIMIT, rests 8 | ask 5300: 8 (1)
    `);
  });

  it('may close orders of the incoming side and orders out of reach', () => {
    expectScenario(`
      1 BUY YES 1 @ 5400                                  | rests 1 | bid 5400: 1 (1)
      2 SELL YES 2 @ 5500                                 | rests 2 | bid 5400: 1 (1) ask 5500: 2 (1)
      3 SELL YES 3 @ 5600                                 | rests 3 | bid 5400: 1 (1) ask 5500: 2 (1) 5600: 3 (1)
      4 BUY YES 4 @ 5500, after fill 1 close 1 3          | takes 2 of 2 @ 5500 NORMAL, 2 filled, pause, 1 gives up 1 ORDER_GROUP_LIMIT, 3 gives up 3 ORDER_GROUP_LIMIT, rests 2 | bid 5500: 2 (1)
    `);
  });

  it('happens after each match that requests it, also when the incoming order is filled', () => {
    expectScenario(`
      1 SELL YES 1 @ 5500                                 | rests 1 | ask 5500: 1 (1)
      2 SELL YES 2 @ 5500                                 | rests 2 | ask 5500: 3 (2)
      3 BUY YES 3 @ 5500, after fill 2 close 1            | takes 1 of 1 @ 5500 NORMAL, 1 filled, takes 2 of 2 @ 5500 NORMAL, 2 filled, pause, 3 filled | empty
    `);
  });

  it('may close the incoming order, which then does not rest', () => {
    expectScenario(`
      1 SELL YES 1 @ 5500                                 | rests 1 | ask 5500: 1 (1)
      2 SELL YES 2 @ 5500                                 | rests 2 | ask 5500: 3 (2)
      3 BUY YES 4 @ 5500, after fill 1 close 9 and end    | takes 1 of 1 @ 5500 NORMAL, 1 filled, pause, 3 gives up 3 ORDER_GROUP_LIMIT | ask 5500: 2 (1)
      4 BUY YES 1 @ 5500, after fill 1 close 9 and end    | takes 1 of 2 @ 5500 NORMAL, pause, 4 filled | ask 5500: 1 (1)
      5 BUY YES 4 @ 5500, after fill 1 close 9 and end    | takes 1 of 2 @ 5500 NORMAL, 2 filled, pause, 5 gives up 3 ORDER_GROUP_LIMIT | empty
    `);
  });

  it('may leave a FOK partly filled, which cancels its remainder', () => {
    expectScenario(`
      1 SELL YES 1 @ 5500                                 | rests 1 | ask 5500: 1 (1)
      2 SELL YES 2 @ 5500                                 | rests 2 | ask 5500: 3 (2)
      3 BUY YES 3 @ 5500 FOK, after fill 1 close 2        | takes 1 of 1 @ 5500 NORMAL, 1 filled, pause, 2 gives up 2 ORDER_GROUP_LIMIT, 3 gives up 2 FAK_REMAINDER | empty
    `);
  });

  it('may close an own order before self-trade prevention applies to it', () => {
    expectScenario(`
      1 SELL YES 1 @ 5500 by 8                            | rests 1 | ask 5500: 1 (1)
      2 SELL YES 2 @ 5500 by 7                            | rests 2 | ask 5500: 3 (2)
      3 SELL YES 3 @ 5500 by 8                            | rests 3 | ask 5500: 6 (3)
      4 BUY YES 4 @ 5500 by 7, after fill 1 close 2       | takes 1 of 1 @ 5500 NORMAL, 1 filled, pause, 2 gives up 2 ORDER_GROUP_LIMIT, takes 3 of 3 @ 5500 NORMAL, 3 filled, 4 filled | empty
    `);
  });
});

describe('closeAll', () => {
  it('closes from the lowest price up, in order of time, and leaves a usable book', () => {
    expectScenario(`
      1 SELL YES 1 @ 5500 by 7   | rests 1      | ask 5500: 1 (1)
      2 BUY YES 2 @ 5400 by 7    | rests 2      | bid 5400: 2 (1) ask 5500: 1 (1)
      3 SELL NO 3 @ 4600 by 8    | rests 3      | bid 5400: 5 (2) ask 5500: 1 (1)
      4 BUY YES 4 @ 10           | rests 4      | bid 5400: 5 (2) 10: 4 (1) ask 5500: 1 (1)
      close all MARKET_HALTED    | 4 gives up 4 MARKET_HALTED, 2 gives up 2 MARKET_HALTED, 3 gives up 3 MARKET_HALTED, 1 gives up 1 MARKET_HALTED | empty
      orders of 7                | none         | empty
      cancel 1                   | NOT_FOUND    | empty
      close all TICK_CHANGED     |              | empty
      5 BUY NO 5 @ 4500 by 7     | rests 5      | ask 5500: 5 (1)
      6 BUY YES 5 @ 5500 by 8    | takes 5 of 5 @ 5500 MINT, 5 filled, 6 filled | empty
    `);
  });
});

describe('the queue before an order', () => {
  it('consists of the earlier orders at its price that are open', () => {
    expectScenario(`
      1 BUY YES 1 @ 5500      | rests 1                               | bid 5500: 1 (1)
      2 SELL NO 2 @ 4500      | rests 2                               | bid 5500: 3 (2)
      3 BUY YES 4 @ 5600      | rests 4                               | bid 5600: 4 (1) 5500: 3 (2)
      4 BUY YES 8 @ 5500      | rests 8                               | bid 5600: 4 (1) 5500: 11 (3)
      ahead of 1              | 0                                     | bid 5600: 4 (1) 5500: 11 (3)
      ahead of 4              | 3                                     | bid 5600: 4 (1) 5500: 11 (3)
      reduce 2 by 1           | 2 has 1                               | bid 5600: 4 (1) 5500: 10 (3)
      ahead of 4              | 2                                     | bid 5600: 4 (1) 5500: 10 (3)
      cancel 1                | 1 gives up 1                          | bid 5600: 4 (1) 5500: 9 (2)
      ahead of 4              | 1                                     | bid 5600: 4 (1) 5500: 9 (2)
      5 SELL YES 5 @ 5500     | takes 4 of 3 @ 5600 NORMAL, 3 filled, takes 1 of 2 @ 5500 MERGE, 2 filled, 5 filled | bid 5500: 8 (1)
      ahead of 4              | 0                                     | bid 5500: 8 (1)
      ahead of 3              | NaN                                   | bid 5500: 8 (1)
    `);
  });
});
