import { describe, expect, it } from 'vitest';
import { payoutBps } from '../../src/domain/index.ts';
import { MarketAccount } from '../../src/ledger/market-account.ts';
import { shares, usd } from './amounts.ts';

describe('MarketAccount', () => {
  it('crashes when the collateral is not a dollar for each pair', () => {
    const account = new MarketAccount();
    account.mint(shares(10), usd(10));
    expect(() => account.check()).toThrow('Invariant: collateral 0 is not 10000000 micro-USD');
    account.post(usd(10));
    expect(() => account.check()).not.toThrow();
  });

  it('crashes when a final market holds something else than it owes', () => {
    const account = new MarketAccount();
    account.mint(shares(10), usd(10));
    account.post(usd(10));
    account.settle(payoutBps(10_000));
    expect(() => account.check()).toThrow('Invariant: collateral 10000000 is not 0 micro-USD');
    account.computeOwed();
    expect(() => account.check()).not.toThrow();
  });
});
