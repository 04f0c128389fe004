/** A bot and operator commands end the sessions that they open. */
import { afterAll, expect, it, vi } from 'vitest';
import { Harness } from '../venues/service/harness.ts';
import { halfspread } from './halfspread.ts';
import { LiveFixture, placeDistantOrders, stopAndClose } from './live-fixture.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

/** Number of queries of a field, successful or not. */
async function queryCount(field: string): Promise<number> {
  const text = await (await fetch(`${harness.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => /_total\{/.test(line) && line.includes(`"${field}"`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

it('a run opens two sessions and ends both, and doctor and `orders --venue` end theirs', async () => {
  const id = await harness.market(1);
  await placeDistantOrders(harness, id);
  const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }`);
  const before = await queryCount('createSession');
  const opened = await live.run();
  await until(() => opened.bot.orders().length === 4, 'the bot quotes');
  expect(await stopAndClose(opened)).toBe(0);
  expect((await queryCount('createSession')) - before).toBe(2);
  expect(await queryCount('revokeSession')).toBe(2);

  const orders = await halfspread(['orders', 'bot.yaml', '--venue', '--json'], live.folder);
  expect(JSON.parse(orders.stdout)).toEqual({ orders: [] });
  expect(await halfspread(['doctor', 'bot.yaml'], live.folder)).toMatchObject({ code: 0 });
  expect((await queryCount('createSession')) - before).toBe(4);
  expect(await queryCount('revokeSession')).toBe(4);
});
