import { describe, expect, it } from 'vitest';
import { expectExchange } from './exchange-scenario.ts';

describe('an order’s time in force, in money and shares', () => {
  it('GTC pays for its fills and reserves the remainder at its own limit', () => {
    expectExchange(`
      start                  |                                                   | empty           | A $80 Y20 N20         | B $80 Y20 N20         | 60
      A SELL YES 3 @ 5500    | 1 rests 3                                         | ask 5500: 3 (1) | A $80 Y17+3 N20       | B $80 Y20 N20         | 60
      B BUY YES 5 @ 5600 GTC | 2 takes 3 of 1 @ 5500 NORMAL, 1 filled, 2 rests 2 | bid 5600: 2 (1) | A $81.65 Y17 N20      | B $77.23+1.12 Y23 N20 | 60
      A BUY NO 5 @ 4400      | 3 takes 2 of 2 @ 5600 MINT, 2 filled, 3 rests 3   | ask 5600: 3 (1) | A $79.45+1.32 Y17 N22 | B $77.23 Y25 N20      | 62
    `);
  });

  it('GTD rests like GTC and releases its reserve exactly at its expiration', () => {
    expectExchange(`
      start                      |                                                   | empty           | A $80 Y20 N20         | B $80 Y20 N20         | 60
      A SELL YES 3 @ 5500        | 1 rests 3                                         | ask 5500: 3 (1) | A $80 Y17+3 N20       | B $80 Y20 N20         | 60
      B BUY YES 5 @ 5600 GTD 500 | 2 takes 3 of 1 @ 5500 NORMAL, 1 filled, 2 rests 2 | bid 5600: 2 (1) | A $81.65 Y17 N20      | B $77.23+1.12 Y23 N20 | 60
      wait 499                   |                                                   | bid 5600: 2 (1) | A $81.65 Y17 N20      | B $77.23+1.12 Y23 N20 | 60
      wait 1                     | 2 gives up 2 EXPIRED                              | empty           | A $81.65 Y17 N20      | B $78.35 Y23 N20      | 60
      A BUY NO 4 @ 4400          | 3 rests 4                                         | ask 5600: 4 (1) | A $79.89+1.76 Y17 N20 | B $78.35 Y23 N20      | 60
    `);
  });

  it('GTD does not expire after it fills on arrival', () => {
    expectExchange(`
      start                    |                                                  | empty           | A $80 Y20 N20    | B $80 Y20 N20    | 60
      A SELL YES 3 @ 5500      | 1 rests 3                                        | ask 5500: 3 (1) | A $80 Y17+3 N20  | B $80 Y20 N20    | 60
      B BUY YES 3 @ 5600 GTD 1 | 2 takes 3 of 1 @ 5500 NORMAL, 1 filled, 2 filled | empty           | A $81.65 Y17 N20 | B $78.35 Y23 N20 | 60
      wait 1                   |                                                  | empty           | A $81.65 Y17 N20 | B $78.35 Y23 N20 | 60
    `);
  });

  it('FAK pays for its fills and reserves nothing for the remainder', () => {
    expectExchange(`
      start                  |                                                                    | empty           | A $80 Y20 N20     | B $80 Y20 N20    | 60
      A SELL YES 3 @ 5500    | 1 rests 3                                                          | ask 5500: 3 (1) | A $80 Y17+3 N20   | B $80 Y20 N20    | 60
      B BUY YES 5 @ 5400 FAK | 2 gives up 5 FAK_REMAINDER                                         | ask 5500: 3 (1) | A $80 Y17+3 N20   | B $80 Y20 N20    | 60
      B BUY YES 2 @ 5500 FAK | 3 takes 2 of 1 @ 5500 NORMAL, 3 filled                             | ask 5500: 1 (1) | A $81.1 Y17+1 N20 | B $78.9 Y22 N20  | 60
      B BUY YES 5 @ 5600 FAK | 4 takes 1 of 1 @ 5500 NORMAL, 1 filled, 4 gives up 4 FAK_REMAINDER | empty           | A $81.65 Y17 N20  | B $78.35 Y23 N20 | 60
    `);
  });

  it('FOK fills completely by minting and trading, or is refused', () => {
    expectExchange(`
      start                  |                                                                                        | empty                       | A $80 Y20 N20         | B $80 Y20 N20    | C $80 Y20 N20    | 60
      A BUY NO 3 @ 4500      | 1 rests 3                                                                              | ask 5500: 3 (1)             | A $78.65+1.35 Y20 N20 | B $80 Y20 N20    | C $80 Y20 N20    | 60
      C SELL YES 3 @ 5600    | 2 rests 3                                                                              | ask 5500: 3 (1) 5600: 3 (1) | A $78.65+1.35 Y20 N20 | B $80 Y20 N20    | C $80 Y17+3 N20  | 60
      B BUY YES 7 @ 5600 FOK | FOK_NOT_FILLABLE                                                                       | ask 5500: 3 (1) 5600: 3 (1) | A $78.65+1.35 Y20 N20 | B $80 Y20 N20    | C $80 Y17+3 N20  | 60
      B BUY YES 6 @ 5590 FOK | FOK_NOT_FILLABLE                                                                       | ask 5500: 3 (1) 5600: 3 (1) | A $78.65+1.35 Y20 N20 | B $80 Y20 N20    | C $80 Y17+3 N20  | 60
      B BUY YES 6 @ 5600 FOK | 3 takes 3 of 1 @ 5500 MINT, 1 filled, 3 takes 3 of 2 @ 5600 NORMAL, 2 filled, 3 filled | empty                       | A $78.65 Y20 N23      | B $76.67 Y26 N20 | C $81.68 Y17 N20 | 63
    `);
  });

  it('post-only reserves no taker fee, or is refused', () => {
    expectExchange(
      `
      start                        |                       | empty                           | A $80 Y20 N20   | B $80 Y20 N20           | 60
      A SELL YES 3 @ 5500          | 1 rests 3             | ask 5500: 3 (1)                 | A $80 Y17+3 N20 | B $80 Y20 N20           | 60
      B BUY YES 5 @ 5500 post-only | POST_ONLY_WOULD_CROSS | ask 5500: 3 (1)                 | A $80 Y17+3 N20 | B $80 Y20 N20           | 60
      B SELL NO 5 @ 4500 post-only | POST_ONLY_WOULD_CROSS | ask 5500: 3 (1)                 | A $80 Y17+3 N20 | B $80 Y20 N20           | 60
      B BUY YES 5 @ 5490 post-only | 2 rests 5             | bid 5490: 5 (1) ask 5500: 3 (1) | A $80 Y17+3 N20 | B $77.255+2.745 Y20 N20 | 60
    `,
      200,
    );
  });
});

