import { describe, expect, it } from 'vitest';
import { payoutBps } from '../../src/domain/index.ts';
import { MarketAccount } from '../../src/ledger/market-account.ts';
import { fill, shares, usd } from './fills.ts';

describe('MarketAccount', () => {
  it('throws when the collateral is not one dollar per pair', () => {
    const account = new MarketAccount();
    account.mint(shares(10), usd(10));
    expect(() => account.check()).toThrow('Invariant: collateral 0 is not 10000000 micro-USD');
    account.post(usd(10));
    expect(() => account.check()).not.toThrow();
  });

  it('throws when the collateral of a final market differs from its unclaimed payouts', () => {
    const account = new MarketAccount();
    account.mint(shares(10), usd(10));
    account.post(usd(10));
    account.settle(payoutBps(10_000));
    expect(() => account.check()).toThrow('Invariant: collateral 10000000 is not 0 micro-USD');
    account.computeOwed();
    expect(() => account.check()).not.toThrow();
  });

  it('can end only once', () => {
    const account = new MarketAccount();
    account.settle(payoutBps(10_000));
    expect(() => account.settle(payoutBps(10_000))).not.toThrow();
    expect(() => account.settle('CANCELLED')).toThrow('Invariant: a market settled as 10000 cannot be settled as');
  });

  it('shows its holdings until they are claimed, when the market pays out', () => {
    const account = new MarketAccount();
    account.mint(shares(10), usd(10));
    account.trade(fill('NO', 'SELL', 4, 2_500));
    account.settle(payoutBps(10_000));
    account.computeOwed();
    expect([account.yes, account.no, account.net, account.owed]).toEqual([shares(10), shares(6), shares(4), usd(10)]);
    account.claim();
    expect([account.yes, account.no, account.net, account.owed]).toEqual([0, 0, 0, 0]);
  });

  it('loses its holdings at a refund, and is empty after the claim of the refund', () => {
    const account = new MarketAccount();
    account.mint(shares(10), usd(10));
    account.trade(fill('NO', 'SELL', 4, 2_500));
    expect(account.canRemove('YES', shares(10))).toBe(true);
    expect(account.canRemove('YES', shares(10.01))).toBe(false);
    expect(account.canRemove('NO', shares(6))).toBe(true);
    expect(account.canRemove('NO', shares(6.01))).toBe(false);
    account.settle('CANCELLED');
    account.computeOwed();
    expect([account.yes, account.no]).toEqual([0, 0]);
    expect(account.canRemove('YES', shares(10))).toBe(true);
    account.claim();
    expect(account.canRemove('YES', shares(0))).toBe(false);
    const received = 'Invariant: a trade of a cancelled market arrived after its refund was claimed';
    expect(() => account.trade(fill('YES', 'BUY', 1, 2_500))).toThrow(received);
    expect(() => account.mint(shares(1), usd(1))).toThrow(received);
    expect(() => account.merge(shares(1), usd(1))).toThrow(received);
  });
});
