import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../../src/clock/index.ts';
import { BotReader } from '../../../src/store/index.ts';
import { runs } from '../../runs.ts';
import { anyAction } from '../../state/any-action.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, NAME, rewriteRows } from './bot-harness.ts';

const file = databaseFiles();

/** The account in the form of the rows. */
function rowsOf({ account }: BotHarness) {
  const open = account.markets.flatMap(({ orders }) => orders);
  const { cash, contributed, externalFills, unexplainedEvents } = account;
  return {
    open: open.map(({ order, remaining }) => [order, remaining]).toSorted(([a = 0], [b = 0]) => a - b),
    positions: account.markets.map(({ info, position }) => {
      const { yes, no, yesCost, noCost, realized, netCash, fees } = position;
      return { slug: info.slug, yes, no, yesCost, noCost, realized, netCash, fees };
    }),
    balance: { cash, contributed, external: externalFills, unexplained: unexplainedEvents },
  };
}

function read(reader: BotReader) {
  const balance = reader.balance();
  if (balance === undefined) throw new Error('no balance');
  const { updatedAt, ...rest } = balance;
  expect(updatedAt).toBeGreaterThan(0);
  return {
    open: reader
      .orders('open', 1_000)
      .map(({ order, remaining }) => [order, remaining])
      .toReversed(),
    positions: reader.positions().map(({ market, id, updatedAt: _, ...row }) => row),
    balance: rest,
  };
}

describe('the rows of a bot', () => {
  it('match the account at the end of a turn, after any events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAction, { maxLength: 60 }), async (actions) => {
        const name = file();
        const bot = BotHarness.open({ file: name });
        for (const action of actions) bot.apply(action);
        // A change by a market message, such as a resolution, is written with the next change of money.
        bot.apply({ kind: 'holding', order: 2, amount: 2, market: 0 });
        bot.apply({ kind: 'holding', order: 2, amount: 2, market: 1 });
        await nextEventLoopTurn();
        const reader = BotReader.open(name);
        expect(read(reader)).toEqual(rowsOf(bot));
        reader.close();
      }),
      { numRuns: runs(60) },
    );
  }, 180_000);

  it('show the history of orders, fills and corrections', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    const apply = (kind: Parameters<BotHarness['apply']>[0]['kind'], order: number, amount: number) =>
      bot.apply({ kind, order, amount, market: 0 });
    for (const amount of [4, 4, 4, 4, 1]) apply('place', 1, amount);
    apply('uncertain', 1, 0);
    apply('rejected', 2, 0);
    apply('filled', 3, 3);
    apply('closed', 3, 0);
    apply('filled', 4, 0);
    apply('external', 0, 1);
    apply('cash', 0, 9);
    apply('holding', 1, 3);
    await nextEventLoopTurn();
    const reader = BotReader.open(name);
    expect(reader.orders('all', 9).map(({ order, status, reason, filled }) => [order, status, reason, filled])).toEqual(
      [
        [5, 'NEW', null, 0],
        [4, 'FILLED', null, 1_000_000],
        [3, 'CLOSED', 'USER', 4_000_000],
        [2, 'REJECTED', 'CONFLICT', 0],
        [1, 'UNKNOWN', null, 0],
      ],
    );
    expect(reader.orders('all', 1)[0]).toMatchObject({ outcome: 'NO', side: 'BUY', price: 1_010, hash: null });
    expect(reader.fills(9).map(({ order, shares }) => [order, shares])).toEqual([
      [0, 10_000_000],
      [4, 1_000_000],
      [3, 4_000_000],
    ]);
    const nothing = { cash: null, yes: null, no: null, yesCost: null, noCost: null, market: null };
    expect(reader.adjustments(9)).toMatchObject([
      { ...nothing, market: 0, yes: 3_000_000, no: 1_000_000, yesCost: 900_000, noCost: 900_000 },
      { ...nothing, cash: 2_000_000 },
    ]);
    expect(reader.progress()).toEqual({
      name: NAME,
      recovery: null,
      lastSeq: bot.seq - 1,
      lastAt: Number(bot.account.now),
      cursor: 0,
      epoch: 0,
      risk: JSON.parse(JSON.stringify(bot.risk())),
    });
    reader.close();
  });

  it('that are damaged are reported with file and table', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    await bot.store.close(1);
    rewriteRows(name, `UPDATE bot SET risk = '{"mode":'`);
    const reader = BotReader.open(name);
    expect(() => reader.progress()).toThrow(`${name}, table bot: risk’s state cannot be read`);
    reader.close();
  });

  it('are not read from a missing file', () => {
    expect(() => BotReader.open(file())).toThrow('there is no such file. Name the file that the bot was started with');
  });
});
