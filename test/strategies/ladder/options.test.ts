import { describe, expect, it } from 'vitest';
import { DOLLAR, microUsd, type PriceGrid, priceBps } from '../../../src/domain/index.ts';
import { movedToBest, priceAtDepth } from '../../../strategies/ladder/best-price.ts';
import { ladderLevels, priceBases } from '../../../strategies/ladder/levels.ts';
import { ladderParams } from '../../../strategies/ladder/params.ts';
import { levelsOf } from '../../../strategies/ladder/strategy.ts';
import { type Seen, seenMarket } from '../../strategy/seen-market.ts';

function params(given: Record<string, unknown> = {}) {
  return ladderParams.parse({ bid_spread: 60, ask_spread: 60, order_amount: 100, max_position: 1_000, ...given });
}

/** Prices around mid 5950, where bids are at 5890 and asks at 6010 without options. */
function optimised(seen: Seen, given: Record<string, unknown> = {}): readonly string[] {
  const options = params({ order_optimization_enabled: true, ...given });
  const levels = ladderLevels(options, { bid: 5_950, ask: 5_950 }, 0);
  return movedToBest(options, levels, seenMarket(seen)).map(({ side, price }) => `${side} ${price}`);
}

const BOOK: Seen = {
  bids: [
    [5_860, 5],
    [5_850, 40],
  ],
  asks: [
    [6_040, 5],
    [6_050, 40],
  ],
};

describe('order optimisation of the ladder', () => {
  it('moves the best bid to one step above the outside price of its depth, and asks mirrored', () => {
    expect(optimised(BOOK)).toEqual(['bid 5870', 'ask 6030']);
    expect(optimised(BOOK, { bid_order_optimization_depth: 10 })).toEqual(['bid 5860', 'ask 6030']);
    expect(optimised(BOOK, { ask_order_optimization_depth: 10 })).toEqual(['bid 5870', 'ask 6040']);
  });

  it('moves all levels of a side alike', () => {
    expect(optimised(BOOK, { order_levels: 2, order_level_spread: 20 })).toEqual([
      'bid 5870',
      'bid 5850',
      'ask 6030',
      'ask 6050',
    ]);
  });

  it('never moves a quote towards the mid', () => {
    expect(optimised({ bids: [[5_900, 5]], asks: [[6_000, 5]] })).toEqual(['bid 5890', 'ask 6010']);
  });

  it('does nothing unless it is enabled', () => {
    const wanted = (order_optimization_enabled: boolean) =>
      levelsOf(params({ order_optimization_enabled }), seenMarket(BOOK)).map(({ side, price }) => `${side} ${price}`);
    expect(wanted(false)).toEqual(['bid 5890', 'ask 6010']);
    expect(wanted(true)).not.toEqual(wanted(false));
  });

  it('takes the last outside price when the book is not as deep', () => {
    expect(priceAtDepth(seenMarket(BOOK).book, 'bid', 1_000)).toBe(5_850);
    expect(priceAtDepth(seenMarket({ bids: [] }).book, 'bid', 0)).toBeUndefined();
    expect(optimised({ bids: [], asks: [] })).toEqual(['bid 5890', 'ask 6010']);
  });

  it('takes the next price of a market whose prices are a list', () => {
    const list = (...prices: number[]) => prices.map(priceBps);
    const grid: PriceGrid = { type: 'list', bids: list(5_800, 5_860, 5_875), asks: list(6_025, 6_040, 6_100) };
    expect(optimised({ ...BOOK, grid })).toEqual(['bid 5875', 'ask 6025']);
  });
});

describe('price_type of the ladder', () => {
  const guarded = params({ price_type: 'inventory_cost' });
  const held = (seen: Seen, costs: { yes?: number; no?: number }) => ({
    ...seenMarket(seen).position,
    yesCost: microUsd((costs.yes ?? 0) * DOLLAR),
    noCost: microUsd((costs.no ?? 0) * DOLLAR),
  });

  it('asks for at least the average cost of a long position', () => {
    const bases = priceBases(guarded, 6_000, held({ yes: 100 }, { yes: 61 }));
    expect(ladderLevels(guarded, bases, 0).map(({ price }) => price)).toEqual([5_940, 6_160]);
    expect(priceBases(guarded, 6_000, held({ yes: 100 }, { yes: 55 }))).toEqual({ bid: 6_000, ask: 6_000 });
  });

  it('bids at most 10000 less the average cost of a short position', () => {
    const bases = priceBases(guarded, 6_000, held({ no: 100 }, { no: 41 }));
    expect(ladderLevels(guarded, bases, 0).map(({ price }) => price)).toEqual([5_840, 6_060]);
  });

  it('is the mid when flat, and unless it is set', () => {
    expect(priceBases(guarded, 6_000, held({}, {}))).toEqual({ bid: 6_000, ask: 6_000 });
    expect(priceBases(params(), 6_000, held({ yes: 100 }, { yes: 61 }))).toEqual({ bid: 6_000, ask: 6_000 });
  });
});
