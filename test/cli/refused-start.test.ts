import { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { rewriteRows } from '../store/bot/bot-harness.ts';
import { Harness, Trader } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { runInProcess } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

it('a refused start cancels only the bot’s own orders and starts no new epoch', async () => {
  const id = await harness.market(1);
  await placeDistantOrders(harness, id);
  const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }`);
  const first = await live.run();
  await waitForQuotes(first);
  // Like a crash: no order is cancelled.
  await first.close();
  // The database has an order that the venue does not know, like a database of another venue.
  const sql = 'SELECT max(order_no) FROM signed';
  rewriteRows(live.paths.db, `UPDATE signed SET hash = '0x${'f'.repeat(64)}' WHERE order_no = (${sql})`);
  const before = await accountAt(harness, live.key);
  expect(before.open.size).toBe(4);
  const trader = await Trader.of(harness, live.key);
  const foreign = await trader.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 3_000, shares: 5 });

  const second = await live.run({ starts: false });
  await expect(second.start()).rejects.toMatchObject({ code: 'RECONCILE' });
  await stopAndClose(second);

  const { open } = await accountAt(harness, live.key);
  expect(open.has(foreign)).toBe(true);
  const { tradingSafety } = await trader.query('query { tradingSafety { orderEpoch } }');
  expect(tradingSafety.orderEpoch).toBe('0');
  const messages = live.logged.map(({ msg }) => String(msg));
  expect(messages.filter((text) => text.includes('everything of the account'))).toEqual([]);
});

it('a run goes on without a dashboard that cannot be started, and closes its control socket at a later fault', async () => {
  const id = await harness.market(2);
  const takenPort = new URL(harness.url).port;
  const sections = `mode: paper\nmarkets: { ids: ["${id}"] }\nmetrics: { port: ${takenPort} }`;
  const live = new LiveFixture(harness, sections);
  const prototype: ChildProcess & { spawn?: () => void } = ChildProcess.prototype;
  const spawn = vi.spyOn(prototype, 'spawn').mockImplementationOnce(() => {
    throw new Error('spawn ENOMEM');
  });
  onTestFinished(() => spawn.mockRestore());
  const { stderr } = await runInProcess(['run', 'bot.yaml', '--dashboard', '0'], live.folder);
  expect(stderr).toMatch(/spawn ENOMEM.*the dashboard did not start; the bot continues/);
  expect(stderr).toMatch(/metrics\.port: expected a port of 127\.0\.0\.1/);
  expect(existsSync(live.paths.socket)).toBe(false);
});
