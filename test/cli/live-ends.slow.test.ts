/** Bots that are killed, hang, fail in one market or are interrupted. The venue and each bot are processes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AccountClient } from '../../src/ops/index.ts';
import { halfspread } from './halfspread.ts';
import { endAll, openVenue, type Ready, TestBot, until, type VenueProcess } from './trading.ts';
import { openWebhook } from './webhook.ts';

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

const LOOPING_HANDLERS = 'return { ...maker, onTimer() { calls += 1; if (calls > 10) for (;;) {} return []; } };';
const THROWING_HANDLERS =
  "return { ...maker, onTimer() { calls += 1; if (calls > 10) throw new Error('out of ideas'); return []; } };";

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starts a bot and its own venue without a watchdog and a heartbeat, so only the bot cancels its orders. */
async function startQuoting(): Promise<{ bot: TestBot; client: AccountClient; run: Ready; venue: VenueProcess }> {
  const venue = await openVenue();
  const bot = new TestBot(venue.url, 'watchdog_ms: none\nheartbeat_ms: none');
  const run = await bot.run();
  const client = await bot.client();
  await until(async () => (await client.countOpenOrders()) === 8, 'eight orders at the venue');
  return { bot, client, run, venue };
}

describe('a trading bot', () => {
  it('has its orders cancelled after SIGKILL, recovers, and stays killed over a restart after `kill`', async () => {
    const bot = new TestBot(url);
    const client = await bot.client();
    const first = await bot.run();
    await until(async () => (await client.countOpenOrders()) === 8, 'eight orders at the venue');
    await bot.request('set', { name: 'order_amount', value: 6, market: 'will-the-home-side-win-the-cup-final' });
    const second = await halfspread(['run', 'bot.yaml'], bot.folder);
    expect(second).toMatchObject({ code: 3, stderr: expect.stringMatching(/uses the database/) });
    first.child.kill('SIGKILL');
    await first.end;
    await until(async () => (await client.countOpenOrders()) === 0, 'the watchdog has cancelled');

    const again = await bot.run();
    await until(
      async () => (await client.orders()).some(({ shares }) => shares === 6),
      'the changed parameter is back',
    );
    await bot.request('kill', { reason: 'enough' });
    again.child.kill('SIGINT');
    expect(await again.end).toMatchObject({ code: 0 });

    const killed = await bot.run();
    expect(killed.output()).toMatch(/KILLED \(COMMAND: enough\)/);
    expect(await bot.status()).toMatchObject({ mode: 'KILLED', killReason: expect.stringContaining('enough') });
    expect(await client.countOpenOrders()).toBe(0);
    killed.child.kill('SIGINT');
    await killed.end;
  });

  it('is ended by its watchdog with no open order when it loops for ever, and stays killed', async () => {
    const received = await openWebhook('TEST_WEBHOOK');
    const bot = new TestBot(
      url,
      'strategy: spinner\nwatchdog_ms: 1500\nalerts: { targets: [{ type: webhook, url: { env: TEST_WEBHOOK } }] }',
    );
    bot.strategy('spinner', LOOPING_HANDLERS);
    const client = await bot.client();
    const run = await bot.run();
    const { code, stderr } = await run.end;
    // The watchdog keeps the pipe open until it ends.
    expect(code).toBeNull();
    expect(stderr).toMatch(/has not answered for 1500 ms: a strategy hangs/);
    expect(stderr).toMatch(
      /No order is open at the venue.*Correct the strategy and start the bot\. .*`npx halfspread resume --db \S+`/,
    );
    expect(await client.countOpenOrders()).toBe(0);
    expect(isAlive(run.child.pid)).toBe(false);
    expect(received.join('')).toMatch(/has not answered for 1500 ms/);
    received.length = 0;

    bot.configure('alerts: { targets: [{ type: webhook, url: { env: TEST_WEBHOOK } }] }');
    const again = await bot.run();
    expect(again.output()).toMatch(/KILLED \(WATCHDOG: process \d+ has not answered/);
    expect(await bot.request('resume')).toMatchObject({ mode: 'ACTIVE' });
    await until(async () => (await client.countOpenOrders()) > 0, 'the bot trades again');
    again.child.kill('SIGTERM');
    expect(await again.end).toMatchObject({ code: 0 });
    expect(received.join('')).toContain('halfspread ended after a signal: 0 orders open at the venue, verified');
    expect(received.join('')).not.toContain('watchdog');
  });

  it('continues in the other market when its strategy throws in one', async () => {
    const slug = 'will-the-home-side-win-the-cup-final';
    const bot = new TestBot(url, 'strategy: picky');
    bot.configure(`strategy: picky\n`);
    bot.strategy('picky', `if (params.on !== 'bad') return maker; ${THROWING_HANDLERS}`);
    const file = join(bot.folder, 'bot.yaml');
    const text = readFileSync(file, 'utf8').replace(
      'final] }',
      `final], overrides: { ${slug}: { params: { on: bad } } } }`,
    );
    writeFileSync(file, text);
    const client = await bot.client();
    const run = await bot.run();
    await until(() => run.output().includes('the others continue'), 'the strategy has failed');
    const failed = async () => (await bot.status()).markets.find((market) => market.slug === slug);
    await until(async () => (await failed())?.openOrders === 0, 'the orders of the failed market are cancelled');
    await until(async () => (await client.countOpenOrders()) === 1, 'the other market is quoted');
    expect((await bot.status()).markets).toMatchObject([{ strategy: 'picky' }, { slug, strategy: null }]);
    run.child.kill('SIGTERM');
    expect(await run.end).toMatchObject({ code: 0 });
  });

  it('waits for a slow venue after one signal', async () => {
    const { bot, client, run, venue } = await startQuoting();
    venue.freeze();
    run.child.kill('SIGINT');
    await until(() => run.output().includes('cancelling every order'), 'the bot cancels its orders');
    venue.thaw();
    const { code, stdout } = await run.end;
    expect(code, run.output()).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ openOrdersAtVenue: 0 });
    expect(await client.countOpenOrders()).toBe(0);
    expect(existsSync(bot.socket)).toBe(false);
    await venue.close();
  });

  it('does not wait for the venue after two signals, and reports an unconfirmed end', async () => {
    const { client, run, venue } = await startQuoting();
    venue.freeze();
    run.child.kill('SIGINT');
    await until(() => run.output().includes('cancelling every order'), 'the bot cancels its orders');
    // Signals that follow at once belong to the first one.
    await sleep(300);
    const requests = Date.now();
    run.child.kill('SIGINT');
    const { code, stdout, stderr } = await run.end;
    expect(code, run.output()).toBe(5);
    expect(Date.now() - requests).toBeLessThan(4_000);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ openOrdersAtVenue: null });
    expect(stderr).toMatch(
      /the venue did not confirm whether orders are open.*`npx halfspread cancel-all --venue \S+\.yaml`/,
    );
    // The requests were sent, and the venue executes them when it continues.
    venue.thaw();
    await until(async () => (await client.countOpenOrders()) === 0, 'no order is open');
    await venue.close();
  });
});
