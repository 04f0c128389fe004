import { describe, it } from 'vitest';
import { expectExchange } from './exchange-scenario.ts';

describe('self-trade prevention, in money and shares', () => {
  it('with CANCEL_TAKER fills against others first, then closes the incoming order', () => {
    expectExchange(`
      start                           |                                                                 | empty                       | A $80 Y20 N20    | B $80 Y20 N20         | 60
      A SELL YES 2 @ 5400             | 1 rests 2                                                       | ask 5400: 2 (1)             | A $80 Y18+2 N20  | B $80 Y20 N20         | 60
      B BUY NO 3 @ 4500               | 2 rests 3                                                       | ask 5400: 2 (1) 5500: 3 (1) | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | 60
      B BUY YES 9 @ 5600 CANCEL_TAKER | 3 takes 2 of 1 @ 5400 NORMAL, 1 filled, 3 gives up 7 SELF_TRADE | ask 5500: 3 (1)             | A $81.08 Y18 N20 | B $77.57+1.35 Y22 N20 | 60
    `);
  });

  it('with CANCEL_MAKER closes the account’s resting order and continues behind it', () => {
    expectExchange(`
      start                           |                                                                                                                    | empty                                   | A $80 Y20 N20    | B $80 Y20 N20         | C $80 Y20 N20    | 60
      A SELL YES 2 @ 5400             | 1 rests 2                                                                                                          | ask 5400: 2 (1)                         | A $80 Y18+2 N20  | B $80 Y20 N20         | C $80 Y20 N20    | 60
      B BUY NO 3 @ 4500               | 2 rests 3                                                                                                          | ask 5400: 2 (1) 5500: 3 (1)             | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | C $80 Y20 N20    | 60
      C SELL YES 4 @ 5600             | 3 rests 4                                                                                                          | ask 5400: 2 (1) 5500: 3 (1) 5600: 4 (1) | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | C $80 Y16+4 N20  | 60
      B BUY YES 9 @ 5600 CANCEL_MAKER | 4 takes 2 of 1 @ 5400 NORMAL, 1 filled, 2 gives up 3 SELF_TRADE, 4 takes 4 of 3 @ 5600 NORMAL, 3 filled, 4 rests 3 | bid 5600: 3 (1)                         | A $81.08 Y18 N20 | B $75+1.68 Y26 N20    | C $82.24 Y16 N20 | 60
    `);
  });

  it('with CANCEL_BOTH closes both the account’s resting order and the incoming one', () => {
    expectExchange(`
      start                          |                                                                                          | empty                                   | A $80 Y20 N20    | B $80 Y20 N20         | C $80 Y20 N20   | 60
      A SELL YES 2 @ 5400            | 1 rests 2                                                                                | ask 5400: 2 (1)                         | A $80 Y18+2 N20  | B $80 Y20 N20         | C $80 Y20 N20   | 60
      B BUY NO 3 @ 4500              | 2 rests 3                                                                                | ask 5400: 2 (1) 5500: 3 (1)             | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | C $80 Y20 N20   | 60
      C SELL YES 4 @ 5600            | 3 rests 4                                                                                | ask 5400: 2 (1) 5500: 3 (1) 5600: 4 (1) | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | C $80 Y16+4 N20 | 60
      B BUY YES 9 @ 5600 CANCEL_BOTH | 4 takes 2 of 1 @ 5400 NORMAL, 1 filled, 2 gives up 3 SELF_TRADE, 4 gives up 7 SELF_TRADE | ask 5600: 4 (1)                         | A $81.08 Y18 N20 | B $78.92 Y22 N20      | C $80 Y16+4 N20 | 60
    `);
  });

  it('counts only orders of others for a FOK, which changes nothing when they do not suffice', () => {
    expectExchange(`
      start                               |                                                                                                                   | empty                                   | A $80 Y20 N20    | B $80 Y20 N20         | C $80 Y20 N20    | 60
      A SELL YES 2 @ 5400                 | 1 rests 2                                                                                                         | ask 5400: 2 (1)                         | A $80 Y18+2 N20  | B $80 Y20 N20         | C $80 Y20 N20    | 60
      B BUY NO 3 @ 4500                   | 2 rests 3                                                                                                         | ask 5400: 2 (1) 5500: 3 (1)             | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | C $80 Y20 N20    | 60
      C SELL YES 4 @ 5600                 | 3 rests 4                                                                                                         | ask 5400: 2 (1) 5500: 3 (1) 5600: 4 (1) | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | C $80 Y16+4 N20  | 60
      B BUY YES 3 @ 5600 FOK CANCEL_TAKER | FOK_NOT_FILLABLE                                                                                                  | ask 5400: 2 (1) 5500: 3 (1) 5600: 4 (1) | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | C $80 Y16+4 N20  | 60
      B BUY YES 7 @ 5600 FOK CANCEL_MAKER | FOK_NOT_FILLABLE                                                                                                  | ask 5400: 2 (1) 5500: 3 (1) 5600: 4 (1) | A $80 Y18+2 N20  | B $78.65+1.35 Y20 N20 | C $80 Y16+4 N20  | 60
      B BUY YES 6 @ 5600 FOK CANCEL_MAKER | 4 takes 2 of 1 @ 5400 NORMAL, 1 filled, 2 gives up 3 SELF_TRADE, 4 takes 4 of 3 @ 5600 NORMAL, 3 filled, 4 filled | empty                                   | A $81.08 Y18 N20 | B $76.68 Y26 N20      | C $82.24 Y16 N20 | 60
    `);
  });
});

