import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  complement,
  costAt,
  microShares,
  microUsd,
  payoutAt,
  payoutBps,
  priceBps,
  ZERO_SHARES,
  ZERO_USD,
} from '../../src/domain/index.ts';
import { exitValue, Ledger, venueExposure, worstCase } from '../../src/ledger/index.ts';
import { fill, MARKET, shares, usd } from './fills.ts';

const FLAT = { yes: ZERO_SHARES, no: ZERO_SHARES, netCash: ZERO_USD, fees: ZERO_USD };

describe('worstCase', () => {
  it('is $75.50 for 80 YES bought at 6000 with 50 @ 5500 bid and 50 @ 6500 asked (docs/spec/models.md#worst-case)', () => {
    const ledger = new Ledger();
    ledger.fill(fill('YES', 'BUY', 80, 6000));
    const bids = costAt(shares(50), priceBps(5500));
    const asks = costAt(shares(50), complement(priceBps(6500)));
    expect([bids, asks]).toEqual([usd(27.5), usd(17.5)]);
    expect(worstCase(ledger.market(MARKET), bids, asks)).toEqual({
      ifNo: usd(75.5),
      ifYes: usd(-14.5),
      worstLoss: usd(75.5),
    });
  });

  it('is $58 for 100 shares quoted 5800/6200 without a position, where the venue counts $96', () => {
    const bids = costAt(shares(100), priceBps(5800));
    const asks = costAt(shares(100), complement(priceBps(6200)));
    expect(worstCase(FLAT, bids, asks).worstLoss).toBe(usd(58));
    expect(venueExposure(FLAT, usd(96))).toBe(usd(96));
  });

  it('counts fees as lost, and a certain profit as no loss', () => {
    const stake = { ...FLAT, netCash: usd(1), fees: usd(0.25) };
    expect(worstCase(stake, ZERO_USD, ZERO_USD)).toEqual({ ifNo: usd(-0.75), ifYes: usd(-0.75), worstLoss: 0 });
    expect(worstCase({ ...stake, netCash: ZERO_USD }, ZERO_USD, ZERO_USD).worstLoss).toBe(usd(0.25));
  });

  it('is at least the loss at any payout for any subset of filled orders', () => {
    const lots = fc.integer({ min: 0, max: 100_000 });
    const price = fc.integer({ min: 1, max: 9999 });
    const order = fc.record({ lots, price, fills: fc.boolean() });
    fc.assert(
      fc.property(
        fc.record({
          yes: lots,
          no: lots,
          cash: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
          bid: order,
          ask: order,
        }),
        ({ yes, no, cash, bid, ask }) => {
          const stake = {
            yes: microShares(yes * 10_000),
            no: microShares(no * 10_000),
            netCash: microUsd(cash),
            fees: ZERO_USD,
          };
          const { worstLoss } = worstCase(
            stake,
            costAt(microShares(bid.lots * 10_000), priceBps(bid.price)),
            costAt(microShares(ask.lots * 10_000), complement(priceBps(ask.price))),
          );
          for (const payout of [0, 5000, 10_000]) {
            const held = yes * payout + no * (10_000 - payout);
            const bought = bid.fills ? bid.lots * (payout - bid.price) : 0;
            const sold = ask.fills ? ask.lots * (ask.price - payout) : 0;
            expect(-(cash + held + bought + sold)).toBeLessThanOrEqual(worstLoss);
          }
        },
      ),
    );
  });
});

describe('venueExposure', () => {
  it('is net cash paid in beyond one dollar per pair, never negative, plus reserves', () => {
    const stake = { yes: shares(100), no: shares(40), netCash: usd(-70), fees: usd(9) };
    expect(venueExposure(stake, usd(5))).toBe(usd(35));
    expect(venueExposure({ ...stake, netCash: usd(-30) }, usd(5))).toBe(usd(5));
  });
});

describe('exitValue', () => {
  it('uses the bid for a long position, the ask for a short one, and one dollar for pairs', () => {
    expect(exitValue(shares(100), shares(40), 5800, 6200)).toBe(usd(40 + 34.8));
    expect(exitValue(shares(40), shares(100), 5800, 6200)).toBe(usd(40 + 22.8));
    expect(exitValue(shares(40), shares(40), 0, 10_000)).toBe(usd(40));
  });

  it('uses 0 or 10000 for an empty side', () => {
    expect(exitValue(shares(100), shares(40), 0, 6200)).toBe(usd(40));
    expect(exitValue(shares(40), shares(100), 5800, 10_000)).toBe(usd(40));
  });

  it('is never more than the value at any payout between the best prices', () => {
    const lots = fc.integer({ min: 0, max: 100_000 }).map((count) => microShares(count * 10_000));
    fc.assert(
      fc.property(
        lots,
        lots,
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (yes, no, a, b) => {
          const value = exitValue(yes, no, Math.min(a, b), Math.max(a, b));
          for (const at of [a, b])
            expect(value).toBeLessThanOrEqual(payoutAt(yes, payoutBps(at)) + payoutAt(no, payoutBps(10_000 - at)));
        },
      ),
    );
  });
});
