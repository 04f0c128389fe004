import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridAbove, gridBelow, gridDown, gridUp, onGrid, type PriceGrid, priceBps } from '../../src/domain/index.ts';

const list: PriceGrid = {
  type: 'list',
  bids: [100, 5000, 5025, 9900].map(priceBps),
  asks: [101, 5001, 5026, 9901].map(priceBps),
};
const tick: PriceGrid = { type: 'tick', tickBps: 10 };

const prices = fc
  .uniqueArray(fc.integer({ min: 1, max: 9999 }), { maxLength: 30 })
  .map((all) => all.sort((a, b) => a - b).map(priceBps));
const grids: fc.Arbitrary<PriceGrid> = fc.oneof(
  fc.constantFrom(1, 2, 5, 10, 25, 100, 500, 5000).map((tickBps): PriceGrid => ({ type: 'tick', tickBps })),
  fc.record({ bids: prices, asks: prices }).map((lists): PriceGrid => ({ type: 'list', ...lists })),
);
/** Whole prices and prices between them. */
const intents = fc
  .tuple(fc.integer({ min: -5, max: 10_005 }), fc.constantFrom(0, 0.001, 0.25, 0.5, 0.999))
  .map(([whole, part]) => whole + part);

/** Returns all prices of one side. */
function allowedPrices(grid: PriceGrid, side: 'bid' | 'ask'): readonly number[] {
  if (grid.type === 'list') return side === 'bid' ? grid.bids : grid.asks;
  return Array.from({ length: 10_000 / grid.tickBps - 1 }, (_, at) => (at + 1) * grid.tickBps);
}

describe('price grid', () => {
  it('rounds a bid down and an ask up', () => {
    expect([gridDown(tick, 5999.9), gridUp(tick, 5990.1)]).toEqual([5990, 6000]);
    expect([gridDown(list, 5024), gridUp(list, 5002)]).toEqual([5000, 5026]);
    expect([gridDown(tick, 5990), gridUp(tick, 5990)]).toEqual([5990, 5990]);
  });

  it('has no price for a bid below the first or an ask above the last', () => {
    expect([gridDown(tick, 9.9), gridUp(tick, 9990.1)]).toEqual([undefined, undefined]);
    expect([gridDown(list, 99), gridUp(list, 9902)]).toEqual([undefined, undefined]);
  });

  it('has no price for NaN', () => {
    for (const grid of [tick, list]) {
      expect([gridDown(grid, Number.NaN), gridUp(grid, Number.NaN)]).toEqual([undefined, undefined]);
      expect([gridBelow(grid, Number.NaN), gridAbove(grid, Number.NaN)]).toEqual([undefined, undefined]);
      expect(onGrid(grid, Number.NaN)).toBe(false);
    }
  });

  it('validates the prices of each side, and accepts the prices of both sides for a limit without a side', () => {
    expect([onGrid(list, 5000), onGrid(list, 5001), onGrid(list, 5002)]).toEqual([true, true, false]);
    expect([onGrid(list, 5000, 1), onGrid(list, 5000, -1), onGrid(list, 5001, -1)]).toEqual([true, false, true]);
    expect([onGrid(tick, 5000, 1), onGrid(tick, 5005, 1), onGrid(tick, 0), onGrid(tick, 10_000)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('equals a search through all prices', () => {
    fc.assert(
      fc.property(grids, intents, (grid, price) => {
        const bids = allowedPrices(grid, 'bid');
        const asks = allowedPrices(grid, 'ask');
        expect(gridDown(grid, price)).toBe(bids.findLast((at) => at <= price));
        expect(gridUp(grid, price)).toBe(asks.find((at) => at >= price));
        expect(gridBelow(grid, price)).toBe(bids.findLast((at) => at < price));
        expect(gridAbove(grid, price)).toBe(asks.find((at) => at > price));
        expect(onGrid(grid, price, 1)).toBe(bids.includes(price));
        expect(onGrid(grid, price, -1)).toBe(asks.includes(price));
      }),
      { numRuns: 1_000 },
    );
  });
});
