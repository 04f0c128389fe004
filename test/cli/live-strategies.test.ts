/** Several strategies in one live account: orders, figures and parameters over a restart. */
import { afterAll, expect, it } from 'vitest';
import { Harness } from '../venues/service/harness.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { until } from './trading.ts';

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

const params = (spread: number) =>
  `{ bid_spread: ${spread}, ask_spread: ${spread}, order_amount: 10, order_refresh_time: 0.2, max_position: 100 }`;

it('quotes for each strategy, counts a fill for the strategy of the order, and continues after a restart', async () => {
  const id = await harness.market(1);
  await placeDistantOrders(harness, id);
  const fixture = new LiveFixture(
    harness,
    [
      'strategies:',
      `  - { strategy: ladder, params: ${params(130)} }`,
      `  - { strategy: ladder, name: wide, params: ${params(400)} }`,
      `markets: { ids: ["${id}"] }`,
    ].join('\n'),
  );
  const first = await fixture.run();
  await waitForQuotes(first);
  expect(() => first.bot.setParameter('order_amount', 7, {})).toThrow(
    '--strategy: expected one of ladder, wide, as several strategies trade there',
  );
  first.bot.setParameter('order_amount', 7, { strategy: 'wide' });
  await until(
    () => first.bot.orders().filter(({ remaining }) => remaining === 7_000_000).length === 2,
    'the strategy wide has the parameter',
  );
  const other = await harness.trader();
  const buyShares = (shares: number) =>
    other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 5_130, shares });
  await buyShares(4);
  await until(() => first.bot.status().fills === 1, 'the fill is known');
  const before = first.bot.status();
  expect(before.markets[0]?.strategy).toBe('ladder, wide');
  expect(before.strategies.map(({ name, fills, shares }) => [name, fills, shares])).toEqual([
    ['ladder', 1, 4_000_000],
    ['wide', 0, 0],
  ]);
  expect(await stopAndClose(first)).toBe(0);

  const second = await fixture.run();
  await until(() => second.bot.orders().filter(({ phase }) => phase === 'live').length >= 4, 'the bot quotes');
  const restarted = second.bot.status();
  expect(restarted.since).toBeGreaterThanOrEqual(before.since);
  expect(restarted.since).toBeLessThan(restarted.startedAt);
  expect([restarted.fills, restarted.run.fills]).toEqual([1, 0]);
  expect(restarted.strategies.map(({ fills }) => fills)).toEqual([1, 0]);
  expect(restarted.pnl).not.toBe(0);
  const [ask = 0] = second.bot
    .orders()
    .filter(({ outcome, side }) => (outcome === 'YES') === (side === 'SELL'))
    .map(({ outcome, priceBps }) => (outcome === 'YES' ? priceBps : 10_000 - priceBps))
    .toSorted((first, second) => first - second);
  await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: ask, shares: 3 });
  await until(() => second.bot.status().fills === 2, 'the second fill is known');
  expect(second.bot.status().run.fills).toBe(1);
  expect(second.bot.status().strategies.map(({ fills }) => fills)).toEqual([2, 0]);
  expect(await stopAndClose(second)).toBe(0);
}, 60_000);
