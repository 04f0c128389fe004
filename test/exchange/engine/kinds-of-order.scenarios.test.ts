import { describe, it } from 'vitest';
import { expectExchange } from './exchange-scenario.ts';

/** A's order rests, then B's order arrives: each kind meets each. The tables show both accounts and the collateral. */
describe('the four kinds of order, in money and shares', () => {
  it('match a resting BUY YES so that SELL YES trades, BUY NO mints a pair, and the others rest behind it', () => {
    expectExchange(`
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A BUY YES 10 @ 6000 | 1 rests 10                             | bid 6000: 10 (1)             | A $74+6 Y20 N20   | B $80 Y20 N20       | 60
      B BUY YES 4 @ 6500  | 2 rests 4                              | bid 6500: 4 (1) 6000: 10 (1) | A $74+6 Y20 N20   | B $77.4+2.6 Y20 N20 | 60
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A BUY YES 10 @ 6000 | 1 rests 10                             | bid 6000: 10 (1)             | A $74+6 Y20 N20   | B $80 Y20 N20       | 60
      B SELL YES 4 @ 5500 | 2 takes 4 of 1 @ 6000 NORMAL, 2 filled | bid 6000: 6 (1)              | A $74+3.6 Y24 N20 | B $82.4 Y16 N20     | 60
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A BUY YES 10 @ 6000 | 1 rests 10                             | bid 6000: 10 (1)             | A $74+6 Y20 N20   | B $80 Y20 N20       | 60
      B BUY NO 4 @ 4500   | 2 takes 4 of 1 @ 6000 MINT, 2 filled   | bid 6000: 6 (1)              | A $74+3.6 Y24 N20 | B $78.4 Y20 N24     | 64
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A BUY YES 10 @ 6000 | 1 rests 10                             | bid 6000: 10 (1)             | A $74+6 Y20 N20   | B $80 Y20 N20       | 60
      B SELL NO 4 @ 3500  | 2 rests 4                              | bid 6500: 4 (1) 6000: 10 (1) | A $74+6 Y20 N20   | B $80 Y20 N16+4     | 60
    `);
  });

  it('match a resting SELL YES so that BUY YES trades, SELL NO merges a pair, and the others rest behind it', () => {
    expectExchange(`
      start                |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A SELL YES 10 @ 6000 | 1 rests 10                             | ask 6000: 10 (1)             | A $80 Y10+10 N20  | B $80 Y20 N20       | 60
      B BUY YES 4 @ 6500   | 2 takes 4 of 1 @ 6000 NORMAL, 2 filled | ask 6000: 6 (1)              | A $82.4 Y10+6 N20 | B $77.6 Y24 N20     | 60
      --------------------
      start                |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A SELL YES 10 @ 6000 | 1 rests 10                             | ask 6000: 10 (1)             | A $80 Y10+10 N20  | B $80 Y20 N20       | 60
      B SELL YES 4 @ 5500  | 2 rests 4                              | ask 5500: 4 (1) 6000: 10 (1) | A $80 Y10+10 N20  | B $80 Y16+4 N20     | 60
      --------------------
      start                |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A SELL YES 10 @ 6000 | 1 rests 10                             | ask 6000: 10 (1)             | A $80 Y10+10 N20  | B $80 Y20 N20       | 60
      B BUY NO 4 @ 4500    | 2 rests 4                              | ask 5500: 4 (1) 6000: 10 (1) | A $80 Y10+10 N20  | B $78.2+1.8 Y20 N20 | 60
      --------------------
      start                |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A SELL YES 10 @ 6000 | 1 rests 10                             | ask 6000: 10 (1)             | A $80 Y10+10 N20  | B $80 Y20 N20       | 60
      B SELL NO 4 @ 3500   | 2 takes 4 of 1 @ 6000 MERGE, 2 filled  | ask 6000: 6 (1)              | A $82.4 Y10+6 N20 | B $81.6 Y20 N16     | 56
    `);
  });

  it('match a resting BUY NO so that BUY YES mints a pair, SELL NO trades, and the others rest behind it', () => {
    expectExchange(`
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A BUY NO 10 @ 4000  | 1 rests 10                             | ask 6000: 10 (1)             | A $76+4 Y20 N20   | B $80 Y20 N20       | 60
      B BUY YES 4 @ 6500  | 2 takes 4 of 1 @ 6000 MINT, 2 filled   | ask 6000: 6 (1)              | A $76+2.4 Y20 N24 | B $77.6 Y24 N20     | 64
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A BUY NO 10 @ 4000  | 1 rests 10                             | ask 6000: 10 (1)             | A $76+4 Y20 N20   | B $80 Y20 N20       | 60
      B SELL YES 4 @ 5500 | 2 rests 4                              | ask 5500: 4 (1) 6000: 10 (1) | A $76+4 Y20 N20   | B $80 Y16+4 N20     | 60
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A BUY NO 10 @ 4000  | 1 rests 10                             | ask 6000: 10 (1)             | A $76+4 Y20 N20   | B $80 Y20 N20       | 60
      B BUY NO 4 @ 4500   | 2 rests 4                              | ask 5500: 4 (1) 6000: 10 (1) | A $76+4 Y20 N20   | B $78.2+1.8 Y20 N20 | 60
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A BUY NO 10 @ 4000  | 1 rests 10                             | ask 6000: 10 (1)             | A $76+4 Y20 N20   | B $80 Y20 N20       | 60
      B SELL NO 4 @ 3500  | 2 takes 4 of 1 @ 6000 NORMAL, 2 filled | ask 6000: 6 (1)              | A $76+2.4 Y20 N24 | B $81.6 Y20 N16     | 60
    `);
  });

  it('match a resting SELL NO so that SELL YES merges a pair, BUY NO trades, and the others rest behind it', () => {
    expectExchange(`
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A SELL NO 10 @ 4000 | 1 rests 10                             | bid 6000: 10 (1)             | A $80 Y20 N10+10  | B $80 Y20 N20       | 60
      B BUY YES 4 @ 6500  | 2 rests 4                              | bid 6500: 4 (1) 6000: 10 (1) | A $80 Y20 N10+10  | B $77.4+2.6 Y20 N20 | 60
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A SELL NO 10 @ 4000 | 1 rests 10                             | bid 6000: 10 (1)             | A $80 Y20 N10+10  | B $80 Y20 N20       | 60
      B SELL YES 4 @ 5500 | 2 takes 4 of 1 @ 6000 MERGE, 2 filled  | bid 6000: 6 (1)              | A $81.6 Y20 N10+6 | B $82.4 Y16 N20     | 56
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A SELL NO 10 @ 4000 | 1 rests 10                             | bid 6000: 10 (1)             | A $80 Y20 N10+10  | B $80 Y20 N20       | 60
      B BUY NO 4 @ 4500   | 2 takes 4 of 1 @ 6000 NORMAL, 2 filled | bid 6000: 6 (1)              | A $81.6 Y20 N10+6 | B $78.4 Y20 N24     | 60
      --------------------
      start               |                                        | empty                        | A $80 Y20 N20     | B $80 Y20 N20       | 60
      A SELL NO 10 @ 4000 | 1 rests 10                             | bid 6000: 10 (1)             | A $80 Y20 N10+10  | B $80 Y20 N20       | 60
      B SELL NO 4 @ 3500  | 2 rests 4                              | bid 6500: 4 (1) 6000: 10 (1) | A $80 Y20 N10+10  | B $80 Y20 N16+4     | 60
    `);
  });
});
