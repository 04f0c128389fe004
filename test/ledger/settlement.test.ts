import { describe, expect, it } from 'vitest';
import { payoutBps, refunds } from '../../src/domain/index.ts';
import type { Settlement } from '../../src/ledger/index.ts';
import { fill, fundedLedger, MARKET, mid, shares, usd } from './fills.ts';

const YES_WINS = payoutBps(10_000);
const NO_WINS = payoutBps(0);
const EVEN = payoutBps(5_000);

describe('settlement', () => {
  const cases: readonly [string, Settlement, number][] = [
    ['YES', YES_WINS, 100],
    ['NO', NO_WINS, 30],
    ['50/50', EVEN, 65],
  ];
  it.each(cases)('pays %s exactly once, and the claim does not change equity', (_, settlement, dollars) => {
    const ledger = fundedLedger();
    ledger.mark(MARKET, mid(12_345));
    ledger.fill(fill('YES', 'BUY', 100, 6000, 0.25));
    ledger.fill(fill('NO', 'BUY', 30, 3500));
    const cash = ledger.cash;
    ledger.resolve(MARKET, settlement);
    const equity = ledger.equity;
    expect([ledger.market(MARKET).owed, ledger.balance.collateral]).toEqual([usd(dollars), usd(dollars)]);
    expect([ledger.claim(MARKET), ledger.claim(MARKET)]).toEqual([usd(dollars), 0]);
    expect([ledger.cash - cash, ledger.equity, ledger.balance.collateral]).toEqual([usd(dollars), equity, 0]);
    const { yes, no, yesCost, noCost, realized } = ledger.market(MARKET);
    expect([yes, no, yesCost, noCost, realized]).toEqual([0, 0, 0, 0, ledger.pnl().totalMicros]);
  });

  it('refuses a claim before the end, another end, and a wrong payout', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 100, 6000));
    expect(() => ledger.claim(MARKET)).toThrow('Invariant: market 0 is not final');
    expect(() => ledger.winnings(MARKET)).toThrow('Invariant: market 0 is not final');
    ledger.resolve(MARKET, YES_WINS);
    expect(() => ledger.resolve(MARKET, NO_WINS)).toThrow('Invariant: a market settled as 10000 cannot');
    expect(() => ledger.claim(MARKET, usd(99))).toThrow('Invariant: a claim of market 0 paid 99000000');
    expect(ledger.claim(MARKET, usd(100))).toBe(usd(100));
  });

  it('ignores marks after the end', () => {
    const ledger = fundedLedger();
    ledger.mark(MARKET, mid(12_000));
    ledger.fill(fill('YES', 'BUY', 100, 6000));
    ledger.resolve(MARKET, NO_WINS);
    const split = ledger.pnlSplit();
    ledger.mark(MARKET, mid(18_000));
    expect([ledger.equity, ledger.pnlSplit()]).toEqual([usd(940), split]);
  });

  it('counts a fill that arrives after the end, even after the claim, as if it had arrived earlier', () => {
    const early = fundedLedger();
    early.mark(MARKET, mid(12_000));
    early.fill(fill('YES', 'BUY', 100, 6000));
    early.fill(fill('NO', 'BUY', 50, 4100, 0.1));
    early.mark(MARKET, mid(13_000));
    early.resolve(MARKET, NO_WINS);
    early.claim(MARKET);

    const late = fundedLedger();
    late.mark(MARKET, mid(12_000));
    late.fill(fill('YES', 'BUY', 100, 6000));
    late.mark(MARKET, mid(13_000));
    late.resolve(MARKET, NO_WINS);
    expect(late.claim(MARKET)).toBe(0);
    late.fill(fill('NO', 'BUY', 50, 4100, 0.1), mid(12_000));
    expect(late.claim(MARKET)).toBe(usd(50));

    expect(late.balance).toEqual(early.balance);
    expect(late.pnlSplit()).toEqual(early.pnlSplit());
    expect(late.pnl()).toEqual(early.pnl());
  });
});

