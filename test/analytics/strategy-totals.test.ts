import { describe, expect, it } from 'vitest';
import { StrategyTotals } from '../../src/analytics/index.ts';
import { doubled, microShares, microUsd, type OrderFilled, priceBps, unchecked } from '../../src/domain/index.ts';

type FillTerms = Pick<OrderFilled, 'outcome' | 'side'> & {
  price: number;
  shares: number;
  fee?: number;
  market?: number;
};

function makeFill({
  outcome,
  side,
  price,
  shares,
  fee = 0,
  market = 0,
}: FillTerms): Parameters<StrategyTotals['addFill']>[1] {
  return {
    type: 'orderFilled',
    market: unchecked.market(market),
    outcome,
    side,
    price: priceBps(price),
    shares: microShares(shares * 1e6),
    fee: microUsd(fee),
    liquidity: fee === 0 ? 'maker' : 'taker',
  };
}

const markedAt = (bps: number) => () => ({ mark: doubled(priceBps(bps)), settlement: undefined });
const settledAt = (settlement: number | 'CANCELLED') => () => ({ mark: undefined, settlement });

describe('StrategyTotals', () => {
  it('values the trades of each strategy at the mark, less its fees', () => {
    const totals = new StrategyTotals();
    totals.addFill('a', makeFill({ outcome: 'YES', side: 'BUY', price: 4_000, shares: 10 }));
    totals.addFill('a', makeFill({ outcome: 'YES', side: 'SELL', price: 5_000, shares: 4, fee: 20_000 }));
    totals.addFill('b', makeFill({ outcome: 'NO', side: 'BUY', price: 5_500, shares: 10 }));
    expect(totals.results(['b', 'idle'], markedAt(4_600))).toEqual([
      { name: 'b', fills: 1, makerFills: 1, shares: 10e6, feesMicros: 0, pnlMicros: -100_000 },
      { name: 'idle', fills: 0, makerFills: 0, shares: 0, feesMicros: 0, pnlMicros: 0 },
      { name: 'a', fills: 2, makerFills: 1, shares: 14e6, feesMicros: -20_000, pnlMicros: 740_000 },
    ]);
  });

  it('values a final market at its payout, and a cancelled one at zero', () => {
    const totals = new StrategyTotals();
    totals.addFill('a', makeFill({ outcome: 'NO', side: 'BUY', price: 3_000, shares: 1, fee: 5 }));
    const pnl = (value: Parameters<StrategyTotals['results']>[1]) => totals.results([], value)[0]?.pnlMicros;
    expect([pnl(settledAt(0)), pnl(settledAt(10_000)), pnl(settledAt('CANCELLED'))]).toEqual([699_995, -300_005, 0]);
  });

  it('counts nothing for a market without a mark', () => {
    const totals = new StrategyTotals();
    totals.addFill('a', makeFill({ outcome: 'YES', side: 'BUY', price: 3_000, shares: 1 }));
    expect(totals.results([], () => ({ mark: undefined, settlement: undefined }))[0]?.pnlMicros).toBe(0);
  });

  it('subtracts a reversed fill completely', () => {
    const totals = new StrategyTotals();
    const valid = makeFill({ outcome: 'YES', side: 'BUY', price: 3_000, shares: 1 });
    const reversed = makeFill({ outcome: 'NO', side: 'SELL', price: 6_000, shares: 2, fee: 7 });
    totals.addFill('a', valid);
    const before = totals.snapshot();
    totals.addFill('a', reversed);
    expect(totals.results([], markedAt(4_000))[0]).toMatchObject({ fills: 2, feesMicros: -7, pnlMicros: 99_993 });
    totals.addFill('a', { ...reversed, type: 'fillReversed' });
    expect(totals.snapshot()).toEqual(before);
  });

  it('continues from its snapshot', () => {
    const first = new StrategyTotals();
    first.addFill('a', makeFill({ outcome: 'YES', side: 'BUY', price: 3_000, shares: 1 }));
    const restored = new StrategyTotals(JSON.parse(JSON.stringify(first.snapshot())));
    for (const totals of [first, restored])
      totals.addFill('a', makeFill({ outcome: 'YES', side: 'BUY', price: 3_000, shares: 1, market: 2 }));
    expect(restored.results([], markedAt(4_000))).toEqual(first.results([], markedAt(4_000)));
    expect(restored.results([], markedAt(4_000))[0]?.pnlMicros).toBe(200_000);
  });
});
