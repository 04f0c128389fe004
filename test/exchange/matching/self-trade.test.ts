import { describe, it } from 'vitest';
import { expectScenario } from './scenario.ts';

describe('CANCEL_TAKER', () => {
  it('closes the incoming order when it would match its owner, and leaves the resting order open', () => {
    expectScenario(`
      1 SELL YES 5 @ 5500 by 7       | rests 5                        | ask 5500: 5 (1)
      2 BUY YES 3 @ 5500 by 7        | 2 gives up 3 SELF_TRADE        | ask 5500: 5 (1)
      3 BUY YES 3 @ 5500 by 8        | takes 3 of 1 @ 5500 NORMAL, 3 filled | ask 5500: 2 (1)
    `);
  });

  it('fills against better prices and earlier orders of others before it closes the order', () => {
    expectScenario(`
      1 SELL YES 1 @ 5400 by 8       | rests 1                        | ask 5400: 1 (1)
      2 SELL YES 2 @ 5500 by 9       | rests 2                        | ask 5400: 1 (1) 5500: 2 (1)
      3 SELL YES 3 @ 5500 by 7       | rests 3                        | ask 5400: 1 (1) 5500: 5 (2)
      4 SELL YES 4 @ 5500 by 8       | rests 4                        | ask 5400: 1 (1) 5500: 9 (3)
      5 BUY YES 9 @ 5600 by 7        | takes 1 of 1 @ 5400 NORMAL, 1 filled, takes 2 of 2 @ 5500 NORMAL, 2 filled, 5 gives up 6 SELF_TRADE | ask 5500: 7 (2)
    `);
  });

  it('has no effect on an order that fills before it reaches an order of its owner', () => {
    expectScenario(`
      1 SELL YES 2 @ 5500 by 8       | rests 2                        | ask 5500: 2 (1)
      2 SELL YES 3 @ 5500 by 7       | rests 3                        | ask 5500: 5 (2)
      3 BUY YES 2 @ 5500 by 7        | takes 2 of 1 @ 5500 NORMAL, 1 filled, 3 filled | ask 5500: 3 (1)
    `);
  });

  it('closes a FAK in the same way as a GTC', () => {
    expectScenario(`
      1 BUY NO 2 @ 4500 by 8         | rests 2                        | ask 5500: 2 (1)
      2 BUY NO 2 @ 4500 by 7         | rests 2                        | ask 5500: 4 (2)
      3 BUY YES 5 @ 5500 FAK by 7    | takes 2 of 1 @ 5500 MINT, 1 filled, 3 gives up 3 SELF_TRADE | ask 5500: 2 (1)
    `);
  });
});

describe('CANCEL_MAKER', () => {
  it('closes the own resting order and continues', () => {
    expectScenario(`
      1 SELL YES 1 @ 5500 by 8               | rests 1                | ask 5500: 1 (1)
      2 SELL YES 2 @ 5500 by 7               | rests 2                | ask 5500: 3 (2)
      3 SELL YES 4 @ 5500 by 9               | rests 4                | ask 5500: 7 (3)
      4 BUY YES 3 @ 5500 by 7 CANCEL_MAKER   | takes 1 of 1 @ 5500 NORMAL, 1 filled, 2 gives up 2 SELF_TRADE, takes 2 of 3 @ 5500 NORMAL, 4 filled | ask 5500: 2 (1)
      5 BUY YES 9 @ 5600 by 9 CANCEL_MAKER   | 3 gives up 2 SELF_TRADE, rests 9 | bid 5600: 9 (1)
    `);
  });

  it('lets the incoming order rest when only own orders were in its way, even at several levels', () => {
    expectScenario(`
      1 BUY YES 1 @ 5500 by 7                | rests 1                | bid 5500: 1 (1)
      2 SELL NO 2 @ 4600 by 7                | rests 2                | bid 5500: 1 (1) 5400: 2 (1)
      3 BUY YES 3 @ 5400 by 7                | rests 3                | bid 5500: 1 (1) 5400: 5 (2)
      4 BUY YES 4 @ 5300 by 7                | rests 4                | bid 5500: 1 (1) 5400: 5 (2) 5300: 4 (1)
      5 BUY NO 9 @ 4600 by 7 CANCEL_MAKER    | 1 gives up 1 SELF_TRADE, 2 gives up 2 SELF_TRADE, 3 gives up 3 SELF_TRADE, rests 9 | bid 5300: 4 (1) ask 5400: 9 (1)
      orders of 7                            | 4 5                    | bid 5300: 4 (1) ask 5400: 9 (1)
    `);
  });
});

