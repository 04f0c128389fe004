/** A bot that is backed up while it quotes, killed, and restored into another folder. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { Harness, SHARE } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
import { halfspread } from './halfspread.ts';
import { LiveFixture, placeDistantOrders } from './live-fixture.ts';
import { endAll, startAndWait, until } from './trading.ts';

vi.setConfig({ testTimeout: 180_000 });
afterAll(endAll);

describe('a backup of a bot that quotes', () => {
  it('starts with the venue’s orders, fills and position when it is restored after SIGKILL', async () => {
    const harness = await Harness.open({ config: {} });
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }\nheartbeat_ms: none`);
    const first = await startAndWait(['run', 'bot.yaml', '--json'], live.folder, /trading \d+ market/);
    const open = async () => [...(await accountAt(harness, live.key)).open.keys()];
    await until(async () => (await open()).length === 4, 'the bot quotes');
    const before = await open();
    const backup = await halfspread(['backup', 'bot.yaml', 'copy.db', '--json'], live.folder);
    expect(backup).toMatchObject({ code: 0, stderr: '' });
    const { sha256, orders } = JSON.parse(backup.stdout);
    expect(orders).toBeGreaterThanOrEqual(4);

    // Orders and a fill that the backup does not have.
    const other = await harness.trader();
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_900, shares: 10 });
    await until(async () => (await open()).some((order) => !before.includes(order)), 'the bot has quoted again');
    first.child.kill('SIGKILL');
    await first.end;

    const folder = join(live.folder, 'elsewhere');
    mkdirSync(folder);
    copyFileSync(join(live.folder, 'bot.yaml'), join(folder, 'bot.yaml'));
    const restored = await halfspread(['restore', '../copy.db', 'bot.yaml', '--sha256', sha256], folder);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const second = await startAndWait(['run', 'bot.yaml', '--json'], folder, /trading \d+ market/);
    // Reads the bot's own list: each query of the venue uses one of the account's sessions.
    const botOrders = async () => JSON.parse((await halfspread(['orders', 'bot.yaml', '--json'], folder)).stdout);
    await until(async () => (await botOrders()).length >= 4, 'the restored bot quotes');
    expect(second.output()).toContain('the files were restored from a backup');
    const { recovery } = JSON.parse((await halfspread(['status', 'bot.yaml', '--json'], folder)).stdout);
    expect(recovery).toMatchObject({ gap: { cause: 'RESTORED' }, outcome: 'agrees', fillsFound: 1 });
    expect(recovery.ordersFound).toBe(recovery.ordersCancelled);
    const now = await accountAt(harness, live.key);
    expect(now.open.size).toBe((await botOrders()).length);
    expect(before.some((order) => now.open.has(order))).toBe(false);
    expect(now.held.get(`${id} YES`)).toBe(10 * SHARE);
    const positions = await halfspread(['positions', 'bot.yaml', '--json'], folder);
    expect(JSON.parse(positions.stdout)).toMatchObject([{ yes: 10 * SHARE, no: 0 }]);
    second.child.kill('SIGTERM');
    expect((await second.end).code).toBe(0);
    expect(await open()).toEqual([]);
    await harness.close();
  });
});