describe('a reduce and a cancel, in money and shares', () => {
  it('release the reserve of the removed shares once, to the owner', () => {
    expectExchange(`
      start              |                   | empty            | A $80 Y20 N20       | B $80 Y20 N20 | 60
      A BUY NO 10 @ 4000 | 1 rests 10        | ask 6000: 10 (1) | A $76+4 Y20 N20     | B $80 Y20 N20 | 60
      A reduce 1 by 4    | 1 has 6           | ask 6000: 6 (1)  | A $77.6+2.4 Y20 N20 | B $80 Y20 N20 | 60
      A cancel 1         | 1 gives up 6 USER | empty            | A $80 Y20 N20       | B $80 Y20 N20 | 60
      B cancel 1         | NOT_FOUND         | empty            | A $80 Y20 N20       | B $80 Y20 N20 | 60
      A cancel 1         | ALREADY_FINAL     | empty            | A $80 Y20 N20       | B $80 Y20 N20 | 60
    `);
  });
});

describe('the taker fee', () => {
  it('depends on the price of the taker’s outcome, is deducted from a seller’s proceeds, and is not due for makers', () => {
    expectExchange(
      `
      start               |                                                   | empty            | A $80 Y20 N20     | B $80 Y20 N20        | C $80 Y20 N20   | 60
      A BUY YES 10 @ 6000 | 1 rests 10                                        | bid 6000: 10 (1) | A $74+6 Y20 N20   | B $80 Y20 N20        | C $80 Y20 N20   | 60
      B BUY NO 4 @ 4500   | 2 takes 4 of 1 @ 6000 MINT fee 0.0192, 2 filled   | bid 6000: 6 (1)  | A $74+3.6 Y24 N20 | B $78.3808 Y20 N24   | C $80 Y20 N20   | 64
      B SELL YES 4 @ 6000 | 3 takes 4 of 1 @ 6000 NORMAL fee 0.0192, 3 filled | bid 6000: 2 (1)  | A $74+1.2 Y28 N20 | B $80.7616 Y16 N24   | C $80 Y20 N20   | 64
      A SELL YES 5 @ 7000 | 4 rests 5                                         | bid 6000: 2 (1) ask 7000: 5 (1) | A $74+1.2 Y23+5 N20 | B $80.7616 Y16 N24 | C $80 Y20 N20 | 64
      C SELL NO 5 @ 2500  | 5 takes 5 of 4 @ 7000 MERGE fee 0.021, 4 filled, 5 filled | bid 6000: 2 (1) | A $77.5+1.2 Y23 N20 | B $80.7616 Y16 N24 | C $81.479 Y20 N15 | 59
    `,
      200,
    );
  });
});

describe('a scenario of an exchange', () => {
  it.each([
    ['remaining size', 'A BUY YES 1 @ 6000 | 1 rests 2 | bid 6000: 1 (1) | A $79.4+0.6 Y20 N20 | 60'],
    ['book', 'A BUY YES 1 @ 6000 | 1 rests 1 | bid 6000: 2 (1) | A $79.4+0.6 Y20 N20 | 60'],
    ['amount of cash', 'A BUY YES 1 @ 6000 | 1 rests 1 | bid 6000: 1 (1) | A $79.4+0.7 Y20 N20 | 60'],
    ['number of shares', 'A BUY YES 1 @ 6000 | 1 rests 1 | bid 6000: 1 (1) | A $79.4+0.6 Y21 N20 | 60'],
    ['collateral', 'A BUY YES 1 @ 6000 | 1 rests 1 | bid 6000: 1 (1) | A $79.4+0.6 Y20 N20 | 61'],
  ])('fails when it expects the wrong %s', (_name, line) => {
    expect(() => expectExchange(line)).toThrow();
    expect(() =>
      expectExchange(
        line
          .replace('2 |', '1 |')
          .replace(': 2', ': 1')
          .replace('0.7', '0.6')
          .replace('Y21', 'Y20')
          .replace('61', '60'),
      ),
    ).not.toThrow();
  });
});
