/** A bot after a power cut: its files lack the last orders that it sent, and the machine was restarted. */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { afterAll, expect, it, vi } from 'vitest';
import { readBootId } from '../../src/store/index.ts';
import { commitMarkPath, readCommitMark, writeCommitMark } from '../../src/store/sqlite/mark-file.ts';
import { copyOf } from '../store/bot/bot-harness.ts';
import { Harness } from '../venues/service/harness.ts';
import { accountAt } from '../venues/service/holdings.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const { machine } = vi.hoisted(() => ({ machine: { uptimeS: 1_000_000 } }));
vi.mock('node:os', async (original) => ({ ...(await original<object>()), uptime: () => machine.uptimeS }));

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

const FILES = ['', '-wal', '-intents'];

// Only Linux identifies a start of the machine.
it.skipIf(readBootId() === undefined)(
  'a bot after a power cut reports the gap, agrees with the venue and quotes without an unknown order',
  async () => {
    const id = await harness.market(1);
    await placeDistantOrders(harness, id);
    const live = new LiveFixture(harness, `markets: { ids: ["${id}"] }`);
    const { db } = live.paths;
    const first = await live.run();
    await waitForQuotes(first);
    const onDisk = copyOf(db, `${db}.disk`);
    const known = Math.max(...first.bot.orders().map(({ order }) => order));

    // The following fill and quotes are acknowledged but never reach the disk.
    const taker = await harness.trader();
    await taker.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 9_000, shares: 3 });
    const isRequoted = (): boolean => {
      const orders = first.bot.orders().filter(({ phase }) => phase === 'live');
      return orders.length === 4 && orders.some(({ order }) => order > known);
    };
    await until(isRequoted, 'the bot quotes again after the fill');
    const mark = readCommitMark(db);
    if (typeof mark !== 'object') throw new Error('a bot that runs has a mark');
    await first.close();
    const before = await accountAt(harness, live.key);
    expect(before.open.size).toBe(4);
    for (const end of FILES) {
      rmSync(db + end, { force: true });
      if (existsSync(onDisk + end)) copyFileSync(onDisk + end, db + end);
    }
    writeCommitMark(db, { ...mark, isInUse: true }, 'the start before');
    expect(existsSync(commitMarkPath(db))).toBe(true);
    machine.uptimeS = 0;

    const second = await live.run();
    const { recovery } = second.bot.status();
    expect(recovery).toMatchObject({ cause: 'start', gap: { cause: 'POWER_CUT' } });
    expect(recovery?.gap?.entries).toBeGreaterThan(0);
    expect(recovery?.outcome).not.toBe('disagrees');
    expect(recovery?.text).toContain('the machine stopped while the bot ran');
    // The bot also offers its position.
    await until(
      () => second.bot.orders().length >= 4 && second.bot.orders().every(({ phase }) => phase === 'live'),
      'the bot quotes',
    );
    const during = await accountAt(harness, live.key);
    expect([...before.open.keys()].filter((order) => during.open.has(order))).toEqual([]);
    expect(during.open.size).toBe(second.bot.orders().length);
    expect(await stopAndClose(second)).toBe(0);
    expect((await accountAt(harness, live.key)).open.size).toBe(0);

    const third = await live.run();
    expect(third.bot.status().recovery).not.toHaveProperty('gap');
    await stopAndClose(third);
  },
);
