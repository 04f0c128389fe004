import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microShares, parseShares, priceBps, type Quote } from '../../../src/domain/index.ts';
import {
  jumpLine,
  regimeQuotes,
  sizeFactor,
  tickAt,
  widened,
  widthMultiplier,
} from '../../../strategies/event-regime/adjust-quotes.ts';
import { eventRegimeParams } from '../../../strategies/event-regime/params.ts';
import { runs } from '../../runs.ts';
import { marketView } from '../../strategy/market-view.ts';

const DEFAULTS = eventRegimeParams.parse({});
const quote = (side: Quote['side'], price: number, shares = 100): Quote => ({
  side,
  price: priceBps(price),
  shares: parseShares('size', shares),
});
const quoteTexts = (quotes: readonly Quote[]) =>
  quotes.map(({ side, price, shares }) => `${side} ${price} x ${shares / 1_000_000}`);
const PAIR = [quote('bid', 5_770), quote('ask', 6_180)];
const CALM = { multiplier: 1, left: Number.POSITIVE_INFINITY };

describe('the jump threshold', () => {
  it('is the larger of jump_ticks and jump_sigmas over the window', () => {
    expect(jumpLine(DEFAULTS, 10, 6.892)).toBe(50);
    expect(jumpLine({ ...DEFAULTS, jump_window: 10 }, 10, 6.892)).toBeCloseTo(87.1777, 4);
  });

  it('uses price steps while volatility is unknown, and is infinite with both off', () => {
    expect(jumpLine({ ...DEFAULTS, jump_window: 10 }, 10, undefined)).toBe(50);
    expect(jumpLine({ ...DEFAULTS, jump_ticks: 0 }, 10, undefined)).toBe(Number.POSITIVE_INFINITY);
    expect(jumpLine({ ...DEFAULTS, jump_ticks: 0, jump_sigmas: 0 }, 10, 6.892)).toBe(Number.POSITIVE_INFINITY);
  });

  it('uses the price step at the mid if prices are a list', () => {
    const prices = [5_000, 5_025, 5_100].map(priceBps);
    const list = { type: 'list', bids: prices, asks: prices } as const;
    expect(tickAt({ type: 'tick', tickBps: 10 }, 6_003)).toBe(10);
    expect([5_000, 5_024, 5_025, 5_060].map((price) => tickAt(list, price))).toEqual([25, 25, 75, 75]);
  });
});

describe('the width of quotes', () => {
  const fast = Math.sqrt(77.2301);
  const slow = Math.sqrt(48.0242);

  it('grows with the ratio of fast to slow volatility, and after a pull', () => {
    expect(widthMultiplier(DEFAULTS, { fast, slow, sincePull: Number.POSITIVE_INFINITY })).toBeCloseTo(1.26813, 5);
    expect(widthMultiplier(DEFAULTS, { fast, slow, sincePull: 15 })).toBeCloseTo(1.90219, 5);
    expect(widthMultiplier(DEFAULTS, { fast, slow, sincePull: 30 })).toBeCloseTo(1.26813, 5);
  });

  it('stays between 1 and the largest multiplier, and is 1 while volatility is unknown', () => {
    const sincePull = Number.POSITIVE_INFINITY;
    expect(widthMultiplier(DEFAULTS, { fast: 1, slow: 2, sincePull })).toBe(1);
    expect(widthMultiplier(DEFAULTS, { fast: 100, slow: 2, sincePull })).toBe(3);
    expect(widthMultiplier(DEFAULTS, { fast: undefined, slow: undefined, sincePull })).toBe(1);
    expect(widthMultiplier(DEFAULTS, { fast: 0, slow: 0, sincePull })).toBe(1);
  });

  it('moves quotes away from their own middle, rounded outward', () => {
    const prices = widened(PAIR, 1.90219, 6_000).map(({ price }) => price);
    expect(prices[0]).toBeCloseTo(5585.05, 2);
    expect(prices[1]).toBeCloseTo(6364.95, 2);
    const market = marketView();
    const quotes = regimeQuotes(DEFAULTS, market, PAIR, { ...CALM, multiplier: 1.90219 });
    expect(quoteTexts(quotes)).toEqual(['bid 5580 x 100', 'ask 6370 x 100']);
  });

  it('moves quotes on one side alone away from the mid', () => {
    const quotes = regimeQuotes(DEFAULTS, marketView(), [quote('bid', 5_900)], { ...CALM, multiplier: 2 });
    expect(quoteTexts(quotes)).toEqual(['bid 5800 x 100']);
  });
});

