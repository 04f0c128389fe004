import { describe, expect, it } from 'vitest';
import { instanceNo, microShares, microUsd, SHARE, unchecked } from '../../../src/domain/index.ts';
import { noFees, takerFees, withCommission } from '../../../src/venues/sim/fees.ts';
import { Harness, harnessWithBook } from './harness.ts';

const MARKET = unchecked.market(0);

function convert(sim: Harness, type: 'split' | 'merge' | 'claim', shares = 0): void {
  sim.command({ type, bot: instanceNo(3), market: MARKET, shares: microShares(shares * SHARE) });
}

describe('a conversion', () => {
  it('is refused for the first failed check', () => {
    const sim = harnessWithBook({ capital: 10 });
    convert(sim, 'claim');
    convert(sim, 'split', 11);
    convert(sim, 'split', 0);
    convert(sim, 'merge', 1);
    convert(sim, 'split', 10);
    sim.place('sell yes 6 @ 6200');
    convert(sim, 'merge', 5);
    convert(sim, 'merge', 4);
    sim.command({ type: 'split', bot: instanceNo(3), market: unchecked.market(9), shares: microShares(SHARE) });
    sim.message('end');
    convert(sim, 'split', 1);
    convert(sim, 'merge', 1);
    sim.message('pays 10000');
    convert(sim, 'merge', 1);
    expect(sim.events()).toEqual([
      'claim refused CONFLICT',
      'split refused INSUFFICIENT_BALANCE',
      'split refused INVALID_LOT',
      'merge refused INSUFFICIENT_SHARES',
      'split -10000000 fee 0',
      '#1 accepted',
      'merge refused INSUFFICIENT_SHARES',
      'merge 4000000 fee 0',
      'split refused NOT_FOUND',
      '#1 closed MARKET_NOT_OPEN',
      'split refused MARKET_NOT_OPEN',
      'merge 1000000 fee 0',
      'merge refused MARKET_NOT_OPEN',
    ]);
  });

  it('adds up exactly with fills, marks, a fee and a claim, as in docs/spec/models.md#profit-and-loss', () => {
    const sim = new Harness({ fees: takerFees(200), capital: 1_000 });
    sim.message('bid 5900 500', 'ask 6100 500');
    sim.place('bid 100 @ 5800');
    sim.message('sell 100 @ 5790');
    sim.message('bid 5900 0', 'bid 5800 500', 'ask 6100 0', 'ask 6000 500');
    // The book is one-sided, so the mark stays at 11800.
    sim.message('ask 6000 0', 'bid 6000 60');
    sim.place('ask 60 @ 6000', { timeInForce: 'FAK' });
    convert(sim, 'merge', 60);
    sim.message('bid 6900 10', 'ask 7100 10');
    sim.message('pays 10000');
    convert(sim, 'claim');
    expect(sim.engine.ledger.pnlSplit(MARKET)).toMatchObject({
      spreadMicros: 2_600_000,
      inventoryMicros: 3_400_000,
      settlementMicros: 12_000_000,
      feesMicros: -288_000,
      roundingMicros: 0,
    });
    expect(sim.engine.ledger.pnl()).toMatchObject({ totalMicros: 17_712_000, settlementMicros: 16_800_000 });
    expect(sim.engine.ledger.cash).toBe(1_017_712_000);
  });
});

describe('the resolution of a market', () => {
  it('cancels own orders and pays winnings once, on the first claim', () => {
    const sim = harnessWithBook({ capital: 58 });
    sim.place('bid 100 @ 5800');
    sim.message('sell 60 @ 5790');
    sim.message('pays 10000');
    expect(sim.engine.ledger.cash).toBe(23_200_000);
    convert(sim, 'claim');
    convert(sim, 'claim');
    expect(sim.events()).toEqual([
      '#1 accepted',
      '#1 filled 60 @ 5800',
      '#1 closed MARKET_NOT_OPEN',
      'claim 60000000 fee 0',
      'claim 0 fee 0',
    ]);
    expect(sim.engine.ledger.cash).toBe(83_200_000);
  });

  it.each([
    ['pays 0', 0],
    ['pays 5000', 30_000_000],
    ['void', 34_800_000],
  ])('with the row "%s" pays 60 YES, bought at 58 cents, %d micro-USD', (row, paid) => {
    const sim = harnessWithBook({ capital: 58 });
    sim.place('bid 60 @ 5800');
    sim.message('sell 60 @ 5790');
    sim.message(row);
    convert(sim, 'claim');
    expect(sim.events().at(-1)).toBe(`claim ${paid} fee 0`);
  });

  it('is final, so a later status does not reopen the market', () => {
    const sim = harnessWithBook();
    sim.message('pays 0');
    sim.message('open');
    sim.place('bid 10 @ 5800');
    expect(sim.events()).toEqual(['#1 rejected MARKET_NOT_OPEN']);
  });

  it('ends the marks', () => {
    const marks: number[] = [];
    const sim = harnessWithBook({ observer: { onMark: (_market, _time, mark) => marks.push(mark) } });
    sim.message('pays 0', 'bid 5900 10');
    expect(marks).toEqual([12_000]);
  });
});

describe('a commission (docs/spec/models.md#fees-commission-rewards)', () => {
  const fees = withCommission(noFees(), 500);

  it('is deducted from the first claim only', () => {
    const sim = harnessWithBook({ fees, capital: 58 });
    sim.place('bid 100 @ 5800');
    sim.message('sell 100 @ 5790');
    sim.message('pays 10000');
    convert(sim, 'claim');
    convert(sim, 'claim');
    expect(sim.events().slice(2)).toEqual(['claim 97900000 fee 2100000', 'claim 0 fee 0']);
    expect(sim.engine.ledger.pnlSplit(MARKET).feesMicros).toBe(-2_100_000);
  });

  it('is not due on a loss or a refund', () => {
    for (const row of ['pays 0', 'void']) {
      const sim = harnessWithBook({ fees, capital: 58 });
      sim.place('bid 100 @ 5800');
      sim.message('sell 100 @ 5790');
      sim.message(row);
      convert(sim, 'claim');
      expect(sim.events().at(-1)).toMatch(/fee 0$/);
    }
  });

  it('is charged without a claim when nothing is left to claim, once the bot knows the resolution', () => {
    const sim = harnessWithBook({ fees, capital: 100 });
    sim.place('bid 100 @ 5800');
    sim.message('sell 100 @ 5790');
    sim.message('bid 6300 100', 'ask 6200 0');
    sim.place('sell yes 100 @ 6300', { timeInForce: 'FAK' });
    sim.events();
    sim.message('pays 0');
    expect(sim.reported).toEqual([
      {
        type: 'converted',
        conversion: 'claim',
        bot: 3,
        market: 0,
        shares: 0,
        paid: -250_000,
        fee: 250_000,
        venueTime: sim.time,
        // A response takes 40 ms, but the message about the resolution takes 50.
        time: sim.time + 50,
      },
    ]);
    sim.events();
    convert(sim, 'claim');
    expect(sim.events()).toEqual(['claim 0 fee 0']);
    expect(sim.engine.ledger.cash).toBe(microUsd(100_000_000 + 5_000_000 - 250_000));
  });
});
