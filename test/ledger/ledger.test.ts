import { describe, expect, it } from 'vitest';
import { commission, type Outcome, payoutBps, priceBps, takerFee, unchecked } from '../../src/domain/index.ts';
import { Ledger, type LedgerFill } from '../../src/ledger/index.ts';
import { fill, fundedLedger, MARKET, mid, shares, usd } from './fills.ts';

const YES_WINS = payoutBps(10_000);

/** The example of docs/spec/models.md#profit-and-loss up to, not including, its resolution. */
function modelsExample(): Ledger {
  const ledger = fundedLedger();
  ledger.mark(MARKET, mid(12_000));
  ledger.fill(fill('YES', 'BUY', 100, 5800));
  ledger.mark(MARKET, mid(11_800));
  const fee = takerFee(200, shares(60), priceBps(4000));
  ledger.fill({ ...fill('NO', 'BUY', 60, 4000), fee });
  ledger.merge(MARKET, shares(60));
  ledger.mark(MARKET, mid(14_000));
  return ledger;
}

describe('the worked example of docs/spec/models.md#profit-and-loss', () => {
  it('adds up to 17.712000 by mark and by cost', () => {
    const ledger = modelsExample();
    ledger.resolve(MARKET, YES_WINS);
    expect(ledger.claim(MARKET)).toBe(usd(40));
    expect(ledger.pnlSplit()).toEqual({
      spreadMicros: 2_600_000,
      inventoryMicros: 3_400_000,
      settlementMicros: 12_000_000,
      feesMicros: -288_000,
      rewardsMicros: 0,
      roundingMicros: 0,
    });
    expect(ledger.pnl()).toEqual({
      totalMicros: 17_712_000,
      realizedMicros: 17_712_000,
      unrealizedMicros: 0,
      feesMicros: -288_000,
      commissionMicros: 0,
      settlementMicros: 16_800_000,
    });
    expect(ledger.cash).toBe(1_017_712_000);
    expect(ledger.market(MARKET).netCash).toBe(18_000_000);
  });

  it('realizes 1.20 by the merge and 16.80 by the claim', () => {
    const ledger = modelsExample();
    const { realized, yesCost, noCost } = ledger.market(MARKET);
    expect([realized, yesCost, noCost]).toEqual([1_200_000 - 288_000, 23_200_000, 0]);
    ledger.resolve(MARKET, YES_WINS);
    expect(ledger.market(MARKET).realized).toBe(912_000);
    ledger.claim(MARKET);
    expect(ledger.market(MARKET).realized).toBe(912_000 + 16_800_000);
  });

  it('owes a commission of 885,600 at 5 %, counted among the fees', () => {
    const ledger = modelsExample();
    ledger.resolve(MARKET, YES_WINS);
    const due = commission(500, ledger.winnings(MARKET));
    expect([ledger.winnings(MARKET), due]).toEqual([17_712_000, 885_600]);
    ledger.bookCommission(MARKET, due);
    ledger.claim(MARKET);
    expect(ledger.winnings(MARKET)).toBe(17_712_000);
    expect(ledger.pnlSplit().feesMicros).toBe(-288_000 - 885_600);
    expect(ledger.pnl()).toMatchObject({ feesMicros: -288_000 - 885_600, commissionMicros: -885_600 });
    expect(ledger.pnl().totalMicros).toBe(17_712_000 - 885_600);
    expect(ledger.balance.fees).toBe(288_000 + 885_600);
  });
});

describe('cost basis', () => {
  it('removes floor(cost * q / h), and all of it with the last share', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 2, 3000));
    ledger.fill(fill('YES', 'BUY', 1, 4000));
    expect(ledger.market(MARKET).yesCost).toBe(usd(1));
    ledger.fill(fill('YES', 'SELL', 1, 4000));
    expect([ledger.market(MARKET).realized, ledger.market(MARKET).yesCost]).toEqual([66_667, 666_667]);
    ledger.fill(fill('YES', 'SELL', 2, 4000));
    expect([ledger.market(MARKET).realized, ledger.market(MARKET).yesCost]).toEqual([66_667 + 133_333, 0]);
  });

  it('books half a dollar on each side of a split pair', () => {
    const ledger = fundedLedger();
    ledger.split(MARKET, shares(0.01));
    expect([ledger.market(MARKET).yesCost, ledger.market(MARKET).noCost]).toEqual([5_000, 5_000]);
    expect(ledger.cash).toBe(usd(999.99));
  });

  it('is separate for the two outcomes', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 10, 6000));
    ledger.fill(fill('NO', 'BUY', 4, 3000));
    const { yes, no, net, yesCost, noCost } = ledger.market(MARKET);
    expect([yes, no, net, yesCost, noCost]).toEqual([shares(10), shares(4), shares(6), usd(6), usd(1.2)]);
  });
});

