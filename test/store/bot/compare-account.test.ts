import { copyFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { databaseCheck } from '../../../src/cli/actions/database-check.ts';
import { listenForInterrupt } from '../../../src/cli/output/terminal.ts';
import { BotStore, checkBotFile } from '../../../src/store/index.ts';
import { runs } from '../../runs.ts';
import { anyAction } from '../../state/any-action.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, copyOf, NAME, placedOrders, rewriteRows, signedRecord } from './bot-harness.ts';
import { findingsOf, smallBot, trade } from './small-bot.ts';

const file = databaseFiles();
let intact = '';
beforeAll(async () => {
  const bot = BotHarness.open({ file: file(), boot: 'first', snapshotEvery: 15 });
  trade(bot, 20);
  for (const kind of ['cash', 'holding', 'filled'] as const) bot.apply({ kind, order: 1, amount: 3, market: 0 });
  await bot.store.close(1);
  intact = bot.store.file;
});

/** Changes a copy and its checksums. */
function changedCopy(sql: string): string {
  const name = file();
  copyFileSync(intact, name);
  rewriteRows(name, sql);
  return name;
}

function check(name: string) {
  let out = '';
  let code = 0;
  const write = (text: string): void => {
    out += text;
  };
  const setExitCode = (exitCode: number): void => {
    code = exitCode;
  };
  const output = { write, writeColored: write, isTty: false, columns: 80, colors: false, stream: process.stderr };
  const terminal = { out: output, err: output, cwd: '/' };
  void databaseCheck({ terminal, setExitCode, interruption: listenForInterrupt }, [name], {});
  return { code, out };
}

describe('the check of a bot’s file against its steps', () => {
  it('finds nothing in an intact file, and lists what it compared', async () => {
    const { replayed } = checkBotFile(intact);
    expect(replayed).toMatchObject({ firstStep: 1 });
    expect(findingsOf(intact)).toEqual([]);
    const { code, out } = check(intact);
    expect(code).toBe(0);
    expect(out).toMatch(/^rows {10}intact, and equal to a replay of the steps$/m);
    expect(out).toMatch(
      /^compared {6}balance and positions with \d+ steps after snapshot \d+; fills and adjustments with the steps from 1$/m,
    );
  });

  it.each([
    [
      'UPDATE positions SET yes = yes + 1 WHERE market = 0',
      /^table positions, row market 0: yes is \d+; the steps give \d+$/,
    ],
    ['UPDATE balance SET cash = cash - 5', /^table balance, row id 1: cash is -?\d+; the steps give -?\d+$/],
    [
      "UPDATE fills SET trade = 'other' WHERE id = 2",
      /^table fills, row id 2: trade is "other"; the steps give (null|".*")$/,
    ],
    ['UPDATE fills SET price = price + 1 WHERE id = 3', /^table fills, row id 3: price is \d+; the steps give \d+$/],
    ['DELETE FROM fills WHERE id = 3', /^table fills: the row of step \d+ is missing$/],
    ['DELETE FROM balance', /^table balance, row id 1: it is missing$/],
    ['DELETE FROM positions WHERE market = 0', /^table positions, row market 0: it is missing$/],
    ['UPDATE positions SET market = 7 WHERE market = 1', /^table positions, row market 7: no step explains it$/],
    ["UPDATE adjustments SET trade = 'x' WHERE cash IS NOT NULL", /^table adjustments, row id \d+: trade is "x"/],
    ['UPDATE fills SET seq = 9999 WHERE id = (SELECT max(id) FROM fills)', /row id \d+: no step explains it$/],
  ])('reports a change even with a valid checksum: %s', (sql, message) => {
    const name = changedCopy(sql);
    const found = findingsOf(name);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toContainEqual(expect.stringMatching(message));
    const { code, out } = check(name);
    expect(code).toBe(3);
    expect(out).toContain(`rows!         ${found[0]}`);
  });

  it('reports damaged steps and does not compare the account then', () => {
    const name = changedCopy('UPDATE steps SET crc = crc + 1 WHERE seq = (SELECT max(seq) FROM steps)');
    expect(checkBotFile(name).replayed).toBe(undefined);
    expect(check(name).out).toMatch(/^compared {6}checksums only, not the steps$/m);
  });

  it('does not compare the account without a replay', () => {
    const name = changedCopy('UPDATE balance SET cash = cash - 5');
    const { replayed, rows } = checkBotFile(name, { replay: false });
    expect({ replayed, rows }).toEqual({ replayed: undefined, rows: [] });
  });

  it('reports that a file with steps has no snapshot', () => {
    expect(findingsOf(changedCopy('DELETE FROM snapshots'))).toEqual([
      'table snapshots: it is empty, although steps were stored',
    ]);
  });

  it('accepts removed old fills and steps', async () => {
    expect(findingsOf(await smallBot(file))).toEqual([]);
  });

  it('finds nothing in the files of a killed process before and after the next start applies its log', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAction, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0 }),
        async (actions, kill) => {
          const bot = BotHarness.open({ file: file(), boot: 'first', snapshotEvery: 9 });
          let copy = '';
          for (const [at, action] of actions.entries()) {
            const step = bot.apply(action, { untilSigned: true });
            bot.store.addSigned((step?.commands ?? []).flatMap(placedOrders).map(signedRecord));
            bot.store.flushDeferred();
            // The tables are updated in a later turn of the event loop.
            if (action.amount % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
            if (at === kill % actions.length) copy = copyOf(bot.store.file, file());
          }
          await bot.store.close(1);
          expect(findingsOf(bot.store.file)).toEqual([]);
          expect(findingsOf(copy)).toEqual([]);
          // Ends again before the tables are updated.
          const store = BotStore.open({ file: copy, name: NAME, spec: '{}', thread: false, boot: 'first' });
          const second = copyOf(copy, file());
          expect(findingsOf(second)).toEqual([]);
          await store.close(1);
          const next = BotHarness.open({ file: second, boot: 'first' });
          await next.store.close(2);
          expect(findingsOf(second)).toEqual([]);
        },
      ),
      { numRuns: runs(60) },
    );
  }, 120_000);
});