describe('quotes before resolution', () => {
  it.each([
    [3_600, 100],
    [1_800, 40],
    [700, 3.33],
    [600, 0],
  ])('%i seconds before resolution have %f of 100 shares', (left, expected) => {
    const quotes = regimeQuotes(DEFAULTS, marketView(), [quote('bid', 5_700)], { ...CALM, left });
    expect(quotes.reduce((sum, { shares }) => sum + shares, 0)).toBe(expected * 1_000_000);
    expect(sizeFactor(DEFAULTS, left)).toBeCloseTo(expected / 100, 3);
  });

  it('only reduce the position within the reduce-only window', () => {
    const levels = [quote('bid', 5_700), quote('ask', 6_300), quote('ask', 6_200, 20)];
    const long = marketView({ yes: 50 });
    expect(quoteTexts(regimeQuotes(DEFAULTS, long, levels, { ...CALM, left: 600 }))).toEqual([
      'ask 6200 x 20',
      'ask 6300 x 30',
    ]);
    const short = marketView({ no: 50 });
    expect(quoteTexts(regimeQuotes(DEFAULTS, short, levels, { ...CALM, left: 61 }))).toEqual(['bid 5700 x 50']);
    expect(regimeQuotes(DEFAULTS, long, levels, { ...CALM, left: 60 })).toEqual([]);
  });

  it('are the same list when nothing changes', () => {
    expect(regimeQuotes(DEFAULTS, marketView(), PAIR, CALM)).toBe(PAIR);
    expect(regimeQuotes(DEFAULTS, marketView(), PAIR, { ...CALM, left: 3_600 })).toBe(PAIR);
    const disabled = { ...DEFAULTS, taper_window: 0, reduce_only_window: 0, halt_window: 0 };
    expect(regimeQuotes(disabled, marketView(), PAIR, { ...CALM, left: 1 })).toBe(PAIR);
  });
});

describe('any regime', () => {
  const level = (side: Quote['side'], min: number, max: number) =>
    fc
      .record({ price: fc.integer({ min: min / 10, max: max / 10 }), lots: fc.integer({ min: 100, max: 50_000 }) })
      .map(({ price, lots }): Quote => ({ side, price: priceBps(price * 10), shares: microShares(lots * 10_000) }));
  const bids = fc.array(level('bid', 10, 6_190), { maxLength: 4 });
  const asks = fc.array(level('ask', 5_810, 9_990), { maxLength: 4 });
  const total = (quotes: readonly Quote[], side: Quote['side']) =>
    quotes.reduce((sum, quote) => sum + (quote.side === side ? quote.shares : 0), 0);

  it('does not cross or improve quotes, and only reduces the position near resolution', () => {
    fc.assert(
      fc.property(
        bids,
        asks,
        fc.double({ min: 1, max: 50, noNaN: true }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: -300, max: 300 }),
        (below, above, multiplier, left, net) => {
          const market = marketView({ yes: Math.max(net, 0), no: Math.max(-net, 0) });
          const inner = [...below, ...above];
          const quotes = regimeQuotes(DEFAULTS, market, inner, { multiplier, left });
          for (const side of ['bid', 'ask'] as const)
            expect(total(quotes, side)).toBeLessThanOrEqual(total(inner, side));
          for (const { side, price } of quotes) {
            const prices = (side === 'bid' ? below : above).map((quote) => quote.price);
            if (side === 'bid') expect(price).toBeLessThanOrEqual(Math.min(6_190, Math.max(...prices)));
            else expect(price).toBeGreaterThanOrEqual(Math.max(5_810, Math.min(...prices)));
          }
          if (left > DEFAULTS.reduce_only_window) return;
          expect(total(quotes, 'bid')).toBeLessThanOrEqual(Math.max(0, -net * 1_000_000));
          expect(total(quotes, 'ask')).toBeLessThanOrEqual(Math.max(0, net * 1_000_000));
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