describe('double entry of the ledger', () => {
  it('mints against the outside for a BUY and sells to the outside for a SELL', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 100, 6000, 0.5));
    expect(ledger.balance).toEqual({ cash: usd(939.5), outside: usd(-1040), collateral: usd(100), fees: usd(0.5) });
    ledger.fill(fill('YES', 'SELL', 100, 7000));
    expect(ledger.balance).toEqual({ cash: usd(1009.5), outside: usd(-1110), collateral: usd(100), fees: usd(0.5) });
  });

  it('locks one dollar per pair in a split and frees it in a merge', () => {
    const ledger = fundedLedger();
    ledger.split(MARKET, shares(50));
    expect([ledger.cash, ledger.balance.collateral, ledger.equity]).toEqual([usd(950), usd(50), usd(1000)]);
    ledger.merge(MARKET, shares(50));
    expect([ledger.cash, ledger.balance.collateral, ledger.equity]).toEqual([usd(1000), 0, usd(1000)]);
  });

  it('can report in advance whether a sale exceeds the held shares of a market', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 10, 6000));
    const canRemove = (market: number, outcome: Outcome, count: number) =>
      ledger.canRemove(unchecked.market(market), outcome, shares(count));
    expect([canRemove(0, 'YES', 10), canRemove(0, 'YES', 10.01), canRemove(0, 'NO', 0.01)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([canRemove(1, 'YES', 0), canRemove(1, 'YES', 0.01)]).toEqual([true, false]);
  });

  it('throws when a sale or merge exceeds the held shares', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 10, 6000));
    expect(() => ledger.fill(fill('NO', 'SELL', 1, 4000))).toThrow(
      'Invariant: cannot subtract 1000000 micro-shares from 0',
    );
    expect(() => ledger.merge(MARKET, shares(1))).toThrow('Invariant');
  });

  it('counts no deposit as profit', () => {
    const ledger = fundedLedger();
    ledger.deposit(usd(-300));
    expect([ledger.deposited, ledger.cash, ledger.pnl().totalMicros]).toEqual([usd(700), usd(700), 0]);
  });

  it('counts rewards as a separate part of the profit', () => {
    const ledger = fundedLedger();
    ledger.bookReward(MARKET, usd(3));
    expect(ledger.pnl()).toMatchObject({ totalMicros: usd(3), realizedMicros: usd(3) });
    expect(ledger.pnlSplit().rewardsMicros).toBe(usd(3));
  });
});

describe('P&L by mark', () => {
  it('is available for one market or all', () => {
    const ledger = fundedLedger();
    const other = unchecked.market(3);
    ledger.mark(MARKET, mid(12_000));
    ledger.fill(fill('YES', 'BUY', 100, 5900));
    ledger.mark(other, mid(8_000));
    ledger.fill({ ...fill('YES', 'BUY', 10, 4000), market: other });
    ledger.mark(other, mid(10_000));
    expect(ledger.pnlSplit(MARKET)).toMatchObject({ spreadMicros: usd(1), inventoryMicros: 0 });
    expect(ledger.pnlSplit(other)).toMatchObject({ spreadMicros: 0, inventoryMicros: usd(1) });
    expect(ledger.pnlSplit()).toMatchObject({ spreadMicros: usd(1), inventoryMicros: usd(1) });
  });
});

describe('equity', () => {
  it('values holdings at the mark, half a micro-USD rounded down', () => {
    const ledger = fundedLedger();
    ledger.mark(MARKET, mid(12_001));
    ledger.fill(fill('YES', 'BUY', 0.01, 6000));
    expect([ledger.equity, ledger.pnl().totalMicros]).toEqual([1_000_000_000, 0]);
    expect(ledger.pnlSplit().spreadMicros).toBe(0);
    ledger.mark(MARKET, mid(11_999));
    expect(ledger.equity).toBe(999_999_999);
    expect(ledger.pnlSplit()).toMatchObject({ spreadMicros: 0, inventoryMicros: -1, roundingMicros: 0 });
  });

  it('uses the price of a fill before the first mark', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 100, 6000));
    expect(ledger.pnl().totalMicros).toBe(0);
    ledger.fill(fill('YES', 'BUY', 100, 5000));
    expect(ledger.pnlSplit()).toMatchObject({ spreadMicros: 0, inventoryMicros: usd(-10) });
    ledger.mark(MARKET, mid(12_000));
    expect(ledger.pnlSplit()).toMatchObject({ spreadMicros: 0, inventoryMicros: usd(10) });
  });

  it('does not change with split and merge at any mark', () => {
    const ledger = fundedLedger();
    ledger.split(MARKET, shares(7));
    ledger.mark(MARKET, mid(3_333));
    ledger.merge(MARKET, shares(3));
    ledger.mark(MARKET, mid(19_998));
    expect([ledger.equity, ledger.market(MARKET).net]).toEqual([usd(1000), 0]);
  });
});

describe('the ledger at the limit of exact numbers', () => {
  it('throws instead of rounding when sums exceed 2^53', () => {
    const ledger = new Ledger();
    const huge: LedgerFill = { ...fill('YES', 'BUY', 0, 9000), shares: shares(4_000_000_000) };
    ledger.fill(huge);
    expect(() => ledger.fill(huge)).toThrow('Invariant');
    const far = priceBps(1);
    expect(() => new Ledger().fill({ ...huge, price: far, shares: shares(5_000_000_000) })).toThrow(
      'Invariant: a position of 500000000000 lots is not exact',
    );
  });
});
