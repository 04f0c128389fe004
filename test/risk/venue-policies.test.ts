import { describe, expect, it } from 'vitest';
import { INVALID_FEE_BPS } from '../../src/domain/index.ts';
import { check, convert, expectEdges, quotes, take } from './check-text.ts';
import { usd } from './fake-account.ts';

describe('price_collar_bps', () => {
  it('is measured from the mid, rounded up to half a basis point', () => {
    expectEdges({ price_collar_bps: 200 }, {}, [
      ['bid 10 @ 5800'],
      ['bid 10 @ 5790', 'PRICE_COLLAR 200/210'],
      ['ask 10 @ 6200'],
      ['ask 10 @ 6210', 'PRICE_COLLAR 200/210'],
    ]);
    expectEdges({ price_collar_bps: 200 }, { mark: 12_001 }, [['bid 10 @ 5800', 'PRICE_COLLAR 200/201']]);
  });

  it('uses the last mid while the book is one-sided', () => {
    expectEdges({ price_collar_bps: 200 }, { ask: undefined, mark: 12_000 }, [['bid 10 @ 5800']]);
  });

  it('refuses all quotes before the first mid', () => {
    expectEdges({ price_collar_bps: 9999 }, { mark: undefined }, [['bid 10 @ 5800', 'PRICE_COLLAR 9999/10000']]);
    expectEdges({}, { mark: undefined }, [['bid 10 @ 5800']]);
  });
});

describe('max_fee_bps', () => {
  const fee = (feeRateBps: number, acceptedFeeBps = feeRateBps) => ({ limits: { feeRateBps }, acceptedFeeBps });

  it('withdraws from a market with a higher fee, also when the fee was accepted', () => {
    expectEdges({ max_fee_bps: 200 }, fee(200), [['bid 10 @ 5800']]);
    expectEdges({ max_fee_bps: 200 }, fee(201), [['bid 10 @ 5800', 'FEE_ABOVE_MAX 200/201']]);
    expectEdges({}, fee(1_000), [['ask 10 @ 6200']]);
    expectEdges({}, fee(1_001), [['ask 10 @ 6200', 'FEE_ABOVE_MAX 1000/1001']]);
    expectEdges({}, fee(INVALID_FEE_BPS), [['bid 10 @ 5800', 'FEE_ABOVE_MAX 1000/10001']]);
  });

  it('withdraws from a market whose fee exceeds the accepted one', () => {
    expectEdges({}, fee(50, 50), [['bid 10 @ 5800']]);
    expectEdges({}, fee(20, 50), [['bid 10 @ 5800']]);
    expectEdges({}, fee(51, 50), [['bid 10 @ 5800', 'FEE_ROSE 50/51']]);
  });

  it('applies to takes and not to conversions, which have no fee', () => {
    expect(check({}, fee(51, 50), take('YES', 'BUY', 6_100))).toEqual(['nothing approved', 'FEE_ROSE 50/51']);
    expect(check({}, { ...fee(51, 50), yes: 10, no: 10 }, convert('merge', 10))).toEqual(['merge 10']);
  });
});

describe('self-trade prevention', () => {
  it('refuses bids at or above own asks of all strategies, on both outcomes', () => {
    const before = { orders: ['#1 BUY NO 10 @ 4000 bot 1', '#2 SELL NO 10 @ 4300 bot 1'], no: 10 };
    expectEdges({}, before, [
      ['bid 10 @ 5990'],
      ['bid 10 @ 6000', 'SELF_TRADE 6000/6000'],
      ['ask 10 @ 5710'],
      ['ask 10 @ 5700', 'SELF_TRADE 5700/5700'],
    ]);
  });

  it('refuses bids at or above asks of one set', () => {
    expect(quotes({}, {}, ['bid 10 @ 6000', 'ask 10 @ 6000', 'ask 10 @ 6010', 'bid 10 @ 6010'])).toEqual([
      'bid 10 @ 6000',
      'ask 10 @ 6010',
      'SELF_TRADE 6000/6000',
      'SELF_TRADE 6010/6010',
    ]);
  });

  it('ignores the orders that the set replaces', () => {
    expectEdges({}, { orders: ['#1 BUY NO 10 @ 4000'] }, [['bid 10 @ 6200']]);
  });
});

