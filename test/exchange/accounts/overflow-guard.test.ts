import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOT, MAX_ORDER_SHARES } from '../../../src/domain/index.ts';
import { checkClearing } from '../../../src/exchange/accounts/check.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { MAX_MONEY, MAX_TURNOVER } from '../../../src/exchange/accounts/overflow-guard.ts';
import { inYesTerms, ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { ClearingPair, type Step } from './clearing-pair.ts';

const { buyYes, sellYes, buyNo, sellNo } = ORDER_KIND;
const STEP: Step = {
  type: 'place',
  account: 1,
  market: 0,
  outcome: 'YES',
  side: 'BUY',
  price: 1,
  lots: 1,
  orderIndex: 0,
  flip: true,
};

/** Profit of `gain` and loss of `lose`, in micro-USD. */
const GAIN = (MAX_ORDER_SHARES / LOT) * 9998;

/** Account `trader` buys the largest order from `other` at the first price and sells it back at the second. */
function buyAndSellBack(
  clearing: Clearing,
  trader: number,
  other: number,
  buy: number,
  prices: readonly [number, number],
): void {
  const sell = buy + 1;
  clearing.transfer(trader, (MAX_ORDER_SHARES / LOT) * 9999);
  clearing.reserve(other, sell, inYesTerms(buy, prices[0]), MAX_ORDER_SHARES);
  clearing.trade(other, sell, trader, buy, inYesTerms(buy, prices[0]), MAX_ORDER_SHARES, 0);
  clearing.reserve(trader, sell, inYesTerms(buy, prices[1]), MAX_ORDER_SHARES);
  clearing.trade(trader, sell, other, buy, inYesTerms(buy, prices[1]), MAX_ORDER_SHARES, 0);
  clearing.transfer(trader, -(clearing.accounts.available[trader] ?? 0));
}

function gain(clearing: Clearing, winner: number, loser: number, buy: number): void {
  buyAndSellBack(clearing, winner, loser, buy, [1, 9999]);
}

function lose(clearing: Clearing, loser: number, winner: number, buy: number): void {
  buyAndSellBack(clearing, loser, winner, buy, [9999, 1]);
}

function clearingWithAccounts(...kinds: readonly ('limited' | 'unlimited')[]): Clearing {
  const clearing = new Clearing();
  for (const [at, kind] of kinds.entries()) clearing.open(clearing.accounts.open(`0x${at}`, kind === 'unlimited'), 0);
  return clearing;
}

describe('a transfer', () => {
  it.each([Number.NaN, Infinity, 0.5, 2 ** 53, -(2 ** 53), MAX_MONEY + 1, -MAX_MONEY - 1])(
    'is refused when it is %s',
    (amount) => {
      expect(clearingWithAccounts('unlimited').overflowGuard.fitsTransfer(1, amount)).toBe(false);
    },
  );

  it('is accepted while at most three billion dollars are in play', () => {
    const clearing = clearingWithAccounts('limited', 'unlimited');
    expect(clearing.overflowGuard.fitsTransfer(1, MAX_MONEY)).toBe(true);
    clearing.transfer(1, MAX_MONEY - 10);
    expect([10, 11].map((amount) => clearing.overflowGuard.fitsTransfer(1, amount))).toEqual([true, false]);
    clearing.transfer(1, -MAX_MONEY + 10);
    expect(clearing.overflowGuard.fitsTransfer(1, MAX_MONEY)).toBe(true);
    clearing.transfer(2, -MAX_MONEY);
    checkClearing(clearing);
    expect(clearing.overflowGuard.fitsTransfer(2, -1)).toBe(false);
    expect(clearing.overflowGuard.fitsTransfer(1, 1)).toBe(true);
    clearing.transfer(1, MAX_MONEY);
    expect([0, 1].map((amount) => clearing.overflowGuard.fitsTransfer(1, amount))).toEqual([true, false]);
    checkClearing(clearing);
  });
});

describe('an order', () => {
  it('of an unlimited account is accepted while the account’s debt keeps the money in play below the bound', () => {
    const clearing = clearingWithAccounts('unlimited', 'limited');
    const cash = (MAX_ORDER_SHARES / LOT) * 9999;
    for (let count = 0; count < 3; count++) {
      expect(clearing.overflowGuard.fitsOrder(1, count % 2, buyYes, 9999, MAX_ORDER_SHARES, 0)).toBe(true);
      clearing.reserve(1, buyYes, 9999, MAX_ORDER_SHARES);
    }
    const remaining = MAX_MONEY - 3 * cash;
    expect(clearing.overflowGuard.fitsOrder(1, 0, buyYes, 1, remaining * LOT, 0)).toBe(true);
    expect(clearing.overflowGuard.fitsOrder(1, 0, buyYes, 1, remaining * LOT, 1)).toBe(false);
    expect(clearing.overflowGuard.fitsOrder(2, 2, buyYes, 1, remaining * LOT, 1)).toBe(true);
    checkClearing(clearing);
  });

  it('of a buyer is accepted while all payments into the market, open orders included, stay below the bound', () => {
    const clearing = clearingWithAccounts('unlimited', 'limited', 'unlimited');
    const shares = MAX_TURNOVER / 2;
    clearing.reserve(1, buyYes, 5000, shares);
    clearing.trade(1, buyYes, 3, buyNo, 5000, shares, 0);
    clearing.transfer(1, MAX_MONEY / 2);
    const remaining = (MAX_TURNOVER * 3) / 4;
    const fits = (lots: number) => clearing.overflowGuard.fitsOrder(2, 1, buyYes, 1, lots * LOT, 0);
    expect([fits(remaining), fits(remaining + 1)]).toEqual([true, false]);
    clearing.reserve(1, buyYes, 1, 1000 * LOT);
    expect([fits(remaining - 1000), fits(remaining - 999)]).toEqual([true, false]);
  });

  it('of a seller is accepted while proceeds and realized P&L, open orders included, stay below the bound', () => {
    const clearing = clearingWithAccounts('limited');
    clearing.transfer(1, MAX_MONEY);
    clearing.split(1, MAX_MONEY);
    const fits = (shares: number) => clearing.overflowGuard.fitsOrder(1, 1, sellYes, 1, shares, 0);
    expect([fits(MAX_TURNOVER), fits(MAX_TURNOVER + LOT)]).toEqual([true, false]);
    clearing.reserve(1, sellYes, 9999, LOT);
    expect([fits(MAX_TURNOVER - LOT), fits(MAX_TURNOVER)]).toEqual([true, false]);
  });
});

describe('turnover', () => {
  it('counts all sales of both outcomes of a seller who received more than he paid', () => {
    const clearing = clearingWithAccounts('limited', 'unlimited');
    clearing.split(2, MAX_ORDER_SHARES);
    gain(clearing, 1, 2, buyNo);
    gain(clearing, 1, 2, buyNo);
    expect(clearing.holdings.netPaid(1)).toBe(-2 * GAIN);
    const maxShares = MAX_TURNOVER - 2 * GAIN;
    const fits = (shares: number) => clearing.overflowGuard.fitsOrder(1, 1, sellYes, 1, shares, 0);
    expect([fits(maxShares), fits(maxShares + LOT)]).toEqual([true, false]);
    clearing.transfer(1, 9 * LOT);
    clearing.split(1, 9 * LOT);
    clearing.reserve(1, sellNo, 5000, 2 * LOT);
    clearing.reserve(1, sellYes, 5000, 3 * LOT);
    expect([fits(maxShares + 4 * LOT), fits(maxShares + 5 * LOT)]).toEqual([true, false]);
    checkClearing(clearing);
  });

  it('counts merged pairs of an account that received more than it paid', () => {
    const clearing = clearingWithAccounts('limited', 'unlimited');
    clearing.split(2, MAX_ORDER_SHARES);
    gain(clearing, 1, 2, buyNo);
    gain(clearing, 1, 2, buyYes);
    const maxShares = MAX_TURNOVER - 2 * GAIN;
    expect([maxShares, maxShares + LOT].map((shares) => clearing.overflowGuard.fitsMerge(1, shares))).toEqual([
      true,
      false,
    ]);
  });

  it('counts a large gain or loss of one position even when the other position offsets it', () => {
    const clearing = clearingWithAccounts('limited', 'unlimited');
    clearing.split(2, MAX_ORDER_SHARES);
    for (let turn = 0; turn < 2; turn++) {
      gain(clearing, 1, 2, buyYes);
      lose(clearing, 1, 2, buyNo);
    }
    const { holdings, overflowGuard } = clearing;
    expect([holdings.netPaid(1), holdings.realized(1, 'YES'), holdings.realized(1, 'NO')]).toEqual([
      0,
      2 * GAIN,
      -2 * GAIN,
    ]);
    const maxShares = MAX_TURNOVER - 2 * GAIN;
    for (const kind of [sellYes, sellNo]) {
      const fits = (shares: number) => overflowGuard.fitsOrder(1, 1, kind, 1, shares, 0);
      expect([fits(maxShares), fits(maxShares + LOT)]).toEqual([true, false]);
    }
    clearing.transfer(1, 9 * LOT);
    clearing.split(1, 9 * LOT);
    clearing.reserve(1, sellYes, 5000, 2 * LOT);
    expect([sellYes, sellNo].map((kind) => overflowGuard.fitsOrder(1, 1, kind, 1, maxShares, 0))).toEqual([
      false,
      true,
    ]);
    checkClearing(clearing);
  });

  it.each([
    ['YES', buyYes],
    ['NO', buyNo],
  ])('counts merged pairs when %s has a large gain', (_, kind) => {
    const clearing = clearingWithAccounts('limited', 'unlimited');
    clearing.split(2, MAX_ORDER_SHARES);
    gain(clearing, 1, 2, kind);
    gain(clearing, 1, 2, kind);
    clearing.transfer(1, 9 * LOT);
    clearing.split(1, 9 * LOT);
    const maxShares = MAX_TURNOVER - 2 * GAIN;
    expect([maxShares, maxShares + LOT].map((shares) => clearing.overflowGuard.fitsMerge(1, shares))).toEqual([
      true,
      false,
    ]);
  });
});

describe('a conversion', () => {
  it('is refused when it exceeds a bound', () => {
    const clearing = clearingWithAccounts('unlimited', 'limited');
    expect(clearing.overflowGuard.fitsBuy(1, 1, MAX_MONEY, 0)).toBe(true);
    expect(clearing.overflowGuard.fitsBuy(1, 1, Number.MAX_SAFE_INTEGER, 0)).toBe(false);
    expect(clearing.overflowGuard.fitsBuy(2, 2, Number.MAX_SAFE_INTEGER, 0)).toBe(false);
    clearing.split(1, MAX_MONEY - LOT);
    expect([LOT, 2 * LOT].map((shares) => clearing.overflowGuard.fitsBuy(1, 1, shares, 0))).toEqual([true, false]);
    expect(clearing.overflowGuard.fitsBuy(2, 1, 2 * LOT, 0)).toBe(false);
    expect(clearing.overflowGuard.fitsMerge(1, MAX_MONEY - LOT)).toBe(true);
    expect(clearing.overflowGuard.fitsMerge(1, Number.MAX_SAFE_INTEGER)).toBe(false);
    checkClearing(clearing);
  });
});

/** Asserts that an amount of `limit` fits and one lot more does not. */
function expectLargest(limit: number, fits: (amount: number) => boolean): void {
  expect([limit, limit + LOT].map(fits)).toEqual([true, false]);
}

describe('the limit in a refusal', () => {
  it('is the largest amount that fits, for deposits and withdrawals of accounts with and without a debt limit', () => {
    const clearing = clearingWithAccounts('limited', 'unlimited');
    clearing.transfer(1, 1000 * LOT);
    clearing.transfer(2, -400 * LOT);
    const { overflowGuard } = clearing;
    for (const account of [1, 2]) {
      for (const sign of [1, -1]) {
        const excess = overflowGuard.transferExcess(account, sign * MAX_MONEY);
        expect(excess.value).toBe(MAX_MONEY);
        expectLargest(excess.limit, (amount) => overflowGuard.fitsTransfer(account, sign * amount));
      }
    }
  });

  it('is the largest sale that fits when proceeds exceed the gain of the position', () => {
    const clearing = clearingWithAccounts('limited', 'unlimited');
    clearing.split(2, MAX_ORDER_SHARES);
    gain(clearing, 1, 2, buyNo);
    gain(clearing, 1, 2, buyNo);
    const { limit, value } = clearing.overflowGuard.sellExcess(1, sellYes, MAX_TURNOVER);
    expect([limit, value]).toEqual([MAX_TURNOVER - 2 * GAIN, MAX_TURNOVER]);
    expectLargest(limit, (shares) => clearing.overflowGuard.fitsSell(1, sellYes, shares));
  });
});

describe('the size up to which any order fits', () => {
  it('shrinks by splits and reserves, and grows when an order is released', () => {
    const clearing = clearingWithAccounts('limited');
    const fits = (shares: number) => clearing.overflowGuard.fitsAnyOrder(shares);
    expectLargest(MAX_TURNOVER, fits);
    clearing.transfer(1, 10 * LOT);
    clearing.split(1, 10 * LOT);
    expectLargest(MAX_TURNOVER - 10 * LOT, fits);
    clearing.reserve(1, sellNo, 5000, 4 * LOT);
    expectLargest(MAX_TURNOVER - 14 * LOT, fits);
    clearing.release(1, sellNo, 5000, 3 * LOT);
    expectLargest(MAX_TURNOVER - 11 * LOT, fits);
  });
});

describe('money that is turned over repeatedly', () => {
  /** One account sells to another and buys back at a second price. Transfers then restore the cash of both. */
  const roundTrips = fc.record({
    outcome: fc.constantFrom<Step['outcome']>('YES', 'NO'),
    prices: fc.constantFrom<readonly [number, number]>([1, 9999], [9999, 1], [4000, 6000]),
    seller: fc.constantFrom(1, 2),
    lots: fc.constantFrom(1, 70_000_000_000, 100_000_000_000),
    market: fc.constantFrom(0, 0, 1),
  });

  function steps({
    outcome,
    prices,
    seller,
    lots,
    market,
  }: typeof roundTrips extends fc.Arbitrary<infer T> ? T : never): Step[] {
    const buyer = 3 - seller;
    const common = { ...STEP, outcome, lots, market };
    return [
      { ...common, type: 'place', account: seller, side: 'SELL', price: prices[0] },
      { ...common, type: 'trade', account: buyer },
      { ...common, type: 'place', account: buyer, side: 'SELL', price: prices[1] },
      { ...common, type: 'trade', account: seller },
      { ...common, type: 'cancel' },
      { ...common, type: 'transfer', account: 1, lots: 90_000_000_000 },
      { ...common, type: 'transfer', account: 2, lots: 90_000_000_000 },
      { ...common, type: 'transfer', account: 1, lots: 90_000_000_000, flip: false },
      { ...common, type: 'transfer', account: 2, lots: 90_000_000_000, flip: false },
    ];
  }

  it('is refused, without an exception, before a sum becomes inexact', () => {
    let refused = 0;
    fc.assert(
      fc.property(fc.array(roundTrips, { minLength: 10, maxLength: 30, size: 'max' }), (list) => {
        const pair = new ClearingPair(['0xa', '0xb'], 0, 0, [true, true]);
        for (const account of [1, 2]) {
          for (const market of [0, 1]) pair.step({ ...STEP, type: 'split', account, market, lots: 25_000_000_000 });
        }
        for (const step of list.flatMap(steps)) {
          const before = pair.executed.get(step.type);
          pair.step(step);
          if (step.type === 'place' && pair.executed.get('place') === before) refused++;
        }
        const { fast, naive } = pair.states();
        expect(fast).toEqual(naive);
        checkClearing(pair.clearing);
      }),
      { numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(10);
  });
});
