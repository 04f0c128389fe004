import { describe, expect, it } from 'vitest';
import { SHARE } from '../../../src/domain/index.ts';
import { checkClearing } from '../../../src/exchange/accounts/check.ts';
import { Clearing } from '../../../src/exchange/accounts/clearing.ts';
import { rowStart } from '../../../src/exchange/accounts/holding-amounts.ts';
import { ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { vectors } from '../../spec-vectors.ts';

const { buyYes, sellYes, buyNo } = ORDER_KIND;
const DOLLAR = 1_000_000;

/** Accounts with $1,000 each and a holding in market 0; holdings have the accounts' numbers. */
function clearingWithAccounts(...addresses: readonly string[]): Clearing {
  const clearing = new Clearing();
  for (const address of addresses) {
    const account = clearing.accounts.open(address, false);
    clearing.transfer(account, 1000 * DOLLAR);
    clearing.open(account, 0);
  }
  return clearing;
}

/** A and B mint at 60/40, A sells YES to C at 90 (docs/spec/venue.md#refunds-of-a-cancelled-market). */
function exampleOfSpecification(fees: readonly [number, number] = [0, 0]): Clearing {
  const clearing = clearingWithAccounts('0xa', '0xb', '0xc');
  clearing.reserve(1, buyYes, 6000, 100 * SHARE);
  clearing.trade(1, buyYes, 2, buyNo, 6000, 100 * SHARE, fees[0]);
  clearing.reserve(1, sellYes, 9000, 100 * SHARE);
  clearing.trade(1, sellYes, 3, buyYes, 9000, 100 * SHARE, fees[1]);
  return clearing;
}

/** A market with these net payments of its accounts, micro-USD, written into the rows: no trades lead to them. */
function marketWithPayments(addresses: readonly string[], netPaid: readonly number[]): Clearing {
  const clearing = clearingWithAccounts(...addresses);
  const total = netPaid.reduce((sum, paid) => sum + paid, 0);
  clearing.collateralLedger.open(0);
  clearing.collateralLedger.add(0, total, total);
  for (const [at, paid] of netPaid.entries()) {
    clearing.holdings.amounts.set(
      [0, 0, Math.max(0, paid), Math.max(0, -paid), 0, 0, 0, 0, 0, paid, 0, 0],
      rowStart(at + 1),
    );
    clearing.accounts.credit(at + 1, -paid);
  }
  return clearing;
}

describe('a refund', () => {
  it('pays B 30.769231 and C 69.230769 in the example', () => {
    const clearing = exampleOfSpecification();
    clearing.settlement.refund(0);
    checkClearing(clearing);
    expect([1, 2, 3].map((holding) => clearing.settlement.owed(holding))).toEqual([0, 30_769_231, 69_230_769]);
    expect(clearing.collateralLedger.collateral[0]).toBe(100 * DOLLAR);
  });

  it('includes the fees, which the venue returns', () => {
    const clearing = exampleOfSpecification([480_000, 180_000]);
    expect(clearing.collateralLedger.fees).toBe(660_000);
    expect(clearing.settlement.refundedFees(2)).toBe(0);
    clearing.settlement.refund(0);
    checkClearing(clearing);
    expect([1, 2, 3].map((holding) => clearing.settlement.owed(holding))).toEqual([0, 31_249_231, 69_410_769]);
    expect([1, 2, 3].map((holding) => clearing.settlement.refundedFees(holding))).toEqual([0, 480_000, 180_000]);
    expect([clearing.collateralLedger.fees, clearing.collateralLedger.collateral[0]]).toEqual([0, 100_660_000]);
  });

  it('replaces all shares, and costs the net amount that the account paid', () => {
    const clearing = exampleOfSpecification();
    clearing.settlement.refund(0);
    const { holdings } = clearing;
    const rows = [1, 2, 3].map((holding) => [
      holdings.shares(holding, 'YES') + holdings.shares(holding, 'NO'),
      holdings.cost(holding, 'YES'),
      holdings.cost(holding, 'NO'),
      holdings.realized(holding, 'YES') + holdings.realized(holding, 'NO'),
    ]);
    expect(rows).toEqual([
      [0, 0, 0, 30 * DOLLAR],
      [0, 40 * DOLLAR, 0, 0],
      [0, 90 * DOLLAR, 0, 0],
    ]);
  });

  it('is realized once, by the claim', () => {
    const clearing = exampleOfSpecification([480_000, 180_000]);
    clearing.settlement.refund(0);
    expect([clearing.settlement.owed(3), clearing.settlement.paid(3)]).toEqual([69_410_769, 0]);
    expect(clearing.settlement.claim(3)).toBe(69_410_769);
    expect(clearing.settlement.claim(3)).toBe(0);
    expect([clearing.settlement.owed(3), clearing.settlement.paid(3)]).toEqual([0, 69_410_769]);
    expect(clearing.holdings.realized(3, 'YES')).toBe(69_230_769 - 90 * DOLLAR);
    expect(clearing.accounts.available[3]).toBe(1000 * DOLLAR - 90 * DOLLAR + 69_230_769);
    expect(clearing.collateralLedger.collateral[0]).toBe(31_249_231);
    checkClearing(clearing);
  });

  it.each(vectors.refunds)('matches the specification: $name', ({ collateralMicros, netPaidMicros, refundMicros }) => {
    const addresses = netPaidMicros.map((_, at) => `0x${at}`);
    const clearing = marketWithPayments(addresses, netPaidMicros.map(Number));
    expect(clearing.collateralLedger.collateral[0]).toBe(Number(collateralMicros));
    clearing.settlement.refund(0);
    expect(addresses.map((_, at) => clearing.settlement.owed(at + 1))).toEqual(refundMicros.map(Number));
  });

  it('gives the remaining micro-dollar to the lowest address, regardless of the order of arrival', () => {
    const clearing = marketWithPayments(['0xc', '0xa', '0xd', '0xb'], [50, 50, -50, 50]);
    clearing.settlement.refund(0);
    expect([1, 2, 3, 4].map((holding) => clearing.settlement.owed(holding))).toEqual([33, 34, 0, 33]);
  });

  it('of a market without holdings is empty and final', () => {
    const clearing = clearingWithAccounts('0xa');
    clearing.settlement.refund(7);
    expect(clearing.collateralLedger.isFinal(7)).toBe(true);
    expect(clearing.collateralLedger.isFinal(8)).toBe(false);
    checkClearing(clearing);
  });
});

describe('a payout', () => {
  const cases: readonly (readonly [number, readonly [number, number, number]])[] = [
    [10_000, [20, 0, 100]],
    [0, [20, 100, 0]],
    [5000, [20, 50, 50]],
    [2500, [20, 75, 25]],
  ];

  it.each(cases)('at %s bps for YES pays each share', (payout, dollars) => {
    const clearing = exampleOfSpecification();
    clearing.split(1, 20 * SHARE);
    expect(clearing.settlement.owed(1)).toBe(0);
    clearing.settlement.settle(0, payout);
    checkClearing(clearing);
    expect([1, 2, 3].map((holding) => clearing.settlement.owed(holding) / DOLLAR)).toEqual(dollars);
    const paid = [1, 2, 3].map((holding) => clearing.settlement.claim(holding) / DOLLAR);
    expect(paid).toEqual(dollars);
    expect(clearing.collateralLedger.collateral[0]).toBe(0);
    checkClearing(clearing);
  });

  it('is realized per outcome and keeps the position visible', () => {
    const clearing = exampleOfSpecification([480_000, 0]);
    clearing.split(2, 10 * SHARE);
    clearing.settlement.settle(0, 0);
    expect(clearing.settlement.claim(2)).toBe(110 * DOLLAR);
    const { holdings } = clearing;
    expect(holdings.realized(2, 'YES')).toBe(-5 * DOLLAR);
    expect(holdings.realized(2, 'NO')).toBe(110 * DOLLAR - 45 * DOLLAR - 480_000);
    expect([holdings.shares(2, 'NO'), holdings.cost(2, 'NO'), holdings.claimed[2]]).toEqual([
      110 * SHARE,
      45 * DOLLAR,
      1,
    ]);
  });

  it('of zero does not change the state when it is claimed', () => {
    const clearing = exampleOfSpecification();
    clearing.settlement.settle(0, 10_000);
    expect(clearing.settlement.claim(2)).toBe(0);
    expect([clearing.holdings.claimed[2], clearing.holdings.realized(2, 'NO')]).toEqual([0, 0]);
    expect(clearing.settlement.refundedFees(2)).toBe(0);
  });

  it('does not return the fees', () => {
    const clearing = exampleOfSpecification([480_000, 180_000]);
    clearing.settlement.settle(0, 10_000);
    for (const holding of [1, 2, 3]) clearing.settlement.claim(holding);
    expect([
      clearing.collateralLedger.fees,
      clearing.collateralLedger.collateral[0],
      clearing.settlement.refundedFees(2),
    ]).toEqual([660_000, 0, 0]);
    checkClearing(clearing);
  });
});

describe('the end of a market', () => {
  it('is possible only once', () => {
    const clearing = exampleOfSpecification();
    clearing.settlement.settle(0, 10_000);
    expect(() => clearing.settlement.settle(0, 10_000)).toThrow('Invariant: market 0 is final already');
    expect(() => clearing.settlement.refund(0)).toThrow('Invariant: market 0 is final already');
  });

  it.each([
    ['BUY YES', buyYes],
    ['SELL YES', sellYes],
    ['BUY NO', buyNo],
    ['SELL NO', ORDER_KIND.sellNo],
  ])('is refused while an %s is open', (_, kind) => {
    const clearing = exampleOfSpecification();
    clearing.split(2, SHARE);
    clearing.reserve(2, kind, 5000, SHARE);
    expect(() => clearing.settlement.refund(0)).toThrow('Invariant: market 0 ends with open orders of holding 2');
    clearing.release(2, kind, 5000, SHARE);
    clearing.settlement.refund(0);
    expect(clearing.collateralLedger.isFinal(0)).toBe(true);
  });

  it('prevents further conversions', () => {
    const clearing = exampleOfSpecification();
    clearing.settlement.settle(0, 10_000);
    expect(() => clearing.split(1, SHARE)).toThrow('Invariant: a conversion in final market 0');
    expect(() => clearing.merge(2, SHARE)).toThrow('Invariant: a conversion in final market 0');
  });
});