describe('CANCEL_BOTH', () => {
  it('closes the first own resting order and the incoming order', () => {
    expectScenario(`
      1 SELL YES 1 @ 5500 by 8               | rests 1                | ask 5500: 1 (1)
      2 SELL YES 2 @ 5500 by 7               | rests 2                | ask 5500: 3 (2)
      3 SELL YES 4 @ 5500 by 7               | rests 4                | ask 5500: 7 (3)
      4 BUY YES 9 @ 5500 by 7 CANCEL_BOTH    | takes 1 of 1 @ 5500 NORMAL, 1 filled, 2 gives up 2 SELF_TRADE, 4 gives up 8 SELF_TRADE | ask 5500: 4 (1)
      5 BUY YES 9 @ 5500 by 7 CANCEL_BOTH    | 3 gives up 4 SELF_TRADE, 5 gives up 9 SELF_TRADE | empty
    `);
  });
});

describe('self-trade prevention', () => {
  it('applies between every order kind and both kinds of the opposite side', () => {
    expectScenario(`
      1 BUY YES 5 @ 6000 by 7    | rests 5                    | bid 6000: 5 (1)
      2 SELL YES 5 @ 6000 by 7   | 2 gives up 5 SELF_TRADE    | bid 6000: 5 (1)
      3 BUY NO 5 @ 4000 by 7     | 3 gives up 5 SELF_TRADE    | bid 6000: 5 (1)
      --------------------
      1 SELL NO 5 @ 4000 by 7    | rests 5                    | bid 6000: 5 (1)
      2 SELL YES 5 @ 6000 by 7   | 2 gives up 5 SELF_TRADE    | bid 6000: 5 (1)
      3 BUY NO 5 @ 4000 by 7     | 3 gives up 5 SELF_TRADE    | bid 6000: 5 (1)
      --------------------
      1 SELL YES 5 @ 6000 by 7   | rests 5                    | ask 6000: 5 (1)
      2 BUY YES 5 @ 6000 by 7    | 2 gives up 5 SELF_TRADE    | ask 6000: 5 (1)
      3 SELL NO 5 @ 4000 by 7    | 3 gives up 5 SELF_TRADE    | ask 6000: 5 (1)
      --------------------
      1 BUY NO 5 @ 4000 by 7     | rests 5                    | ask 6000: 5 (1)
      2 BUY YES 5 @ 6000 by 7    | 2 gives up 5 SELF_TRADE    | ask 6000: 5 (1)
      3 SELL NO 5 @ 4000 by 7    | 3 gives up 5 SELF_TRADE    | ask 6000: 5 (1)
    `);
  });

  it('uses the mode of the incoming order, not of the resting one', () => {
    expectScenario(`
      1 SELL YES 5 @ 5500 by 7 CANCEL_MAKER  | rests 5                     | ask 5500: 5 (1)
      2 BUY YES 3 @ 5500 by 7 CANCEL_TAKER   | 2 gives up 3 SELF_TRADE     | ask 5500: 5 (1)
      3 BUY YES 3 @ 5500 by 7 CANCEL_MAKER   | 1 gives up 5 SELF_TRADE, rests 3 | bid 5500: 3 (1)
    `);
  });

  it('leaves own orders on the same side and beyond the limit open', () => {
    expectScenario(`
      1 BUY YES 5 @ 5500 by 7                | rests 5             | bid 5500: 5 (1)
      2 SELL YES 5 @ 5700 by 7               | rests 5             | bid 5500: 5 (1) ask 5700: 5 (1)
      3 BUY YES 5 @ 5600 by 7 CANCEL_BOTH    | rests 5             | bid 5600: 5 (1) 5500: 5 (1) ask 5700: 5 (1)
      orders of 7                            | 1 2 3               | bid 5600: 5 (1) 5500: 5 (1) ask 5700: 5 (1)
      orders of 8                            | none                | bid 5600: 5 (1) 5500: 5 (1) ask 5700: 5 (1)
    `);
  });

  it('refuses a post-only order that would match its owner, in any mode', () => {
    expectScenario(`
      1 SELL YES 5 @ 5500 by 7                        | rests 5               | ask 5500: 5 (1)
      2 BUY YES 5 @ 5500 post-only by 7 CANCEL_MAKER  | POST_ONLY_WOULD_CROSS | ask 5500: 5 (1)
      3 BUY YES 5 @ 5500 post-only by 7 CANCEL_TAKER  | POST_ONLY_WOULD_CROSS | ask 5500: 5 (1)
      4 BUY YES 5 @ 5490 post-only by 7               | rests 5               | bid 5490: 5 (1) ask 5500: 5 (1)
    `);
  });
});

