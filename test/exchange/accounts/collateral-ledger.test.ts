import { describe, expect, it } from 'vitest';
import { CollateralLedger, ENDING } from '../../../src/exchange/accounts/collateral-ledger.ts';
import { messageOf } from './message-of.ts';

describe('the collateral ledger', () => {
  it('has a row for a market from the moment it opens', () => {
    const collateralLedger = new CollateralLedger(1);
    expect(collateralLedger.markets).toBe(0);
    expect(collateralLedger.isFinal(0)).toBe(false);
    collateralLedger.open(0);
    collateralLedger.open(100);
    collateralLedger.open(3);
    expect(collateralLedger.markets).toBe(101);
    expect([collateralLedger.ending[100], collateralLedger.supply[100], collateralLedger.collateral[100]]).toEqual([
      ENDING.none,
      0,
      0,
    ]);
  });

  it('keeps its values when it grows', () => {
    const collateralLedger = new CollateralLedger(1);
    collateralLedger.open(1);
    collateralLedger.ending[0] = 5000;
    collateralLedger.ending[1] = ENDING.cancelled;
    collateralLedger.add(1, 7, 8);
    for (let market = 2; market < 70; market++) collateralLedger.open(market);
    expect([
      collateralLedger.ending[0],
      collateralLedger.ending[1],
      collateralLedger.supply[1],
      collateralLedger.collateral[1],
    ]).toEqual([5000, -2, 7, 8]);
    expect([0, 1, 2, 69, 70, 1000].map((market) => collateralLedger.isFinal(market))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('requires one dollar for each pair', () => {
    const collateralLedger = new CollateralLedger(1);
    collateralLedger.open(0);
    collateralLedger.add(0, 5, 5);
    collateralLedger.assertBalance(0);
    collateralLedger.add(0, 1, 0);
    expect(messageOf(() => collateralLedger.assertBalance(0))).toBe(
      'Invariant: market 0 has 5 micro-USD for 6 micro-pairs',
    );
  });
});
