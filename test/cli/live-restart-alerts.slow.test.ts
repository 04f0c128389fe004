/** Actions and alerts of a bot, wired as in `halfspread run`, after it restarts and after the venue loses its data. */
import { statSync, utimesSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { botText } from '../../src/cli/output/control-text.ts';
import { FaultyProxy } from '../venues/service/faulty-proxy.ts';
import { Harness, SHARE } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
import { halfspread } from './halfspread.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { endAll, startAndWait, until } from './trading.ts';
import { openWebhook } from './webhook.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

let received: string[] = [];
beforeAll(async () => {
  received = await openWebhook('RESTART_WEBHOOK');
});
afterAll(endAll);

const WEBHOOK = 'alerts: { targets: [{ type: webhook, url: { env: RESTART_WEBHOOK } }] }';
const WIDE = { columns: 200, isTty: false };

function alerts(kind: string): readonly string[] {
  const bodies = received.map((body) => JSON.parse(body));
  return bodies.filter((body) => body.kind === kind).map(({ text }) => String(text));
}

describe('a restart after a kill -9', () => {
  it('reports found and cancelled orders, missed fills and the current position', async () => {
    const harness = await Harness.open({ config: {} });
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }\nheartbeat_ms: none\n${WEBHOOK}`);
    const first = await startAndWait(['run', 'bot.yaml', '--json'], live.folder, /trading \d+ market/);
    await until(async () => (await accountAt(harness, live.key)).open.size === 4, 'the bot quotes');
    first.child.kill('SIGKILL');
    await first.end;
    const stopped = await halfspread(['status', 'bot.yaml'], live.folder);
    expect(stopped.stdout).toContain(
      'started: 0 orders found, 0 cancelled, 0 adopted, 0 fills missed, position unchanged, the venue agrees',
    );
    expect(stopped.stderr).toBe('');
    expect(stopped.stdout).toMatch(
      /^No bot runs\. The figures are from the journal, as of \S+Z; orders may have been cancelled since\. `--venue` reads from the venue\.\n/,
    );
    const slug = 'question-1';
    const other = await harness.trader();
    // Fills the best bid completely and the next one in part.
    const bids = [...(await accountAt(harness, live.key)).open];
    expect(bids).toHaveLength(4);
    for (const shares of [10, 3]) {
      await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_900, shares });
    }

    received.length = 0;
    const second = await live.run();
    const text = `started: 3 orders found, 3 cancelled, 0 adopted, 1 order of the journal had ended meanwhile, 2 fills missed, position: ${slug} 0 YES in the journal, 13 YES now, the venue agrees`;
    expect(second.bot.status().recovery).toMatchObject({
      text,
      cause: 'start',
      ordersFound: 3,
      ordersCancelled: 3,
      ordersEnded: 1,
      fillsFound: 2,
      positions: [{ market: slug, before: { yes: 0, no: 0 }, after: { yes: 13 * SHARE, no: 0 } }],
    });
    expect(botText('status', second.bot.status(), WIDE)).toContain(`recovery           ${text}\n`);
    expect(live.logged.filter(({ msg }) => msg === text)).toMatchObject([{ recovery: { fillsFound: 2 } }]);
    await until(async () => alerts('recovery').length > 0, 'the webhook');
    expect(alerts('recovery')).toEqual([`halfspread ${text}`]);
    expect(await stopAndClose(second)).toBe(0);
    await harness.close();
  });

  it('reports the downtime and the orders that were cancelled during it', async () => {
    const harness = await Harness.open({ config: {} });
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }`);
    const first = await live.run();
    expect(first.bot.status().recovery).not.toHaveProperty('downMs', expect.anything());
    await waitForQuotes(first);
    await first.close();
    expect(await halfspread(['cancel-all', '--venue', 'bot.yaml'], live.folder)).toMatchObject({ code: 0 });
    const second = await live.run();
    const recovery = second.bot.status().recovery;
    expect(recovery).toMatchObject({ ordersFound: 0, ordersEnded: 4, fillsFound: 0 });
    expect(recovery?.text).toContain('0 adopted, 4 orders of the journal had ended meanwhile, 0 fills missed');
    expect(recovery?.downMs).toBeGreaterThan(0);
    expect(await stopAndClose(second)).toBe(0);
    await harness.close();
  });

  it('counts the downtime of an idle bot from the last update of its lease, not from its last step', async () => {
    const harness = await Harness.open({ config: {} });
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }`);
    const lease = `${live.paths.db}.lock`;
    const first = await live.run();
    await waitForQuotes(first);
    utimesSync(lease, 0, 0);
    await until(() => statSync(lease).mtimeMs > 0, 'the bot updates its lease');
    expect(Math.abs(statSync(lease).mtimeMs - Date.now())).toBeLessThan(60_000);
    await first.close();
    // A lease time in the future means no downtime.
    utimesSync(lease, Date.now() / 1_000 + 600, Date.now() / 1_000 + 600);
    const second = await live.run();
    expect(second.bot.status().recovery).toMatchObject({ downMs: 0 });
    expect(await stopAndClose(second)).toBe(0);
    await harness.close();
  });

  it('reports the orders that it adopts', async () => {
    const harness = await Harness.open({ config: {} });
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }\nleftovers: adopt`);
    const first = await live.run();
    await waitForQuotes(first);
    await first.close();
    const second = await live.run();
    expect(second.bot.status().recovery).toMatchObject({ ordersFound: 4, ordersCancelled: 0, ordersAdopted: 4 });
    expect(await stopAndClose(second)).toBe(0);
    await harness.close();
  });
});