describe('cancellation of a market', () => {
  it('refunds the net payments and the fees', () => {
    const ledger = fundedLedger();
    ledger.mark(MARKET, mid(12_000));
    ledger.fill(fill('YES', 'BUY', 100, 6000, 0.5));
    ledger.fill(fill('YES', 'SELL', 40, 7000, 0.25));
    ledger.resolve(MARKET, 'CANCELLED');
    const { yes, no, owed } = ledger.market(MARKET);
    expect([yes, no, owed]).toEqual([0, 0, usd(32.75)]);
    expect(ledger.balance).toMatchObject({ collateral: usd(32.75), fees: 0 });
    expect(ledger.equity).toBe(usd(1000));
    expect(ledger.claim(MARKET)).toBe(usd(32.75));
    expect(ledger.pnl()).toMatchObject({ totalMicros: 0, realizedMicros: 0, feesMicros: 0 });
    const { settlementMicros, spreadMicros } = ledger.pnlSplit();
    expect(settlementMicros + spreadMicros).toBe(0);
  });

  it('ignores marks after the end', () => {
    const ledger = fundedLedger();
    ledger.mark(MARKET, mid(12_000));
    ledger.fill(fill('YES', 'BUY', 100, 5900));
    ledger.resolve(MARKET, 'CANCELLED');
    const split = ledger.pnlSplit();
    expect(split).toMatchObject({ spreadMicros: usd(1), inventoryMicros: 0, settlementMicros: usd(-1) });
    ledger.mark(MARKET, mid(18_000));
    expect([ledger.equity, ledger.pnlSplit()]).toEqual([usd(1000), split]);
  });

  it('refunds only fees to an account that received more than it paid', () => {
    const ledger = fundedLedger();
    ledger.split(MARKET, shares(100));
    ledger.fill(fill('YES', 'SELL', 100, 8000, 0.3));
    ledger.fill(fill('NO', 'SELL', 100, 5000));
    ledger.resolve(MARKET, 'CANCELLED');
    expect([ledger.claim(MARKET), ledger.pnl().totalMicros]).toEqual([usd(0.3), usd(30)]);
  });

  it('counts held shares as lost without a claim when nothing is refunded', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 10, 4000));
    ledger.fill(fill('YES', 'SELL', 5, 9000));
    ledger.resolve(MARKET, 'CANCELLED');
    const pnl = { totalMicros: usd(0.5), realizedMicros: usd(0.5), unrealizedMicros: 0, settlementMicros: usd(-2) };
    expect([ledger.market(MARKET).owed, ledger.pnl()]).toEqual([0, expect.objectContaining(pnl)]);
  });

  it('follows the refund rule for one account against the outside', () => {
    const [mine, outside] = refunds(usd(100), [usd(60), usd(40)]);
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 100, 6000));
    ledger.resolve(MARKET, 'CANCELLED');
    expect([ledger.claim(MARKET), ledger.balance.outside]).toEqual([mine, usd(-1040) + (outside ?? 0)]);
  });

  it('accepts the amount of a venue whose other accounts share the collateral differently', () => {
    const ledger = fundedLedger();
    ledger.mark(MARKET, mid(12_000));
    ledger.fill(fill('YES', 'BUY', 100, 6000, 1));
    ledger.resolve(MARKET, 'CANCELLED');
    expect(ledger.claim(MARKET, usd(41))).toBe(usd(41));
    expect([ledger.cash, ledger.equity]).toEqual([usd(980), usd(980)]);
    expect(ledger.pnlSplit()).toMatchObject({ settlementMicros: usd(-20), feesMicros: 0 });
    expect(ledger.pnl()).toMatchObject({ realizedMicros: usd(-20), settlementMicros: usd(-20) });
  });

  it('does not return the commission', () => {
    const ledger = fundedLedger();
    ledger.fill(fill('YES', 'BUY', 100, 6000));
    ledger.resolve(MARKET, 'CANCELLED');
    ledger.bookCommission(MARKET, usd(2));
    ledger.fill(fill('NO', 'BUY', 10, 3000, 0.1));
    expect([ledger.market(MARKET).owed, ledger.pnl().totalMicros]).toEqual([usd(63.1), usd(-2)]);
  });

  it('recalculates with a late fill until the refund is claimed', () => {
    const ledger = fundedLedger();
    ledger.mark(MARKET, mid(12_000));
    ledger.fill(fill('YES', 'BUY', 100, 6000));
    ledger.resolve(MARKET, 'CANCELLED');
    ledger.fill(fill('NO', 'BUY', 10, 3000, 0.1));
    expect(ledger.claim(MARKET)).toBe(usd(63.1));
    expect(ledger.pnl().totalMicros).toBe(0);
    expect(() => ledger.fill(fill('NO', 'BUY', 10, 3000))).toThrow('Invariant: a trade of a cancelled market');
  });
});
