import { expect, it } from 'vitest';
import { runMatch } from '../recorded-match.ts';

/** Five minutes of the recorded match. */
function run(quote: string, params: object = {}, seed = 1) {
  return runMatch({
    strategy: 'baseline',
    params: { quote, order_amount: 10, max_position: 100, ...params },
    seed,
    to: '2022-07-11T12:05:00Z',
  });
}

it('quotes nothing, at the best prices or inside them, and limits its position', async () => {
  const [none, joined, narrow] = [await run('none'), await run('join'), await run('narrow')];
  expect(none.orders.placed).toBe(0);
  expect(joined.fills.count).toBeGreaterThan(0);
  expect(joined.fillsByTag.queue?.inside ?? 0).toBeLessThan(joined.fills.count / 2);
  expect(narrow.fills.count).toBeGreaterThan(joined.fills.count);
  for (const { maxInventoryShares } of [joined, narrow]) expect(maxInventoryShares).toBeLessThanOrEqual(110_000_000);
});

it('quotes at random distances that depend on the seed and the mean distance', async () => {
  const [near, far, again, other] = [
    await run('random', { distance_bps: 50 }),
    await run('random', { distance_bps: 800 }),
    await run('random', { distance_bps: 50 }),
    await run('random', { distance_bps: 50 }, 2),
  ];
  expect(again.eventLogHash).toBe(near.eventLogHash);
  expect(other.eventLogHash).not.toBe(near.eventLogHash);
  expect(near.fills.count).toBeGreaterThan(far.fills.count);
  expect(near.maxInventoryShares).toBeLessThanOrEqual(110_000_000);
});