describe('a venue that restarts without its data', () => {
  it('is not traded until an operator intervenes, and the bot keeps running, reports why, and ends normally', async () => {
    const harness = await Harness.open({ config: {} });
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }\n${WEBHOOK}`);
    const opened = await live.run();
    await waitForQuotes(opened);
    const other = await harness.trader();
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_900, shares: 3 });
    await until(async () => opened.bot.fills(10).length > 0, 'a fill');
    const { placed } = opened.counters;
    const { cancel = 0 } = opened.counters.commands;
    received.length = 0;
    const port = Number(new URL(harness.url).port);
    await harness.close();
    const restarted = await Harness.open({ config: {}, port });
    expect(await restarted.market(1)).toBe(id);
    await placeDistantOrders(restarted, id);

    await until(async () => opened.bot.status().mode === 'PAUSED', 'the bot is paused');
    const status = opened.bot.status();
    expect(status).toMatchObject({ reconciled: 'disagrees', killReason: null });
    expect(status.modeReason).toMatch(/^RECONCILE: /);
    expect(status.recovery?.text).toMatch(
      /^connected again after .*DISAGREES: .*cash .* stored, \$10,000\.00 at the venue/,
    );
    expect(botText('status', status, WIDE)).toMatch(/^reconciled +disagrees$/m);
    await until(async () => alerts('disagreement').length > 0, 'the webhook');
    expect(alerts('disagreement')[0]).toMatch(/^halfspread stopped quoting: connected again after /);

    for (const command of ['resume', 'flatten'] as const) {
      await expect(opened.bot.operate(command, undefined)).rejects.toMatchObject({ code: 'RECONCILE' });
    }
    expect(opened.bot.status()).toMatchObject({ mode: 'PAUSED', reconciled: 'disagrees' });
    // Longer than the refresh time of the strategy.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(opened.counters.placed).toBe(placed);
    expect((opened.counters.commands['cancel'] ?? 0) - cancel).toBeLessThan(10);
    expect((await accountAt(restarted, live.key)).open.size).toBe(0);
    expect(await stopAndClose(opened)).toBe(0);

    // The next start fails for the same reason. Only --adopt adopts the venue's account.
    const again = await live.run({ starts: false });
    await expect(again.start()).rejects.toMatchObject({ code: 'RECONCILE' });
    await stopAndClose(again);

    const adopted = await live.run({ adopt: true });
    expect(adopted.bot.status()).toMatchObject({ mode: 'ACTIVE', modeReason: null, reconciled: 'agrees' });
    const { recovery } = adopted.bot.status();
    expect(recovery).toMatchObject({ outcome: 'adjusted', ordersFound: 0, ordersEnded: 4 });
    expect(recovery?.text).toMatch(/at the venue; .*: open here and unknown to the venue: orders 1, 2, 3, 4$/);
    await waitForQuotes(adopted);
    expect(await stopAndClose(adopted)).toBe(0);
    await restarted.close();
  });
});

describe('a pause because of an account difference', () => {
  it('persists over a restart and ends with --adopt', async () => {
    const harness = await Harness.open({ config: {} });
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const proxy = await FaultyProxy.open(harness.url);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }`, proxy.url);
    const first = await live.run();
    await waitForQuotes(first);
    // Reduces the reported cash by one dollar.
    const reduceCash = (text: string): string =>
      text.replace(/"availableMicros":"(\d+)"/, (_, micros) => `"availableMicros":"${Number(micros) - 1e6}"`);
    proxy.rule({
      direction: 'down',
      match: '"availableMicros"',
      fault: 'rewrite',
      to: reduceCash,
      times: Number.POSITIVE_INFINITY,
    });
    proxy.cutSockets();
    await until(() => first.bot.status().mode === 'PAUSED', 'the bot is paused');
    expect(await stopAndClose(first)).toBe(0);

    const refused = await live.run({ starts: false });
    await expect(refused.start()).rejects.toMatchObject({ code: 'RECONCILE' });
    expect(refused.bot.status().mode).toBe('PAUSED');
    await stopAndClose(refused);

    const adopted = await live.run({ adopt: true });
    expect(adopted.bot.status()).toMatchObject({ mode: 'ACTIVE', modeReason: null, reconciled: 'agrees' });
    expect(adopted.bot.status().recovery).toMatchObject({ cause: 'start', outcome: 'adjusted' });
    await waitForQuotes(adopted);
    expect(await stopAndClose(adopted)).toBe(0);
    await proxy.close();
    await harness.close();
  });
});
