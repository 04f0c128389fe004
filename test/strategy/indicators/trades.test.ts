import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, parseShares, priceBps } from '../../../src/domain/index.ts';
import { Bars, TradeIntensity, Vwap } from '../../../src/strategy/index.ts';

function trade(time: number, price: number, shares: number, taker: 'BUY' | 'SELL' | 'unknown' = 'BUY') {
  return { time: epochMs(time), price: priceBps(price), shares: parseShares('shares', shares), taker };
}

const anyTrades = fc.array(
  fc.record({
    wait: fc.integer({ min: 0, max: 700 }),
    price: fc.integer({ min: 1, max: 9_999 }),
    lots: fc.integer({ min: 1, max: 100_000 }),
  }),
  { maxLength: 300 },
);

describe('trade intensity', () => {
  it('counts trades and shares a second over the window, by side', () => {
    const intensity = new TradeIntensity({ windowMs: 10_000, start: 0 });
    intensity.trade(trade(1_000, 5_000, 10, 'BUY'));
    intensity.trade(trade(12_000, 5_000, 20, 'BUY'));
    intensity.trade(trade(13_000, 5_000, 5, 'SELL'));
    intensity.trade(trade(14_000, 5_000, 5, 'unknown'));
    expect(intensity.at(20_000)).toEqual({
      tradesPerSecond: 0.3,
      buysPerSecond: 0.1,
      sellsPerSecond: 0.1,
      sharesPerSecond: 3,
    });
  });

  it('divides by the time since the start until the window is full', () => {
    const intensity = new TradeIntensity({ windowMs: 60_000, start: 100_000 });
    expect(intensity.at(100_000)).toBeUndefined();
    intensity.trade(trade(101_000, 5_000, 4));
    expect(intensity.at(102_000)?.tradesPerSecond).toBe(0.5);
  });
});

describe('the volume-weighted average price', () => {
  it('is 5150 for 300 shares at 5100 and 100 at 5300', () => {
    const vwap = new Vwap({ windowMs: 1_000 });
    expect(vwap.at(0)).toBeUndefined();
    vwap.trade(trade(0, 5_100, 300));
    vwap.trade(trade(10, 5_300, 100));
    expect(vwap.at(10)).toBe(5_150);
    expect(vwap.at(1_000)).toBe(5_300);
    expect(vwap.at(1_010)).toBeUndefined();
  });

  it('equals a sum over the trades of the window', () => {
    fc.assert(
      fc.property(anyTrades, (steps) => {
        const vwap = new Vwap({ windowMs: 5_000 });
        const history: { readonly time: number; readonly price: number; readonly lots: number }[] = [];
        let time = 0;
        for (const { wait, price, lots } of steps) {
          time += wait;
          vwap.trade(trade(time, price, lots / 100));
          history.push({ time, price, lots });
        }
        const inside = history.filter((entry) => entry.time > time - 5_000);
        const lots = inside.reduce((sum, entry) => sum + entry.lots, 0);
        const cost = inside.reduce((sum, entry) => sum + entry.lots * entry.price, 0);
        expect(vwap.at(time)).toBe(lots === 0 ? undefined : cost / lots);
      }),
    );
  });
});

describe('bars', () => {
  it('have open, high, low, close, volume and count of their interval, which starts at a multiple of its length', () => {
    const bars = new Bars({ intervalMs: 1_000 });
    expect(bars.trade(trade(10_200, 5_000, 1))).toBeUndefined();
    bars.trade(trade(10_300, 5_300, 2));
    bars.trade(trade(10_999, 4_900, 0.5));
    const closed = bars.trade(trade(13_000, 5_100, 1));
    expect(closed).toEqual({
      start: 10_000,
      open: 5_000,
      high: 5_300,
      low: 4_900,
      close: 4_900,
      volume: 3.5,
      trades: 3,
    });
    expect(bars.closed).toEqual([closed]);
    expect(bars.open?.start).toBe(13_000);
  });

  it('close by time alone, and only once', () => {
    const bars = new Bars({ intervalMs: 1_000 });
    bars.trade(trade(500, 5_000, 1));
    expect(bars.advance(999)).toBeUndefined();
    expect(bars.advance(1_000)?.start).toBe(0);
    expect(bars.advance(5_000)).toBeUndefined();
  });

  it('store at most the requested number of closed bars', () => {
    const bars = new Bars({ intervalMs: 10, most: 3 });
    for (let time = 0; time < 100; time += 10) bars.trade(trade(time, 5_000, 1));
    expect(bars.closed.map(({ start }) => start)).toEqual([60, 70, 80]);
  });

  it('add up to all trades', () => {
    fc.assert(
      fc.property(anyTrades, (steps) => {
        const bars = new Bars({ intervalMs: 1_000, most: 1_000 });
        let time = 0;
        for (const { wait, price, lots } of steps) {
          time += wait;
          bars.trade(trade(time, price, lots / 100));
        }
        const all = bars.open === undefined ? bars.closed : [...bars.closed, bars.open];
        const sum = (amountOf: (bar: (typeof all)[number]) => number): number =>
          all.reduce((total, bar) => total + amountOf(bar), 0);
        expect(sum(({ trades }) => trades)).toBe(steps.length);
        expect(Math.round(sum(({ volume }) => volume) * 100)).toBe(steps.reduce((total, { lots }) => total + lots, 0));
        for (const { low, open, close, high } of all)
          expect(low <= Math.min(open, close) && high >= Math.max(open, close)).toBe(true);
      }),
    );
  });
});
