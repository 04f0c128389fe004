import { describe, expect, it } from 'vitest';
import { DOLLAR, microUsd, type PriceGrid, priceBps } from '../../../src/domain/index.ts';
import { movedToBest, priceAtDepth } from '../../../strategies/ladder/best-price.ts';
import { ladderLevels, priceBases } from '../../../strategies/ladder/levels.ts';
import { ladderParams } from '../../../strategies/ladder/params.ts';
import { levelsOf } from '../../../strategies/ladder/strategy.ts';
import { type MarketSpec, marketView } from '../../strategy/market-view.ts';

function params(change: Record<string, unknown> = {}) {
  return ladderParams.parse({ bid_spread: 60, ask_spread: 60, order_amount: 100, max_position: 1_000, ...change });
}

/** Quotes around mid 5950 with optimization. Without it they are at 5890 and 6010. */
function optimizedQuotes(spec: MarketSpec, change: Record<string, unknown> = {}): readonly string[] {
  const options = params({ order_optimization_enabled: true, ...change });
  const levels = ladderLevels(options, { bid: 5_950, ask: 5_950 }, 0);
  return movedToBest(options, levels, marketView(spec)).map(({ side, price }) => `${side} ${price}`);
}

const BOOK: MarketSpec = {
  bids: [
    [5_860, 5],
    [5_850, 40],
  ],
  asks: [
    [6_040, 5],
    [6_050, 40],
  ],
};

describe('order optimization of the ladder', () => {
  it('moves the best bid to one step above the outside price of its depth, and asks mirrored', () => {
    expect(optimizedQuotes(BOOK)).toEqual(['bid 5870', 'ask 6030']);
    expect(optimizedQuotes(BOOK, { bid_order_optimization_depth: 10 })).toEqual(['bid 5860', 'ask 6030']);
    expect(optimizedQuotes(BOOK, { ask_order_optimization_depth: 10 })).toEqual(['bid 5870', 'ask 6040']);
  });

  it('moves all levels of a side alike', () => {
    expect(optimizedQuotes(BOOK, { order_levels: 2, order_level_spread: 20 })).toEqual([
      'bid 5870',
      'bid 5850',
      'ask 6030',
      'ask 6050',
    ]);
  });

  it('never moves a quote towards the mid', () => {
    expect(optimizedQuotes({ bids: [[5_900, 5]], asks: [[6_000, 5]] })).toEqual(['bid 5890', 'ask 6010']);
  });

  it('does nothing unless it is enabled', () => {
    const quotesOf = (order_optimization_enabled: boolean) =>
      levelsOf(params({ order_optimization_enabled }), marketView(BOOK)).map(({ side, price }) => `${side} ${price}`);
    expect(quotesOf(false)).toEqual(['bid 5890', 'ask 6010']);
    expect(quotesOf(true)).not.toEqual(quotesOf(false));
  });

  it('uses the last outside price when the book is not as deep', () => {
    expect(priceAtDepth(marketView(BOOK).book, 'bid', 1_000)).toBe(5_850);
    expect(priceAtDepth(marketView({ bids: [] }).book, 'bid', 0)).toBeUndefined();
    expect(optimizedQuotes({ bids: [], asks: [] })).toEqual(['bid 5890', 'ask 6010']);
  });

  it('uses the next price if prices are a list', () => {
    const list = (...prices: number[]) => prices.map(priceBps);
    const grid: PriceGrid = { type: 'list', bids: list(5_800, 5_860, 5_875), asks: list(6_025, 6_040, 6_100) };
    expect(optimizedQuotes({ ...BOOK, grid })).toEqual(['bid 5875', 'ask 6025']);
  });
});

describe('price_type of the ladder', () => {
  const guarded = params({ price_type: 'inventory_cost' });
  const positionOf = (spec: MarketSpec, costs: { yes?: number; no?: number }) => ({
    ...marketView(spec).position,
    yesCost: microUsd((costs.yes ?? 0) * DOLLAR),
    noCost: microUsd((costs.no ?? 0) * DOLLAR),
  });

  it('asks at least the average cost of a long position', () => {
    const bases = priceBases(guarded, 6_000, positionOf({ yes: 100 }, { yes: 61 }));
    expect(ladderLevels(guarded, bases, 0).map(({ price }) => price)).toEqual([5_940, 6_160]);
    expect(priceBases(guarded, 6_000, positionOf({ yes: 100 }, { yes: 55 }))).toEqual({ bid: 6_000, ask: 6_000 });
  });

  it('bids at most 10000 less the average cost of a short position', () => {
    const bases = priceBases(guarded, 6_000, positionOf({ no: 100 }, { no: 41 }));
    expect(ladderLevels(guarded, bases, 0).map(({ price }) => price)).toEqual([5_840, 6_060]);
  });

  it('uses the mid by default and without a position', () => {
    expect(priceBases(guarded, 6_000, positionOf({}, {}))).toEqual({ bid: 6_000, ask: 6_000 });
    expect(priceBases(params(), 6_000, positionOf({ yes: 100 }, { yes: 61 }))).toEqual({ bid: 6_000, ask: 6_000 });
  });
});
