/** Runs a venue and a bot as processes over loopback. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endAll, openVenue, TestBot, until } from './trading.ts';

// Tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let url = '';
let close: () => Promise<void> = async () => {};
beforeAll(async () => {
  ({ url, close } = await openVenue());
});
afterAll(async () => {
  await close();
  endAll();
});

const THROWS =
  "return { ...maker, onTimer() { calls += 1; if (calls > 10) throw new Error('out of ideas'); return []; } };";

describe('a trading bot', () => {
  it('quotes, executes operators’ commands, and ends with no open order and no running process', async () => {
    const bot = new TestBot(url, 'metrics: { port: 0 }\nwarmup_ms: 2');
    const run = await bot.run();
    const client = await bot.client();
    await until(async () => (await client.countOpenOrders()) === 8, 'eight orders at the venue');
    const orders = await bot.request('orders');
    expect(orders).toHaveLength(8);
    expect(await bot.status()).toMatchObject({ mode: 'ACTIVE', link: 'UP', openOrders: 8, markets: { length: 2 } });
    const port = /metrics on port (\d+)/.exec(run.output())?.[1];
    expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('halfspread_bot_open_orders 8');

    expect(await bot.request('pause', { reason: 'lunch' })).toMatchObject({ mode: 'PAUSED' });
    await until(async () => (await client.countOpenOrders()) === 0, 'no order is open while the bot is paused');
    await bot.request('resume');
    await bot.request('set', { name: 'order_amount', value: 7 });
    await until(async () => (await client.orders()).some(({ shares }) => shares === 7), 'the orders are larger');

    const killed = await bot.request('kill', { reason: 'news' });
    expect(killed).toEqual({ mode: 'KILLED', text: expect.stringMatching(/no order is open at the venue/) });
    expect(await client.countOpenOrders()).toBe(0);
    expect(await bot.status()).toMatchObject({ mode: 'KILLED', killReason: 'news', killVerified: true });
    await bot.request('resume');
    // The kill started a new epoch, which later orders are signed for.
    await until(async () => (await client.countOpenOrders()) === 8, 'the bot quotes again');
    const { rejected } = await bot.status();
    expect(Object.keys(rejected)).not.toContain('STALE_EPOCH');

    const slug = 'will-the-cup-final-go-to-penalties';
    await bot.request('market-remove', { market: slug });
    await until(async () => (await client.countOpenOrders()) === 4, 'only one market is quoted');
    await bot.request('market-add', { market: slug, params: { order_amount: 3 } });
    await until(async () => (await client.orders()).some(({ shares }) => shares === 3), 'the market is quoted again');

    run.child.kill('SIGTERM');
    const { code, stdout } = await run.end;
    expect(code).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ openOrdersAtVenue: 0, mode: 'ACTIVE' });
    expect(await client.countOpenOrders()).toBe(0);
    expect(existsSync(bot.socket)).toBe(false);
    expect(run.output()).not.toContain('watchdog:');
    expect(run.output()).not.toContain(bot.key.slice(2));
  });

  it('ends with the source position and no open order when its strategy always throws', async () => {
    const bot = new TestBot(url, 'strategy: thrower');
    bot.strategy('thrower', THROWS);
    const run = await bot.run();
    const { code, stdout, stderr } = await run.end;
    expect(code).toBe(4);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ hasBegun: true, openOrdersAtVenue: 0 });
    expect(stderr).toMatch(/strategy "thrower" failed in onTimer.*out of ideas/);
    expect(stderr).toMatch(/strategies\/thrower\/strategy\.ts:5/);
    expect(await (await bot.client()).countOpenOrders()).toBe(0);
  });
});
