/**
 * A bot that gets a signal during its start, also while its venue hangs. It ends by itself and leaves no process. Its
 * exit code shows whether the venue confirmed that no order is open. Every order that it leaves open is in its journal.
 * `MOMENTS` sets the number of signals.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../src/clock/index.ts';
import { BotReader } from '../../src/store/index.ts';
import { killPrograms, Program } from './child-program.ts';
import { FreezingProxy } from './freezing-proxy.ts';
import { endAll, openVenue, TestBot, until } from './trading.ts';

// Tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 });

const MOMENTS = Number(process.env['MOMENTS'] ?? 8);
const TRADING = /trading \d+ market/;
const random = seededRandom(5);
let venue: Awaited<ReturnType<typeof openVenue>>;
let proxy: FreezingProxy;

beforeAll(async () => {
  venue = await openVenue();
  proxy = await FreezingProxy.open(venue.url);
});
afterEach(() => {
  proxy.isFrozen = false;
});
afterAll(async () => {
  killPrograms();
  proxy.close();
  await venue.close();
  endAll();
});

/** A bot that reaches the venue through the proxy. */
function botOnProxy(sections = ''): TestBot {
  const bot = new TestBot(venue.url, sections);
  const file = join(bot.folder, 'bot.yaml');
  const way = `venue: { url: "${proxy.url}", audience: "${venue.url}", timeout_ms: 1000 }`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^venue: .*$/m, way));
  return bot;
}

function start({ folder }: TestBot): Program {
  return new Program(['run', 'bot.yaml', '--db', 'bot.db', '--json'], folder);
}

/** Kills a bot with open quotes. @returns duration of its start, ms */
async function killWithQuotes(bot: TestBot): Promise<number> {
  const begin = Date.now();
  const program = start(bot);
  expect(await program.waitForOutput(TRADING)).toBe(true);
  const startMs = Date.now() - begin;
  await until(async () => (await bot.status()).openOrders >= 4, 'the bot quotes');
  program.signal('SIGKILL');
  await program.ended;
  return startMs;
}

/** Processes with files in the bot's folder: the program and its watchdog. */
function processesOf({ folder }: TestBot): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(`XDG_STATE_HOME=${folder}\0`);
    } catch {
      // The process ended after it was listed.
      return false;
    }
  });
}

/** Orders that are open at the venue and missing in the bot's journal. */
async function unknownOrders(bot: TestBot): Promise<readonly string[]> {
  const open = await (await bot.client()).orders();
  const reader = BotReader.open(join(bot.folder, 'bot.db'));
  const known = new Set(reader.orders('open', 1_000).map(({ hash }) => hash));
  reader.close();
  return open.map(({ id }) => id).filter((id) => !known.has(id));
}

describe('a bot that gets a signal to end', () => {
  it(`ends by itself at any of ${MOMENTS} moments of its start, and leaves no unknown order open`, async () => {
    // The warm-up is part of a start.
    const bot = botOnProxy('watchdog_ms: none\nwarmup_ms: 2');
    const codes: (number | null)[] = [];
    let startMs = 0;
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      if (moment % 5 === 0) startMs = await killWithQuotes(bot);
      const program = start(bot);
      const waits = [program.waitForOutput(TRADING)];
      // The last bot trades.
      if (moment < MOMENTS - 1) waits.push(sleep(random.int(startMs), true));
      await Promise.race(waits);
      program.signal('SIGTERM');
      const code = await program.ended;
      codes.push(code);
      expect(await unknownOrders(bot), program.output).toEqual([]);
      // No exit code: the signal arrived before its handler was installed and before anything was sent.
      if (code !== null) {
        expect(code, program.output).toBe(0);
        expect(await (await bot.client()).countOpenOrders()).toBe(0);
      }
      expect(processesOf(bot)).toEqual([]);
    }
    expect(codes).toContain(0);
  });

  it.each([
    ['before it has logged in', undefined],
    ['while it reads the venue', /"msg":"recovered"/],
    ['while it trades', TRADING],
  ])('ends while the venue hangs %s, and reports an unconfirmed end', async (_, moment) => {
    const bot = botOnProxy('watchdog_ms: 5000');
    await killWithQuotes(bot);
    // The watchdog of the killed bot also queries the venue.
    await until(() => processesOf(bot).length === 0, 'no process is left');
    proxy.isFrozen = moment === undefined;
    const program = start(bot);
    const { acceptedConnections } = proxy;
    if (moment === undefined) await until(() => proxy.acceptedConnections > acceptedConnections, 'the bot connects');
    else expect(await program.waitForOutput(moment)).toBe(true);
    proxy.isFrozen = true;
    program.signal('SIGTERM');
    expect(await program.ended, program.output).toBe(5);
    expect(program.output).toMatch(
      /startup was cancelled|did not confirm whether orders are open|did not answer|no answer/,
    );
    proxy.isFrozen = false;
    // A remaining watchdog cancels the open orders and ends.
    await until(() => processesOf(bot).length === 0, 'no process is left', 120_000);
    expect(await unknownOrders(bot)).toEqual([]);
  });

  it('does not wait for a hanging venue after a second signal', async () => {
    const bot = botOnProxy('watchdog_ms: none');
    const program = start(bot);
    expect(await program.waitForOutput(TRADING)).toBe(true);
    proxy.isFrozen = true;
    program.signal('SIGTERM');
    expect(await program.waitForOutput(/cancelling every order/)).toBe(true);
    // Signals that follow at once belong to the first one.
    await sleep(300);
    program.signal('SIGTERM');
    expect(await program.ended, program.output).toBe(5);
    proxy.isFrozen = false;
    expect(await unknownOrders(bot)).toEqual([]);
  });
});