describe('the limits of the venue', () => {
  it('include a smallest BUY, which applies to the size beyond the holdings', () => {
    expectEdges({}, {}, [
      ['bid 0.99 @ 5800', 'BELOW_MIN 1/0.99'],
      ['bid 1 @ 5800'],
      ['ask 99.99 @ 9990', 'BELOW_MIN 100/99.99'],
      ['ask 100 @ 9990'],
      ['bid 33.33 @ 30', 'BELOW_MIN 33.34/33.33'],
      ['bid 33.34 @ 30'],
    ]);
    expectEdges({}, { yes: 0.5 }, [['ask 0.5 @ 6200'], ['ask 0.6 @ 6200'], ['bid 0.6 @ 5800', 'BELOW_MIN 1/0.6']]);
  });

  it('include a largest BUY', () => {
    const limits = { maxBet: usd(58) };
    expectEdges({}, { limits }, [
      ['bid 99.99 @ 5800'],
      ['bid 100 @ 5800'],
      ['bid 100.01 @ 5800', 'ABOVE_MAX 58/58.0058'],
    ]);
    expectEdges({}, { limits, no: 50 }, [['bid 150 @ 5800'], ['bid 150.01 @ 5800', 'ABOVE_MAX 58/58.0058']]);
  });

  it('count an exposure of 96 dollars for 100 shares quoted 5800/6200 without a position', () => {
    const lines = ['bid 100 @ 5800', 'ask 100 @ 6200'];
    expect(quotes({}, { limits: { maxExposure: usd(96) } }, lines)).toEqual(lines);
    expect(quotes({}, { limits: { maxExposure: usd(95.99) } }, lines)).toEqual([
      'bid 100 @ 5800',
      'EXPOSURE_LIMIT 95.99/96',
    ]);
  });

  it('count net cash paid beyond pairs and other orders, and never refuse a sale', () => {
    const before = { yes: 80, no: 30, netCash: -60, orders: ['#1 BUY YES 10 @ 5000 bot 1'] };
    const limits = { maxExposure: usd(64) };
    expectEdges({}, { ...before, limits }, [
      ['bid 30 @ 5800'],
      ['bid 80 @ 5800'],
      ['bid 80.01 @ 5800', 'EXPOSURE_LIMIT 64/64.0058'],
      ['ask 80 @ 6200'],
    ]);
    expectEdges({}, { ...before, limits: { maxExposure: usd(1) } }, [
      ['bid 30 @ 5800'],
      ['bid 31 @ 5800', 'EXPOSURE_LIMIT 1/35.58'],
    ]);
  });
});

describe('available funds', () => {
  it('must cover the smallest BUY of a quote', () => {
    expectEdges({}, { cash: 0.58 }, [
      ['bid 1 @ 5800'],
      ['bid 100 @ 5800'],
      ['bid 1 @ 5810', 'INSUFFICIENT_BALANCE 0.58/0.581'],
    ]);
    expectEdges({}, { cash: 0.09 }, [['ask 100 @ 9990', 'INSUFFICIENT_BALANCE 0.09/0.1']]);
  });

  it('are not needed for the sale of held shares, each share once', () => {
    const lines = ['bid 50 @ 5800', 'bid 1 @ 5700', 'ask 30 @ 6200', 'ask 1 @ 6300'];
    expect(quotes({}, { cash: 0, yes: 30, no: 50 }, lines)).toEqual([
      'bid 50 @ 5800',
      'ask 30 @ 6200',
      'INSUFFICIENT_BALANCE 0/0.57',
      'INSUFFICIENT_BALANCE 0/0.37',
    ]);
    expect(quotes({}, { cash: 0, yes: 30 }, ['ask 100 @ 6200'])).toEqual(['ask 100 @ 6200']);
  });

  it('include the reserves of replaced orders, and exclude those of other orders', () => {
    const own = { available: 0, orders: ['#1 BUY NO 1 @ 5800'] };
    expectEdges({}, own, [['bid 100 @ 5800'], ['bid 100 @ 5810', 'INSUFFICIENT_BALANCE 0.58/0.581']]);
    const others = { available: 0, orders: ['#1 BUY NO 100 @ 3000 bot 1'] };
    expectEdges({}, others, [['bid 100 @ 5800', 'INSUFFICIENT_BALANCE 0/0.58']]);
  });

  it('are at least the reserves of the own orders, even when replaces in flight reserve funds twice', () => {
    const before = { available: -50, orders: ['#1 BUY YES 1 @ 5800', '#2 BUY YES 10 @ 5700 cancelling'] };
    expectEdges({}, before, [['bid 100 @ 5800'], ['bid 100 @ 5810', 'INSUFFICIENT_BALANCE 0.58/0.581']]);
  });
});