describe('self-trade prevention of all eight pairs of orders', () => {
  it('closes the incoming order with CANCEL_TAKER', () => {
    expectExchange(`
      A BUY YES 5 @ 6000               | 1 rests 5               | bid 6000: 5 (1) | A $77+3 Y20 N20 | 60
      A SELL YES 4 @ 6000 CANCEL_TAKER | 2 gives up 4 SELF_TRADE | bid 6000: 5 (1) | A $77+3 Y20 N20 | 60
      --------------------
      A BUY YES 5 @ 6000               | 1 rests 5               | bid 6000: 5 (1) | A $77+3 Y20 N20 | 60
      A BUY NO 4 @ 4000 CANCEL_TAKER   | 2 gives up 4 SELF_TRADE | bid 6000: 5 (1) | A $77+3 Y20 N20 | 60
      --------------------
      A SELL YES 5 @ 6000              | 1 rests 5               | ask 6000: 5 (1) | A $80 Y15+5 N20 | 60
      A BUY YES 4 @ 6000 CANCEL_TAKER  | 2 gives up 4 SELF_TRADE | ask 6000: 5 (1) | A $80 Y15+5 N20 | 60
      --------------------
      A SELL YES 5 @ 6000              | 1 rests 5               | ask 6000: 5 (1) | A $80 Y15+5 N20 | 60
      A SELL NO 4 @ 4000 CANCEL_TAKER  | 2 gives up 4 SELF_TRADE | ask 6000: 5 (1) | A $80 Y15+5 N20 | 60
      --------------------
      A BUY NO 5 @ 4000                | 1 rests 5               | ask 6000: 5 (1) | A $78+2 Y20 N20 | 60
      A BUY YES 4 @ 6000 CANCEL_TAKER  | 2 gives up 4 SELF_TRADE | ask 6000: 5 (1) | A $78+2 Y20 N20 | 60
      --------------------
      A BUY NO 5 @ 4000                | 1 rests 5               | ask 6000: 5 (1) | A $78+2 Y20 N20 | 60
      A SELL NO 4 @ 4000 CANCEL_TAKER  | 2 gives up 4 SELF_TRADE | ask 6000: 5 (1) | A $78+2 Y20 N20 | 60
      --------------------
      A SELL NO 5 @ 4000               | 1 rests 5               | bid 6000: 5 (1) | A $80 Y20 N15+5 | 60
      A SELL YES 4 @ 6000 CANCEL_TAKER | 2 gives up 4 SELF_TRADE | bid 6000: 5 (1) | A $80 Y20 N15+5 | 60
      --------------------
      A SELL NO 5 @ 4000               | 1 rests 5               | bid 6000: 5 (1) | A $80 Y20 N15+5 | 60
      A BUY NO 4 @ 4000 CANCEL_TAKER   | 2 gives up 4 SELF_TRADE | bid 6000: 5 (1) | A $80 Y20 N15+5 | 60
    `);
  });

  it('closes the resting order with CANCEL_MAKER, and the incoming order rests', () => {
    expectExchange(`
      A BUY YES 5 @ 6000               | 1 rests 5                          | bid 6000: 5 (1) | A $77+3 Y20 N20     | 60
      A SELL YES 4 @ 6000 CANCEL_MAKER | 1 gives up 5 SELF_TRADE, 2 rests 4 | ask 6000: 4 (1) | A $80 Y16+4 N20     | 60
      --------------------
      A BUY YES 5 @ 6000               | 1 rests 5                          | bid 6000: 5 (1) | A $77+3 Y20 N20     | 60
      A BUY NO 4 @ 4000 CANCEL_MAKER   | 1 gives up 5 SELF_TRADE, 2 rests 4 | ask 6000: 4 (1) | A $78.4+1.6 Y20 N20 | 60
      --------------------
      A SELL YES 5 @ 6000              | 1 rests 5                          | ask 6000: 5 (1) | A $80 Y15+5 N20     | 60
      A BUY YES 4 @ 6000 CANCEL_MAKER  | 1 gives up 5 SELF_TRADE, 2 rests 4 | bid 6000: 4 (1) | A $77.6+2.4 Y20 N20 | 60
      --------------------
      A SELL YES 5 @ 6000              | 1 rests 5                          | ask 6000: 5 (1) | A $80 Y15+5 N20     | 60
      A SELL NO 4 @ 4000 CANCEL_MAKER  | 1 gives up 5 SELF_TRADE, 2 rests 4 | bid 6000: 4 (1) | A $80 Y20 N16+4     | 60
      --------------------
      A BUY NO 5 @ 4000                | 1 rests 5                          | ask 6000: 5 (1) | A $78+2 Y20 N20     | 60
      A BUY YES 4 @ 6000 CANCEL_MAKER  | 1 gives up 5 SELF_TRADE, 2 rests 4 | bid 6000: 4 (1) | A $77.6+2.4 Y20 N20 | 60
      --------------------
      A BUY NO 5 @ 4000                | 1 rests 5                          | ask 6000: 5 (1) | A $78+2 Y20 N20     | 60
      A SELL NO 4 @ 4000 CANCEL_MAKER  | 1 gives up 5 SELF_TRADE, 2 rests 4 | bid 6000: 4 (1) | A $80 Y20 N16+4     | 60
      --------------------
      A SELL NO 5 @ 4000               | 1 rests 5                          | bid 6000: 5 (1) | A $80 Y20 N15+5     | 60
      A SELL YES 4 @ 6000 CANCEL_MAKER | 1 gives up 5 SELF_TRADE, 2 rests 4 | ask 6000: 4 (1) | A $80 Y16+4 N20     | 60
      --------------------
      A SELL NO 5 @ 4000               | 1 rests 5                          | bid 6000: 5 (1) | A $80 Y20 N15+5     | 60
      A BUY NO 4 @ 4000 CANCEL_MAKER   | 1 gives up 5 SELF_TRADE, 2 rests 4 | ask 6000: 4 (1) | A $78.4+1.6 Y20 N20 | 60
    `);
  });

  it('closes both orders with CANCEL_BOTH', () => {
    expectExchange(`
      A BUY YES 5 @ 6000              | 1 rests 5                                        | bid 6000: 5 (1) | A $77+3 Y20 N20 | 60
      A SELL YES 4 @ 6000 CANCEL_BOTH | 1 gives up 5 SELF_TRADE, 2 gives up 4 SELF_TRADE | empty           | A $80 Y20 N20   | 60
      --------------------
      A BUY YES 5 @ 6000              | 1 rests 5                                        | bid 6000: 5 (1) | A $77+3 Y20 N20 | 60
      A BUY NO 4 @ 4000 CANCEL_BOTH   | 1 gives up 5 SELF_TRADE, 2 gives up 4 SELF_TRADE | empty           | A $80 Y20 N20   | 60
      --------------------
      A SELL YES 5 @ 6000             | 1 rests 5                                        | ask 6000: 5 (1) | A $80 Y15+5 N20 | 60
      A BUY YES 4 @ 6000 CANCEL_BOTH  | 1 gives up 5 SELF_TRADE, 2 gives up 4 SELF_TRADE | empty           | A $80 Y20 N20   | 60
      --------------------
      A SELL YES 5 @ 6000             | 1 rests 5                                        | ask 6000: 5 (1) | A $80 Y15+5 N20 | 60
      A SELL NO 4 @ 4000 CANCEL_BOTH  | 1 gives up 5 SELF_TRADE, 2 gives up 4 SELF_TRADE | empty           | A $80 Y20 N20   | 60
      --------------------
      A BUY NO 5 @ 4000               | 1 rests 5                                        | ask 6000: 5 (1) | A $78+2 Y20 N20 | 60
      A BUY YES 4 @ 6000 CANCEL_BOTH  | 1 gives up 5 SELF_TRADE, 2 gives up 4 SELF_TRADE | empty           | A $80 Y20 N20   | 60
      --------------------
      A BUY NO 5 @ 4000               | 1 rests 5                                        | ask 6000: 5 (1) | A $78+2 Y20 N20 | 60
      A SELL NO 4 @ 4000 CANCEL_BOTH  | 1 gives up 5 SELF_TRADE, 2 gives up 4 SELF_TRADE | empty           | A $80 Y20 N20   | 60
      --------------------
      A SELL NO 5 @ 4000              | 1 rests 5                                        | bid 6000: 5 (1) | A $80 Y20 N15+5 | 60
      A SELL YES 4 @ 6000 CANCEL_BOTH | 1 gives up 5 SELF_TRADE, 2 gives up 4 SELF_TRADE | empty           | A $80 Y20 N20   | 60
      --------------------
      A SELL NO 5 @ 4000              | 1 rests 5                                        | bid 6000: 5 (1) | A $80 Y20 N15+5 | 60
      A BUY NO 4 @ 4000 CANCEL_BOTH   | 1 gives up 5 SELF_TRADE, 2 gives up 4 SELF_TRADE | empty           | A $80 Y20 N20   | 60
    `);
  });
});
