import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../../src/clock/index.ts';
import { type EpochMs, timeAfter, unchecked } from '../../../src/domain/index.ts';
import { BotReader, pruneFile, retentionTask } from '../../../src/store/index.ts';
import { IS_SHORT } from '../../runs.ts';
import { killAfterLines } from '../killed-child.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, placedOrders, rewriteRows, signedRecord } from './bot-harness.ts';

const file = databaseFiles();
const DAY = 86_400_000;

/** Places orders and fills or closes them, each at a different time. */
function trade(bot: BotHarness, orders: number): void {
  for (let count = 0; count < orders; count += 1) {
    const step = bot.apply({ kind: 'place', order: 1, amount: 1 + (count % 5), market: count % 2 });
    bot.store.addSigned((step?.commands ?? []).flatMap(placedOrders).map(signedRecord));
    const order = bot.lastOrder;
    bot.apply({ kind: 'accepted', order, amount: 1, market: 0 });
    bot.apply({ kind: count % 3 === 0 ? 'closed' : 'filled', order, amount: 0, market: 0 });
  }
}

interface Sums {
  readonly fills: number;
  readonly shares: number;
  readonly amount: number;
  readonly fees: number;
}

function rowsOf<T>(name: string, text: string): readonly T[] {
  const connection = new Database(name, { readonly: true });
  try {
    return connection.prepare<[], T>(text).all();
  } finally {
    connection.close();
  }
}

const days = (name: string) => rowsOf<Sums>(name, 'SELECT * FROM days ORDER BY day, market, outcome, side, liquidity');
const counts = (name: string) =>
  rowsOf<{ steps: number; orders: number; fills: number; signed: number }>(
    name,
    `SELECT (SELECT count(*) FROM steps) steps, (SELECT count(*) FROM orders) orders, (SELECT count(*) FROM fills) fills,
       (SELECT count(*) FROM signed) signed`,
  )[0];

/** The state with which a bot starts, and the output of operators' commands. */
function startAndRead(name: string) {
  const bot = BotHarness.open({ file: name });
  const reader = BotReader.open(name);
  const received = {
    account: bot.account.snapshot(),
    risk: bot.risk(),
    lastOrder: bot.lastOrder,
    positions: reader.positions().map(({ updatedAt: _, ...row }) => row),
    cash: reader.balance()?.cash,
    open: reader.orders('open', 1_000_000),
  };
  reader.close();
  return { bot, reported: received };
}

