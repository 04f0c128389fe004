/** Runs the demo as a user does: a venue, a recorded match and a bot on real sockets and files. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findDifferences } from '../../src/app/demo/find-differences.ts';
import { wallClock } from '../../src/clock/index.ts';
import { formatMicros, unchecked } from '../../src/domain/index.ts';
import { AccountClient, VenueHttp } from '../../src/ops/index.ts';
import { BotReader } from '../../src/store/index.ts';
import { leftoverFiles, START_TIMEOUT_MS, startDemo } from './demo-process.ts';
import { type Ended, ended, newFolder } from './halfspread.ts';
import { expectAllDocumented } from './json-page.ts';
import { runInProcess } from './trading.ts';

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
    samples: z.int(),
    mostOpenOrders: z.int(),
    rejectedByVenue: z.record(z.string(), z.number()),
    cpuMs: z.object({ bot: z.number().positive(), venue: z.number().positive() }),
  }),
  report: z.string(),
});

/** A venue that returns fixed answers. */
class FakeVenueHttp extends VenueHttp {
  readonly #answers: Readonly<Record<string, unknown>>;

  constructor(answers: Readonly<Record<string, unknown>>) {
    super({ url: 'http://127.0.0.1:1', clock: wallClock() });
    this.#answers = answers;
  }

  override request(operation: { readonly field: string }): Promise<unknown> {
    return Promise.resolve(this.#answers[operation.field]);
  }
}

describe('halfspread demo', () => {
  let folder = '';
  let result: Ended;
  beforeAll(async () => {
    folder = newFolder();
    result = await ended(startDemo(folder, ['--duration', '3s', '--json', '--keep', 'kept']));
  }, START_TIMEOUT_MS);

  it('quotes, ends after its duration, leaves no open order, and prints one JSON object', () => {
    const { code, stdout, stderr } = result;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const outcome = outcomeSchema.parse(JSON.parse(stdout));
    expectAllDocumented('demo', JSON.parse(stdout), ['status']);
    expect(outcome).toMatchObject({
      ended: 'duration',
      openOrdersAtVenue: 0,
      reconcileDifferences: 0,
      differences: [],
      health: { mode: 'ACTIVE', link: 'UP' },
    });
    expect(outcome.orders.place).toBeGreaterThan(0);
    expect(outcome.health.mostOpenOrders).toBeGreaterThan(0);
    // Recorded markets have their own tick sizes, which the bot has to use.
    expect(outcome.health.rejectedByVenue).not.toHaveProperty('INVALID_TICK');
    expect(outcome.pnl.realizedMicros + outcome.pnl.unrealizedMicros).toBe(outcome.pnl.totalMicros);
    expect(readFileSync(outcome.report, 'utf8')).toContain('<title>ladder on a recorded match');
    expect(leftoverFiles(folder)).toEqual([]);
  });

  it('keeps databases and logs with --keep, and no log contains a key', () => {
    const kept = join(folder, 'kept');
    const names = readdirSync(kept);
    expect(names).toEqual(expect.arrayContaining(['bot.db', 'bot.log', 'venue.db', 'venue.log']));
    expect(readFileSync(join(kept, 'bot.log'), 'utf8')).not.toMatch(/\b[0-9a-f]{64}\b/);
  });

  it('compares the bot’s account with the venue’s and names each difference', async () => {
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
    const line = new FakeVenueHttp({
      balance: { availableMicros: `${cash}`, reservedMicros: '1' },
      tradingSafety: { openOrderCount: 1, orderEpoch: '0', mode: 'NORMAL', heartbeatArmed: false },
      fills: page([]),
      positions: page([position]),
    });
    const found = await findDifferences(db, new AccountClient(line));
    expect(found).toContainEqual({ what: 'open orders', bot: '0', venue: '1' });
    expect(found).toContainEqual({ what: 'NO shares in market other', bot: '0', venue: '2.500000' });
    const exact = (micros: number): string => formatMicros(unchecked.usd(micros));
    expect(found).toContainEqual({ what: 'cash', bot: exact(cash), venue: exact(cash + 1) });
  });

  it.each([
    ['--duration', '30', 'a time with its unit'],
    ['--duration', '0s', 'above 0'],
    ['--credit-cents', '1.5', 'whole cents'],
  ])('refuses %s %s before it starts a process', async (option, value, expected) => {
    const folder = newFolder();
    const { code, stdout, stderr } = await runInProcess(['demo', option, value], folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(option);
    expect(stderr).toContain(expected);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses --keep with a folder that is not empty', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'notes.txt'), '');
    const { code, stderr } = await runInProcess(['demo', '--keep', '.'], folder);
    expect(code).toBe(2);
    expect(stderr).toContain('--keep');
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });
});