describe('the size that a FOK could take', () => {
  it('ends at the first own order under CANCEL_TAKER and CANCEL_BOTH', () => {
    expectScenario(`
      1 SELL YES 1 @ 5400 by 8                | rests 1             | ask 5400: 1 (1)
      2 SELL YES 2 @ 5500 by 8                | rests 2             | ask 5400: 1 (1) 5500: 2 (1)
      3 SELL YES 3 @ 5500 by 7                | rests 3             | ask 5400: 1 (1) 5500: 5 (2)
      4 SELL YES 4 @ 5500 by 8                | rests 4             | ask 5400: 1 (1) 5500: 9 (3)
      5 BUY YES 4 @ 5500 FOK by 7             | FOK_NOT_FILLABLE    | ask 5400: 1 (1) 5500: 9 (3)
      6 BUY YES 4 @ 5500 FOK by 7 CANCEL_BOTH | FOK_NOT_FILLABLE    | ask 5400: 1 (1) 5500: 9 (3)
      7 BUY YES 3 @ 5500 FOK by 7 CANCEL_BOTH | takes 1 of 1 @ 5400 NORMAL, 1 filled, takes 2 of 2 @ 5500 NORMAL, 2 filled, 7 filled | ask 5500: 7 (2)
      8 BUY YES 1 @ 5500 FOK by 7             | FOK_NOT_FILLABLE    | ask 5500: 7 (2)
    `);
  });

  it('ends at the first own order by price, not by time', () => {
    expectScenario(`
      1 BUY YES 9 @ 5300 by 7                 | rests 9             | bid 5300: 9 (1)
      2 BUY YES 1 @ 5500 by 8                 | rests 1             | bid 5500: 1 (1) 5300: 9 (1)
      3 BUY YES 9 @ 5400 by 7                 | rests 9             | bid 5500: 1 (1) 5400: 9 (1) 5300: 9 (1)
      4 BUY YES 5 @ 5300 by 8                 | rests 5             | bid 5500: 1 (1) 5400: 9 (1) 5300: 14 (2)
      5 SELL YES 2 @ 5300 FOK by 7            | FOK_NOT_FILLABLE    | bid 5500: 1 (1) 5400: 9 (1) 5300: 14 (2)
      6 SELL YES 1 @ 5300 FOK by 7            | takes 1 of 2 @ 5500 NORMAL, 2 filled, 6 filled | bid 5400: 9 (1) 5300: 14 (2)
    `);
  });

  it('includes all orders of others under CANCEL_MAKER, which closes own orders', () => {
    expectScenario(`
      1 SELL YES 1 @ 5400 by 8                 | rests 1             | ask 5400: 1 (1)
      2 SELL YES 3 @ 5500 by 7                 | rests 3             | ask 5400: 1 (1) 5500: 3 (1)
      3 SELL YES 4 @ 5500 by 8                 | rests 4             | ask 5400: 1 (1) 5500: 7 (2)
      4 SELL YES 9 @ 5600 by 8                 | rests 9             | ask 5400: 1 (1) 5500: 7 (2) 5600: 9 (1)
      5 BUY YES 6 @ 5500 FOK by 7 CANCEL_MAKER | FOK_NOT_FILLABLE    | ask 5400: 1 (1) 5500: 7 (2) 5600: 9 (1)
      6 BUY YES 5 @ 5500 FOK by 7 CANCEL_MAKER | takes 1 of 1 @ 5400 NORMAL, 1 filled, 2 gives up 3 SELF_TRADE, takes 4 of 3 @ 5500 NORMAL, 3 filled, 6 filled | ask 5600: 9 (1)
    `);
  });

  it('ignores own orders on the side of the FOK or beyond its limit', () => {
    expectScenario(`
      1 SELL YES 5 @ 5500 by 8                 | rests 5             | ask 5500: 5 (1)
      2 SELL YES 5 @ 5600 by 7                 | rests 5             | ask 5500: 5 (1) 5600: 5 (1)
      3 BUY YES 5 @ 5400 by 7                  | rests 5             | bid 5400: 5 (1) ask 5500: 5 (1) 5600: 5 (1)
      4 BUY YES 6 @ 5550 FOK by 7 CANCEL_MAKER | FOK_NOT_FILLABLE    | bid 5400: 5 (1) ask 5500: 5 (1) 5600: 5 (1)
      5 BUY YES 5 @ 5550 FOK by 7              | takes 5 of 1 @ 5500 NORMAL, 1 filled, 5 filled | bid 5400: 5 (1) ask 5600: 5 (1)
    `);
  });
});