describe('the removal of old data from a bot’s file', () => {
  it('removes all dependent rows, and keeps daily sums, positions and the rows for a start', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, snapshotEvery: 50 });
    trade(bot, 300);
    const middle = bot.account.now;
    trade(bot, 200);
    await bot.store.close(bot.account.now);
    const before = startAndRead(name);
    await before.bot.store.close(1);
    const [sums, rows] = [days(name), counts(name)];
    const removed = pruneFile(name, middle);
    expect(removed.orders).toBeGreaterThan(250);
    expect(removed.fills).toBeGreaterThan(150);
    expect(removed.steps).toBeGreaterThan(500);
    expect(counts(name)).toMatchObject({
      steps: (rows?.steps ?? 0) - removed.steps,
      orders: (rows?.orders ?? 0) - removed.orders,
      fills: (rows?.fills ?? 0) - removed.fills,
    });
    expect(days(name)).toEqual(sums);
    const after = startAndRead(name);
    expect(after.reported).toEqual(before.reported);
    // The remaining rows are recent, and the bot continues normally.
    expect(after.bot.store.beginPruning(middle)()).toEqual({ steps: 0, orders: 0, fills: 0 });
    trade(after.bot, 10);
    await after.bot.store.close(1);
    expect(days(name).reduce((all, { fills }) => all + fills, 0)).toBeGreaterThan(
      sums.reduce((all, { fills }) => all + fills, 0),
    );
  });

  it('works also when the clock was ahead earlier', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, snapshotEvery: 10 });
    trade(bot, 300);
    await bot.store.close(1);
    const end = timeAfter(bot.account.now, 1);
    rewriteRows(
      name,
      `UPDATE orders SET sent_at = ${end + 9}, updated_at = ${end + 9} WHERE order_no <= 150;
       UPDATE fills SET at = ${end + 9} WHERE order_no <= 150; UPDATE steps SET at = ${end + 9} WHERE seq <= 450`,
    );
    const sums = days(name);
    const removed = pruneFile(name, end);
    expect(removed).toMatchObject({ orders: 150, fills: 100 });
    expect(removed.steps).toBeGreaterThan(50);
    expect(days(name)).toEqual(sums);
  });

  it('leaves orders that are open or changed later, with their fills', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, snapshotEvery: 5 });
    bot.apply({ kind: 'place', order: 1, amount: 9, market: 0 });
    const open = bot.lastOrder;
    bot.apply({ kind: 'accepted', order: open, amount: 1, market: 0 });
    bot.apply({ kind: 'filled', order: open, amount: 2, market: 0 });
    trade(bot, 20);
    await bot.store.close(1);
    pruneFile(name, timeAfter(bot.account.now, 1));
    const reader = BotReader.open(name);
    expect(reader.orders('all', 100).map(({ order, status }) => [order, status])).toEqual([[open, 'LIVE']]);
    expect(reader.fills(100).map(({ order }) => order)).toEqual([open]);
    reader.close();
  });

  it('runs while the bot runs, once an hour, in slices between which the event loop turns', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, snapshotEvery: 50 });
    trade(bot, 400);
    await nextEventLoopTurn();
    const sums = days(name);
    const received: object[] = [];
    const failed: unknown[] = [];
    const retention = retentionTask({
      store: bot.store,
      maxAgeMs: DAY,
      onPruned: (rows) => received.push(rows),
      onFailed: (error) => failed.push(error),
    });
    const now: EpochMs = timeAfter(bot.account.now, DAY + 1);
    let turned = 0;
    const turning = setInterval(() => {
      turned += 1;
    }, 0);
    while (received.length === 0) await retention(now);
    clearInterval(turning);
    expect(received).toEqual([{ steps: expect.any(Number), orders: expect.any(Number), fills: expect.any(Number) }]);
    expect(counts(name)?.orders).toBeLessThan(100);
    expect(days(name)).toEqual(sums);
    const rows = counts(name);
    trade(bot, 100);
    await retention(timeAfter(now, 3_599_000));
    expect(counts(name)?.orders).toBeGreaterThan(rows?.orders ?? 0);
    await retention(timeAfter(now, 3_600_000));
    expect(received.length).toBe(2);
    expect([turned > 0, failed]).toEqual([true, []]);
    await bot.store.close(1);
    await retention(timeAfter(now, 9_000_000));
    expect(failed.length).toBeLessThanOrEqual(1);
  });

  it.skipIf(IS_SHORT)(
    'keeps every amount in its row or in a sum after a kill at any time',
    async () => {
      const name = file();
      const bot = BotHarness.open({ file: name, snapshotEvery: 200 });
      trade(bot, 2_500);
      const end = timeAfter(bot.account.now, 1);
      await bot.store.close(1);
      const before = startAndRead(name);
      await before.bot.store.close(1);
      const sums = days(name);
      const rowsOf = (): number => Object.values(counts(name) ?? {}).reduce((all, count) => all + count, 0);
      let left = rowsOf();
      for (const [at, lines] of [1, 4, 9, 15].entries()) {
        const output = await killAfterLines(new URL('./pruning-child.ts', import.meta.url), [name, String(end)], lines);
        expect(output.length).toBeGreaterThanOrEqual(lines);
        expect(days(name)).toEqual(sums);
        const now = rowsOf();
        expect([at, now < left]).toEqual([at, true]);
        left = now;
      }
      pruneFile(name, end);
      expect(counts(name)).toMatchObject({ fills: 0, orders: 0 });
      expect(days(name)).toEqual(sums);
      const after = startAndRead(name);
      expect(after.reported).toEqual(before.reported);
      await after.bot.store.close(1);
    },
    120_000,
  );

  it('continues the numbers of signed orders after their bytes are removed', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, snapshotEvery: 5 });
    trade(bot, 30);
    const last = bot.lastOrder;
    await bot.store.close(1);
    pruneFile(name, timeAfter(bot.account.now, 1));
    const restarted = BotHarness.open({ file: name });
    expect(restarted.lastOrder).toBe(last);
    expect(restarted.store.findByNumber(unchecked.order(last))?.order).toBe(last);
    expect(restarted.store.findByNumber(unchecked.order(last - 1))).toBeUndefined();
    await restarted.store.close(1);
  });
});
