import { describe, expect, it } from 'vitest';
import { SHARE, takerFee, unchecked } from '../../../src/domain/index.ts';
import { checkClearing } from '../../../src/exchange/accounts/check.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { amountAt } from '../../../src/exchange/accounts/holding-amounts.ts';
import { inYesTerms, ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { vectors } from '../../spec-vectors.ts';
import { messageOf } from './message-of.ts';

const { buyYes, sellYes, buyNo, sellNo } = ORDER_KIND;
const DOLLAR = 1_000_000;

/** Accounts with $1,000 each and a holding in market 0; holdings have the accounts' numbers. */
function clearingWithAccounts(count: number): Clearing {
  const clearing = new Clearing();
  for (let account = 1; account <= count; account++) {
    clearing.accounts.open(`0x${account}`, false);
    clearing.transfer(account, 1000 * DOLLAR);
    clearing.open(account, 0);
  }
  return clearing;
}

/** Rests a maker's order and fills it completely. */
function restAndTrade(
  clearing: Clearing,
  maker: readonly [number, number],
  taker: readonly [number, number],
  yesPrice: number,
  shares: number,
  fee = 0,
) {
  clearing.reserve(maker[0], maker[1], yesPrice, shares);
  clearing.trade(maker[0], maker[1], taker[0], taker[1], yesPrice, shares, fee);
  checkClearing(clearing);
}

function cashOf({ accounts }: Clearing): readonly (number | undefined)[] {
  return Array.from({ length: accounts.count }, (_, at) => accounts.available[at + 1]! - 1000 * DOLLAR);
}

describe('worked values of the specification', () => {
  it.each(vectors.costs)('$microShares micro-shares at $priceBps bps cost $costMicros', (row) => {
    const shares = Number(row.microShares);
    expect(amountAt(buyYes, row.priceBps, shares)).toBe(Number(row.costMicros));
    expect(amountAt(buyNo, inYesTerms(buyNo, row.priceBps), shares)).toBe(Number(row.costMicros));
    expect(amountAt(buyNo, row.priceBps, shares)).toBe(Number(row.otherSideOfPairMicros));
    const clearing = new Clearing();
    const maker = clearing.accounts.open('0xa', true);
    const taker = clearing.accounts.open('0xb', false);
    clearing.transfer(taker, Number(row.reserveMicros));
    const fee = takerFee(row.feeRateBps, unchecked.shares(shares), unchecked.price(row.priceBps));
    expect(fee).toBe(Number(row.feeMicros));
    clearing.reserve(clearing.open(maker, 0), buyNo, row.priceBps, shares);
    clearing.trade(1, buyNo, clearing.open(taker, 0), buyYes, row.priceBps, shares, fee);
    expect(clearing.accounts.available[taker]).toBe(0);
    expect(clearing.collateralLedger.collateral[0]).toBe(shares);
    checkClearing(clearing);
  });

  it.each(vectors.costs)('$microShares micro-shares at $priceBps bps reserve their cost while they rest', (row) => {
    const clearing = new Clearing();
    clearing.accounts.open('0xa', false);
    clearing.transfer(1, Number(row.costMicros));
    const holding = clearing.open(1, 0);
    clearing.reserve(holding, buyYes, row.priceBps, Number(row.microShares));
    expect([clearing.accounts.available[1], clearing.accounts.reserved[1]]).toEqual([0, Number(row.costMicros)]);
    expect(clearing.exposure(holding)).toBe(Number(row.costMicros));
  });
});

describe('a match', () => {
  it('of two buyers mints a pair and charges them one dollar together', () => {
    const clearing = clearingWithAccounts(2);
    restAndTrade(clearing, [1, buyYes], [2, buyNo], 6000, 100 * SHARE);
    expect(cashOf(clearing)).toEqual([-60 * DOLLAR, -40 * DOLLAR]);
    expect([clearing.collateralLedger.supply[0], clearing.collateralLedger.collateral[0]]).toEqual([
      100 * SHARE,
      100 * DOLLAR,
    ]);
    expect([clearing.holdings.shares(1, 'YES'), clearing.holdings.shares(1, 'NO')]).toEqual([100 * SHARE, 0]);
    expect([clearing.holdings.shares(2, 'YES'), clearing.holdings.shares(2, 'NO')]).toEqual([0, 100 * SHARE]);
  });

  it.each([
    ['a resting buyer', [1, buyYes], [2, sellYes]],
    ['a resting seller', [2, sellYes], [1, buyYes]],
  ] as const)('of a buyer and a seller moves shares: %s', (_, maker, taker) => {
    const clearing = clearingWithAccounts(2);
    clearing.split(2, 100 * SHARE);
    restAndTrade(clearing, maker, taker, 7000, 40 * SHARE);
    expect(cashOf(clearing)).toEqual([-28 * DOLLAR, -72 * DOLLAR]);
    expect(clearing.collateralLedger.collateral[0]).toBe(100 * DOLLAR);
    expect([clearing.holdings.shares(1, 'YES'), clearing.holdings.shares(2, 'YES')]).toEqual([40 * SHARE, 60 * SHARE]);
    expect(clearing.holdings.realized(2, 'YES')).toBe(8 * DOLLAR);
    expect(clearing.holdings.cost(1, 'YES')).toBe(28 * DOLLAR);
  });

  it('of two sellers burns the pair and pays them one dollar together', () => {
    const clearing = clearingWithAccounts(2);
    restAndTrade(clearing, [1, buyYes], [2, buyNo], 6000, 100 * SHARE);
    restAndTrade(clearing, [1, sellYes], [2, sellNo], 9000, 100 * SHARE);
    expect(cashOf(clearing)).toEqual([30 * DOLLAR, -30 * DOLLAR]);
    expect([clearing.collateralLedger.supply[0], clearing.collateralLedger.collateral[0]]).toEqual([0, 0]);
    expect([clearing.holdings.realized(1, 'YES'), clearing.holdings.realized(2, 'NO')]).toEqual([
      30 * DOLLAR,
      -30 * DOLLAR,
    ]);
  });

  it('keeps the reserve of the maker’s unfilled shares', () => {
    const clearing = clearingWithAccounts(2);
    clearing.reserve(1, buyYes, 6000, 100 * SHARE);
    clearing.trade(1, buyYes, 2, buyNo, 6000, 30 * SHARE, 0);
    expect([clearing.accounts.reserved[1], clearing.holdings.reservedCash(1)]).toEqual([42 * DOLLAR, 42 * DOLLAR]);
    clearing.release(1, buyYes, 6000, 70 * SHARE);
    expect([clearing.accounts.reserved[1], clearing.accounts.available[1]]).toEqual([0, 982 * DOLLAR]);
    checkClearing(clearing);
  });
});

describe('a fee', () => {
  it('is charged to a buyer in addition to the price (docs/spec/models.md#fees-commission-rewards)', () => {
    const clearing = clearingWithAccounts(2);
    const fee = takerFee(200, unchecked.shares(100 * SHARE), unchecked.price(6000));
    expect(fee).toBe(480_000);
    restAndTrade(clearing, [1, buyNo], [2, buyYes], 6000, 100 * SHARE, fee);
    expect(cashOf(clearing)).toEqual([-40 * DOLLAR, -60_480_000]);
    expect([clearing.holdings.fees(2), clearing.holdings.realized(2, 'YES'), clearing.collateralLedger.fees]).toEqual([
      fee,
      -fee,
      fee,
    ]);
    expect([clearing.holdings.netPaid(2), clearing.holdings.cost(2, 'YES')]).toEqual([60 * DOLLAR, 60 * DOLLAR]);
  });

  it('is deducted from a seller’s proceeds', () => {
    const clearing = clearingWithAccounts(2);
    clearing.transfer(2, -900 * DOLLAR);
    clearing.split(2, 100 * SHARE);
    expect(clearing.accounts.available[2]).toBe(0);
    restAndTrade(clearing, [1, buyNo], [2, sellNo], 4000, 100 * SHARE, 480_000);
    expect(clearing.accounts.available[2]).toBe(59_520_000);
    expect(clearing.holdings.realized(2, 'NO')).toBe(10 * DOLLAR - 480_000);
  });
});

describe('cost basis (docs/spec/models.md#cost-basis)', () => {
  it('loses the average cost of the shares sold, rounded down, and becomes zero with the last share', () => {
    const clearing = clearingWithAccounts(2);
    clearing.split(2, 10 * SHARE);
    restAndTrade(clearing, [1, buyYes], [2, sellYes], 3000, 2 * SHARE);
    restAndTrade(clearing, [1, buyYes], [2, sellYes], 4000, SHARE);
    expect([clearing.holdings.shares(1, 'YES'), clearing.holdings.cost(1, 'YES')]).toEqual([3 * SHARE, DOLLAR]);
    restAndTrade(clearing, [1, sellYes], [2, buyYes], 4000, SHARE);
    expect([clearing.holdings.realized(1, 'YES'), clearing.holdings.cost(1, 'YES')]).toEqual([66_667, 666_667]);
    restAndTrade(clearing, [2, buyYes], [1, sellYes], 4000, 2 * SHARE);
    expect(clearing.holdings.realized(1, 'YES')).toBe(66_667 + 133_333);
    expect(clearing.holdings.cost(1, 'YES')).toBe(0);
  });

  it('is half a dollar per side after a split, and loses the cost of both sides in a merge', () => {
    const clearing = clearingWithAccounts(2);
    clearing.split(1, 10_000);
    expect([clearing.holdings.cost(1, 'YES'), clearing.holdings.cost(1, 'NO')]).toEqual([5000, 5000]);
    restAndTrade(clearing, [1, buyNo], [2, buyYes], 9000, 10_000);
    expect(clearing.holdings.cost(1, 'NO')).toBe(6000);
    clearing.merge(1, 10_000);
    expect([clearing.holdings.realized(1, 'YES'), clearing.holdings.realized(1, 'NO')]).toEqual([0, 2000]);
    expect([clearing.holdings.cost(1, 'YES'), clearing.holdings.cost(1, 'NO')]).toEqual([0, 3000]);
    checkClearing(clearing);
  });
});

describe('exposure (docs/spec/venue.md#limits)', () => {
  it('of a two-sided quote without a position is the sum of both reserves: $96 (docs/spec/models.md#reserve-of-a-quote)', () => {
    const clearing = clearingWithAccounts(1);
    clearing.reserve(1, buyYes, 5800, 100 * SHARE);
    clearing.reserve(1, buyNo, 6200, 100 * SHARE);
    expect(clearing.exposure(1)).toBe(96 * DOLLAR);
    expect(clearing.accounts.reserved[1]).toBe(96 * DOLLAR);
  });

  it('counts payments beyond complete pairs, and is never less than the reserves', () => {
    const clearing = clearingWithAccounts(2);
    restAndTrade(clearing, [1, buyYes], [2, buyNo], 6000, 80 * SHARE);
    expect([clearing.exposure(1), clearing.exposure(2)]).toEqual([48 * DOLLAR, 32 * DOLLAR]);
    clearing.split(2, 20 * SHARE);
    expect(clearing.exposure(2)).toBe(32 * DOLLAR);
    clearing.split(1, 20 * SHARE);
    expect(clearing.exposure(1)).toBe(48 * DOLLAR);
    restAndTrade(clearing, [1, sellYes], [2, buyYes], 9000, 60 * SHARE);
    expect(clearing.exposure(1)).toBe(0);
    clearing.reserve(1, buyYes, 1000, 10 * SHARE);
    expect(clearing.exposure(1)).toBe(DOLLAR);
    expect(clearing.exposure(0)).toBe(0);
  });
});

describe('a transfer', () => {
  it('moves cash between an account and the outside', () => {
    const clearing = new Clearing();
    clearing.accounts.open('0xa', false);
    clearing.transfer(1, 500);
    clearing.transfer(1, -200);
    expect([clearing.accounts.available[1], clearing.collateralLedger.outside]).toEqual([300, -300]);
    checkClearing(clearing);
  });
});

describe('an impossible posting', () => {
  const broken: readonly (readonly [string, (clearing: Clearing) => void, RegExp])[] = [
    [
      'a reserve of more cash than is available',
      (c) => c.reserve(1, buyYes, 9000, 2000 * SHARE),
      /account 1 would have -800000000/,
    ],
    [
      'more shares on sale than held',
      (c) => c.reserve(1, sellYes, 9000, SHARE),
      /holding 1 has more shares on sale than it holds/,
    ],
    [
      'the release of cash that is not reserved',
      (c) => c.release(1, buyYes, 9000, SHARE),
      /holding 1 has a negative reserve/,
    ],
    [
      'the release of shares that are not on sale',
      (c) => c.release(1, sellNo, 9000, SHARE),
      /holding 1 has a negative number of shares on sale/,
    ],
    [
      'a maker without a reserve',
      (c) => c.trade(1, buyYes, 2, buyNo, 5000, SHARE, 0),
      /holding 1 has a negative reserve/,
    ],
    [
      'a taker without shares',
      (c) => restAndTrade(c, [1, buyYes], [2, sellYes], 5000, SHARE),
      /holding 2 has sold shares that were not free/,
    ],
    [
      'a taker without cash',
      (c) => restAndTrade(c, [1, buyYes], [2, buyNo], 10, 1500 * SHARE),
      /account 2 would have -498500000/,
    ],
    ['the sale of shares that are on sale', saleOfReserved, /holding 1 has sold shares that were not free/],
    ['a merge of pairs that are on sale', mergeOfReserved, /holding 1 has sold shares that were not free/],
    ['a withdrawal of more than is available', (c) => c.transfer(1, -1001 * DOLLAR), /account 1 would have -1000000/],
  ];

  it.each(broken)('throws for %s', (_, act, message) => {
    expect(messageOf(() => act(clearingWithAccounts(2)))).toMatch(message);
  });

  it('throws for a match whose money differs from that of its pairs', () => {
    expect(messageOf(() => restAndTrade(clearingWithAccounts(2), [1, buyYes], [2, buyYes], 6000, SHARE))).toMatch(
      /market 0 has 1200000 micro-USD for 1000000 micro-pairs/,
    );
  });
});

function saleOfReserved(clearing: Clearing): void {
  clearing.split(1, 2 * SHARE);
  clearing.reserve(1, sellYes, 9000, 2 * SHARE);
  clearing.reserve(2, buyYes, 5000, SHARE);
  clearing.trade(2, buyYes, 1, sellYes, 5000, SHARE, 0);
}

function mergeOfReserved(clearing: Clearing): void {
  clearing.split(1, 2 * SHARE);
  clearing.reserve(1, sellNo, 9000, SHARE + 10_000);
  clearing.merge(1, SHARE);
}
