/** The demo as its users run it: a venue, a recorded match and a bot, on real sockets and files. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { disagreements } from '../../src/app/demo/agreement.ts';
import { wallClock } from '../../src/clock/index.ts';
import { column, formatMicros } from '../../src/domain/index.ts';
import { AccountClient, VenueLine } from '../../src/ops/index.ts';
import { BotReader } from '../../src/store/index.ts';
import { type Ended, ended, newFolder, start } from './halfspread.ts';

/** Starts of three processes on a machine that is busy with other tests. */
const SLOW = 120_000;

const outcomeSchema = z.object({
  ended: z.string(),
  seconds: z.number(),
  fills: z.object({ count: z.int().min(0), maker: z.int().min(0), external: z.int() }),
  pnl: z.object({ totalMicros: z.int(), realizedMicros: z.int(), unrealizedMicros: z.int(), text: z.string() }),
  orders: z.object({ place: z.int() }),
  openOrdersAtVenue: z.int().nullable(),
  reconcileDifferences: z.int(),
  differences: z.array(z.unknown()),
  health: z.object({
    mode: z.string(),
    link: z.string(),
    looks: z.int(),
    mostOpenOrders: z.int(),
    rejectedByVenue: z.record(z.string(), z.number()),
    cpuMs: z.object({ bot: z.number().positive(), venue: z.number().positive() }),
  }),
  report: z.string(),
});

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** In a folder of its own, with one for what is temporary in it. */
function demoIn(folder: string, args: readonly string[]): ChildProcess {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const child = start(['demo', ...args], folder, [], { ...process.env, TMPDIR: temporary });
  running.add(child);
  return child;
}

/** What stands in the folder for what is temporary, apart from what Node keeps there. */
function left(folder: string): readonly string[] {
  return readdirSync(join(folder, 'tmp')).filter((name) => name.startsWith('halfspread-demo'));
}

/** Waits until it writes this to standard output; the answer is what it has written. */
function shown(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer | string) => {
      text += chunk.toString();
      const found = pattern.exec(text);
      if (found !== null) resolve(found);
    });
    child.on('close', () => reject(new Error(`it ended without showing ${String(pattern)}: ${text}`)));
  });
}

async function isReached(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    () => true,
    () => false,
  );
}

/** A venue that says what is told here. */
class ToldLine extends VenueLine {
  readonly #told: Readonly<Record<string, unknown>>;

  constructor(told: Readonly<Record<string, unknown>>) {
    super({ url: 'http://127.0.0.1:1', clock: wallClock() });
    this.#told = told;
  }

