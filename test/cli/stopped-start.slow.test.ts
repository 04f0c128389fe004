/**
 * A bot that receives a signal while it starts, at any moment of it, and while its venue hangs: it ends by itself, says by its exit
 * code whether the venue has confirmed that nothing is open, and leaves no process and no order that its journal does not know.
 * `MOMENTS` sets how many.
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

// Whole processes start and end here, on whatever machine this is.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 });

const MOMENTS = Number(process.env['MOMENTS'] ?? 8);
const TRADING = /trading \d+ market/;
const random = seededRandom(5);
let venue: Awaited<ReturnType<typeof openVenue>>;
let line: FreezingProxy;

beforeAll(async () => {
  venue = await openVenue();
  line = await FreezingProxy.open(venue.url);
});
afterEach(() => {
  line.isFrozen = false;
});
afterAll(async () => {
  killPrograms();
  line.close();
  await venue.close();
  endAll();
});

/** Reaches the venue over the line. */
function behindTheLine(sections = ''): TestBot {
  const bot = new TestBot(venue.url, sections);
  const file = join(bot.folder, 'bot.yaml');
  const way = `venue: { url: "${line.url}", audience: "${venue.url}", timeout_ms: 1000 }`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^venue: .*$/m, way));
  return bot;
}

function start({ folder }: TestBot): Program {
  return new Program(['run', 'bot.yaml', '--db', 'bot.db', '--json'], folder);
}

/** Killed with open quotes that the venue has received. @returns how long its start took on this machine, in milliseconds */
async function leavesQuotes(bot: TestBot): Promise<number> {
  const begin = Date.now();
  const program = start(bot);
  expect(await program.says(TRADING)).toBe(true);
  const startMs = Date.now() - begin;
  await until(async () => (await bot.status()).openOrders >= 4, 'it quotes');
  program.signal('SIGKILL');
  await program.ended;
  return startMs;
}

/** Of the bot's folder: the program itself, or its watchdog. */
function processesOf({ folder }: TestBot): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(`XDG_STATE_HOME=${folder}\0`);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** Open at the venue, and not in the bot's journal. */
async function unknownOrders(bot: TestBot): Promise<readonly string[]> {
  const open = await (await bot.client()).orders();
  const reader = BotReader.open(join(bot.folder, 'bot.db'));
  const known = new Set(reader.orders(true, 1_000).map(({ hash }) => hash));
  reader.close();
  return open.map(({ id }) => id).filter((id) => !known.has(id));
}

describe('a bot that gets a signal to end', () => {
  it(`at ${MOMENTS} moments of its start ends by itself and leaves no unknown order open`, async () => {
    // The warm-up is a part of a start.
    const bot = behindTheLine('watchdog_ms: none\nwarmup_ms: 2');
    const codes: (number | null)[] = [];
    let startMs = 0;
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      if (moment % 5 === 0) startMs = await leavesQuotes(bot);
      const program = start(bot);
      const waits = [program.says(TRADING)];
      // The last one trades.
      if (moment < MOMENTS - 1) waits.push(sleep(random.int(startMs), true));
      await Promise.race(waits);
      program.signal('SIGTERM');
      const code = await program.ended;
      codes.push(code);
      expect(await unknownOrders(bot), program.said).toEqual([]);
      // No code: the signal came before there was anybody to hear it, and before anything was sent.
      if (code !== null) {
        expect(code, program.said).toBe(0);
        expect(await (await bot.client()).openOrders()).toBe(0);
      }
      expect(processesOf(bot)).toEqual([]);
    }
    expect(codes).toContain(0);
  });

  it.each([
    ['before it has logged in', undefined],
    ['while it reads the venue', /"msg":"recovered"/],
    ['while it trades', TRADING],
  ])('while a venue hangs %s ends anyway, and reports an unconfirmed end', async (_, moment) => {
    const bot = behindTheLine('watchdog_ms: 5000');
    await leavesQuotes(bot);
    // The watchdog of the one that was killed asks, too.
    await until(() => processesOf(bot).length === 0, 'no process is left');
    line.isFrozen = moment === undefined;
    const program = start(bot);
    const { taken } = line;
    if (moment === undefined) await until(() => line.taken > taken, 'it asks to be let in');
    else expect(await program.says(moment)).toBe(true);
    line.isFrozen = true;
    program.signal('SIGTERM');
    expect(await program.ended, program.said).toBe(5);
    expect(program.said).toMatch(
      /startup was cancelled|did not confirm whether orders are open|did not answer|no answer/,
    );
    line.isFrozen = false;
    // Whoever was left to watch cancels what stands, and goes.
    await until(() => processesOf(bot).length === 0, 'no process is left', 120_000);
    expect(await unknownOrders(bot)).toEqual([]);
  });

  it('twice does not wait for a venue that hangs', async () => {
    const bot = behindTheLine('watchdog_ms: none');
    const program = start(bot);
    expect(await program.says(TRADING)).toBe(true);
    line.isFrozen = true;
    program.signal('SIGTERM');
    expect(await program.says(/cancelling every order/)).toBe(true);
    program.signal('SIGTERM');
    expect(await program.ended, program.said).toBe(5);
    line.isFrozen = false;
    expect(await unknownOrders(bot)).toEqual([]);
  });
});
