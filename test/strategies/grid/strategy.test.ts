import { describe, expect, it } from 'vitest';
import { runMatch } from '../recorded-match.ts';

/** Half an hour of the recorded match. */
function run(params: object) {
  return runMatch({
    strategy: 'grid',
    params: { order_amount: 10, max_position: 100, ...params },
    to: '2022-07-11T12:30:00Z',
  });
}

describe('grid on the recorded match', () => {
  it('fills cells of a static grid and limits its position', async () => {
    const result = await run({ lower_price: 7_000, upper_price: 9_500, grid_cells: 25 });
    expect(result.fills.count).toBeGreaterThan(5);
    expect(result.maxInventoryShares).toBeLessThanOrEqual(100_000_000);
    expect(result.orders.refused).toBe(0);
  });

  it('follows the mid with a dynamic grid', async () => {
    const result = await run({ grid_type: 'dynamic', order_levels: 2 });
    expect(result.fills.count).toBeGreaterThan(5);
    expect(result.maxInventoryShares).toBeLessThanOrEqual(100_000_000);
  });

  it('gives the same event log in every run', async () => {
    const params = { lower_price: 7_000, upper_price: 9_500, grid_cells: 25 };
    expect((await run(params)).eventLogHash).toBe((await run(params)).eventLogHash);
  });

  it('refuses cells that are narrower than two price steps of the market', async () => {
    await expect(run({ lower_price: 7_000, upper_price: 7_100, grid_cells: 50 })).rejects.toThrow(
      /params.grid_cells: expected fewer cells, or lines further apart: a cell has at least two price steps of /,
    );
  });
});