  override ask(operation: { readonly field: string }): Promise<unknown> {
    return Promise.resolve(this.#told[operation.field]);
  }
}

describe('halfspread demo', () => {
  let folder = '';
  let whole: Ended;
  beforeAll(async () => {
    folder = newFolder();
    whole = await ended(demoIn(folder, ['--duration', '3s', '--json', '--keep', 'kept']));
  }, SLOW);

  it('quotes, ends by itself, leaves no order, and prints one object', () => {
    const { code, stdout, stderr } = whole;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const outcome = outcomeSchema.parse(JSON.parse(stdout));
    expect(outcome).toMatchObject({
      ended: 'duration',
      openOrdersAtVenue: 0,
      reconcileDifferences: 0,
      differences: [],
      health: { mode: 'ACTIVE', link: 'UP' },
    });
    expect(outcome.orders.place).toBeGreaterThan(0);
    expect(outcome.health.mostOpenOrders).toBeGreaterThan(0);
    // Recorded markets have prices of their own, which the bot has to know.
    expect(outcome.health.rejectedByVenue).not.toHaveProperty('INVALID_TICK');
    expect(outcome.pnl.realizedMicros + outcome.pnl.unrealizedMicros).toBe(outcome.pnl.totalMicros);
    expect(readFileSync(outcome.report, 'utf8')).toContain('<title>ladder on a recorded match');
    expect(left(folder)).toEqual([]);
  });

  it('keeps databases and logs on request, and no key in them', () => {
    const kept = join(folder, 'kept');
    const names = readdirSync(kept);
    expect(names).toEqual(expect.arrayContaining(['bot.db', 'bot.log', 'venue.db', 'venue.log']));
    expect(readFileSync(join(kept, 'bot.log'), 'utf8')).not.toMatch(/\b[0-9a-f]{64}\b/);
  });

  it('compares both books, and names each number in which they differ', async () => {
    const db = join(folder, 'kept/bot.db');
    const reader = BotReader.open(db);
    const cash = reader.balance()?.cash ?? 0;
    reader.close();
    expect(cash).toBeGreaterThan(0);
    const page = (nodes: readonly unknown[]) => ({
      edges: nodes.map((node) => ({ node })),
      pageInfo: { hasNextPage: false, endCursor: null },
    });
    const position = {
      marketId: 'other',
      market: { slug: 'other' },
      outcome: 'NO',
      shares: 2.5,
      averagePriceBps: 5_000,
      valueCents: 0,
      realizedPnlMicros: '0',
    };
    const line = new ToldLine({
      balance: { availableMicros: `${cash}`, reservedMicros: '1' },
      tradingSafety: { openOrderCount: 1, orderEpoch: '0', mode: 'NORMAL', heartbeatArmed: false },
      fills: page([]),
      positions: page([position]),
    });
    const found = await disagreements(db, new AccountClient(line));
    expect(found).toContainEqual({ what: 'open orders', bot: '0', venue: '1' });
    expect(found).toContainEqual({ what: 'NO shares in market other', bot: '0', venue: '2.500000' });
    const exact = (micros: number): string => formatMicros(column.usd(micros));
    expect(found).toContainEqual({ what: 'cash', bot: exact(cash), venue: exact(cash + 1) });
  });

  it(
    'cancels, verifies and reports on SIGINT, and its venue ends too',
    async () => {
      const folder = newFolder();
      const child = demoIn(folder, ['--duration', '10m']);
      const end = ended(child);
      const [, url = ''] = await shown(child, /venue (http:\S+)\/graphql/);
      await shown(child, /[1-9]\d* open \|/);
      expect(await isReached(url)).toBe(true);
      child.kill('SIGINT');
      const { code, stdout } = await end;
      expect(code).toBe(0);
      expect(stdout).toContain('ended     on request, after ');
      expect(stdout).toContain('open      0 own orders at the venue, verified\n');
      expect(stdout).toContain("compared  no difference between the bot's database and the venue");
      expect(await isReached(url)).toBe(false);
      expect(left(folder)).toEqual([]);
    },
    SLOW,
  );

  it(
    'says that nothing was traded, and leaves nothing, when it is ended before it began, asked once or twice',
    async () => {
      for (const signals of [['SIGINT'], ['SIGINT', 'SIGTERM']] as const) {
        const folder = newFolder();
        const child = demoIn(folder, ['--duration', '10m']);
        const end = ended(child);
        await shown(child, /a venue on this machine plays/);
        for (const signal of signals) child.kill(signal);
        const { code, stdout, stderr } = await end;
        expect(code).toBe(130);
        expect(stderr).toBe('error: the demo was ended before its bot had begun: nothing was traded\n');
        expect(stdout).not.toMatch(/compared|equity/);
        expect(left(folder)).toEqual([]);
      }
    },
    SLOW,
  );

  it(
    'has its venue end and its files removed when it is killed',
    async () => {
      const folder = newFolder();
      const child = demoIn(folder, ['--duration', '10m']);
      const [, url = ''] = await shown(child, /venue (http:\S+)\/graphql/);
      child.kill('SIGKILL');
      await expect.poll(() => isReached(url), { timeout: SLOW / 2 }).toBe(false);
      await expect.poll(() => left(folder), { timeout: SLOW / 2 }).toEqual([]);
    },
    SLOW,
  );

  it.each([
    ['--duration', '30', 'a time with its unit'],
    ['--duration', '0s', 'above 0'],
    ['--credit-cents', '1.5', 'whole cents'],
  ])('refuses %s %s before it starts anything', async (option, value, expected) => {
    const folder = newFolder();
    const { code, stdout, stderr } = await ended(demoIn(folder, [option, value]));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(option);
    expect(stderr).toContain(expected);
    expect(left(folder)).toEqual([]);
  });

  it('refuses to keep its files where there are some', async () => {
    const folder = newFolder();
    const { code, stderr } = await ended(demoIn(folder, ['--keep', '.']));
    expect(code).toBe(2);
    expect(stderr).toContain('--keep');
    expect(existsSync(join(folder, 'venue.db'))).toBe(false);
  });
});
