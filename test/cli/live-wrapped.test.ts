/** A wrapped strategy in a live bot and on paper: names, parameters, pulls and a restart. */
import { afterAll, expect, it } from 'vitest';
import { Harness } from '../venues/service/harness.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { until } from './trading.ts';

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

const LADDER = '{ bid_spread: 130, ask_spread: 130, order_amount: 10, order_refresh_time: 0.2, max_position: 100 }';

function sections(id: string, more = ''): string {
  const params = `{ strategy: ladder, params: ${LADDER}, pull_time: 0.3, recovery_multiplier: 1, max_vol_multiplier: 1 }`;
  return [`strategy: event-regime`, `params: ${params}`, `markets: { ids: ["${id}"] }`, more].join('\n');
}

it('pulls quotes after a jump, quotes again, and keeps a changed parameter over a restart', async () => {
  const id = await harness.market(1);
  await placeDistantOrders(harness, id);
  const fixture = new LiveFixture(harness, sections(id));
  const first = await fixture.run();
  await waitForQuotes(first, 2);
  expect(first.bot.status().markets[0]?.strategy).toBe('event-regime-ladder');
  expect(() => first.bot.setParameter('pul_time', 1, {})).toThrow('params.pul_time: expected a known key');
  expect(() => first.bot.setParameter('strategy', 'grid', {})).toThrow(
    'params.strategy: expected "ladder", got "grid"',
  );
  first.bot.setParameter('params', { bid_spread: 200, ask_spread: 200, order_amount: 7, max_position: 100 }, {});
  const quotesOfSeven = (bot: typeof first.bot) =>
    bot.orders().filter(({ remaining }) => remaining === 7_000_000).length;
  await until(() => quotesOfSeven(first.bot) === 2, 'the wrapped strategy has its parameters');

  const other = await harness.trader();
  await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 4_600, shares: 50 });
  await until(
    () => fixture.logged.some(({ msg }) => String(msg).includes('quotes are pulled: the mid moved')),
    'quotes are pulled',
  );
  await until(() => quotesOfSeven(first.bot) === 2, 'the bot quotes again');
  expect(await stopAndClose(first)).toBe(0);

  const second = await fixture.run();
  await until(() => quotesOfSeven(second.bot) === 2, 'the bot has the changed parameters');
  expect(await stopAndClose(second)).toBe(0);
}, 60_000);

it('quotes in paper mode', async () => {
  const id = await harness.market(2);
  await placeDistantOrders(harness, id);
  const opened = await new LiveFixture(harness, sections(id, 'mode: paper')).run();
  await waitForQuotes(opened, 2);
  expect(await stopAndClose(opened)).toBe(0);
}, 60_000);
