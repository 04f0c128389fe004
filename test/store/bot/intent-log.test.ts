import { appendFileSync, copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../../src/clock/index.ts';
import { BotReader, BotStore, checkBotFile } from '../../../src/store/index.ts';
import { runs } from '../../runs.ts';
import type { Action } from '../../state/any-action.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, copyOf, NAME, placedOrders, requote, rewriteRows, signedRecord } from './bot-harness.ts';

const file = databaseFiles();
const KINDS: readonly Action['kind'][] = ['place', 'accepted', 'filled', 'cash', 'uncertain', 'replace', 'closed'];

/** Timeout that only a hang reaches. */
const TIMEOUT_MS = 60_000;

const copyKilled = (name: string): string => copyOf(name, file());

const open = (name: string) => BotStore.open({ file: name, name: NAME, spec: '{}', thread: false });

function orders(store: BotStore): readonly number[] {
  return store.unfinishedOrders().map(({ order }) => order);
}

describe('the write-ahead log of a bot', () => {
  it('has an entry at once, while the tables have it only at the end of the turn', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    const reader = BotReader.open(name);
    requote(bot);
    expect(reader.orders('open', 9)).toEqual([]);
    const dead = copyKilled(name);
    await nextEventLoopTurn();
    expect(reader.orders('open', 9).map(({ order, hash }) => [order, hash?.length])).toEqual([[1, 66]]);
    reader.close();
    expect(orders(open(dead))).toEqual([1]);
    expect(orders(open(copyKilled(name)))).toEqual([1]);
  });

  it('is emptied also when an entry is always pending at the end of a checkpoint', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, thread: true });
    const deadline = Date.now() + TIMEOUT_MS;
    let [size, emptied] = [0, 0];
    // A checkpoint may take any time, so this waits until the log was emptied three times.
    while (emptied < 3 && Date.now() < deadline) {
      for (let count = 0; count < 100; count += 1) requote(bot);
      await nextEventLoopTurn();
      const { size: now } = statSync(`${name}-intents`);
      if (now < size) emptied += 1;
      size = now;
    }
    expect(emptied).toBe(3);
    await bot.store.close(1);
  });

  it('holds entries while the thread ends a checkpoint and restarts SQLite’s log, which stays short', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, thread: true });
    const reader = BotReader.open(name);
    const walSalt = () => readFileSync(`${name}-wal`).toString('hex', 16, 24);
    const deadline = Date.now() + TIMEOUT_MS;
    let [before, restarts, turnsBehind] = [walSalt(), 0, 0];
    while ((restarts < 3 || turnsBehind < 3) && Date.now() < deadline) {
      for (let count = 0; count < 5; count += 1) requote(bot);
      await nextEventLoopTurn();
      turnsBehind += reader.orders('open', 1)[0]?.order === bot.lastOrder ? 0 : 1;
      const now = walSalt();
      restarts += now === before ? 0 : 1;
      before = now;
    }
    expect(restarts).toBeGreaterThanOrEqual(3);
    expect(turnsBehind).toBeGreaterThanOrEqual(3);
    reader.close();
    await bot.store.close(1);
    expect(checkBotFile(name)).toMatchObject({ structure: [], steps: [], rows: [], log: [] });
    expect(orders(open(name)).at(-1)).toBe(bot.lastOrder);
  });

  it('is removed at a normal end, with everything in the file', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    requote(bot);
    expect(existsSync(`${name}-intents`)).toBe(true);
    await bot.store.close(1);
    expect(existsSync(`${name}-intents`)).toBe(false);
    expect(orders(open(name))).toEqual([1]);
  });

  it('is restarted when the tables are on disk, without losing an order or a step', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    let max = 0;
    for (let turn = 0; turn < 1_200; turn += 1) {
      requote(bot);
      max = Math.max(max, statSync(`${name}-intents`).size);
    }
    await nextEventLoopTurn();
    expect(statSync(`${name}-intents`).size).toBeLessThan(max / 2);
    const store = open(copyKilled(name));
    expect(orders(store)).toHaveLength(1_200);
    expect([...(store.storedRun()?.steps ?? [])]).toHaveLength(1_200);
  });

  it('restores the bot after an end at any point of a turn', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat({ max: 3 }), fc.boolean()), { maxLength: 30 }),
        async (actions) => {
          const name = file();
          const bot = BotHarness.open({ file: name, snapshotEvery: 7 });
          for (const [kind, market, turns] of actions) {
            bot.store.advanceStreamPosition(bot.seq);
            bot.apply({ kind, order: Math.max(1, bot.lastOrder), amount: 2, market: market % 2 });
            if (turns) await nextEventLoopTurn();
          }
          // A requote does not write the risk state.
          bot.apply({ kind: 'cash', order: 1, amount: 2, market: 0 });
          const again = BotHarness.open({ file: copyKilled(name) });
          expect(JSON.stringify(again.snapshot())).toBe(JSON.stringify(bot.snapshot()));
          expect(again.store.streamPosition).toBe(bot.store.streamPosition);
        },
      ),
      { numRuns: runs(60) },
    );
  }, 180_000);

  it('loses only an unfinished last entry after any truncation', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    requote(bot);
    const whole = statSync(`${name}-intents`).size;
    const before = copyKilled(name);
    requote(bot);
    const all = statSync(`${name}-intents`).size;
    // An unfinished entry was not acknowledged, so the mark is the earlier one.
    const copyWithEarlierMark = (): string => {
      const torn = copyKilled(name);
      copyFileSync(`${before}-mark`, `${torn}-mark`);
      return torn;
    };
    for (let length = whole; length < all; length += 37) {
      const torn = copyWithEarlierMark();
      truncateSync(`${torn}-intents`, length);
      const store = open(torn);
      expect(orders(store)).toEqual([1]);
      expect(statSync(`${torn}-intents`).size).toBe(whole);
    }
    const zeroed = copyWithEarlierMark();
    truncateSync(`${zeroed}-intents`, whole);
    appendFileSync(`${zeroed}-intents`, new Uint8Array(5_000));
    expect(orders(open(zeroed))).toEqual([1]);
  });

  it('counts as empty when its header is unfinished', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    const before = copyKilled(name);
    requote(bot);
    const dead = copyKilled(name);
    copyFileSync(`${before}-mark`, `${dead}-mark`);
    truncateSync(`${dead}-intents`, 20);
    expect(orders(open(dead))).toEqual([]);
  });

  it('accepts entries again after a crash', async () => {
    const name = file();
    requote(BotHarness.open({ file: name }));
    const dead = copyKilled(name);
    const bot = BotHarness.open({ file: dead });
    requote(bot);
    expect(orders(open(copyKilled(dead)))).toEqual([1, 2]);
    await bot.store.close(1);
  });

  it('is refused when it is damaged before its end or belongs to another file', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    requote(bot);
    requote(bot);
    const damaged = copyKilled(name);
    const bytes = readFileSync(`${damaged}-intents`);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(`${damaged}-intents`, bytes);
    expect(() => open(damaged)).toThrow(
      /-intents, byte 36: a frame is damaged, and other frames follow it\. Put back a good copy/,
    );
    const other = file();
    open(other);
    copyFileSync(`${name}-intents`, `${other}-intents`);
    expect(() => open(other)).toThrow('it is the log of another database. Put back a good copy');
    const older = copyKilled(name);
    rewriteRows(older, 'UPDATE bot SET folded = 5');
    expect(orders(open(older))).toEqual([]);
    expect(existsSync(`${older}-intents`)).toBe(false);
  });

  it('is refused when the file is older than the log', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    const backup = copyKilled(name);
    for (let turn = 0; turn < 1_200; turn += 1) requote(bot);
    copyFileSync(`${name}-intents`, `${backup}-intents`);
    expect(() => open(backup)).toThrow(/it begins with entry \d+, the bot’s file ends with 0\. Put back a good copy/);
  });

  it('refuses an order that was signed before, under any hash', () => {
    const bot = BotHarness.open({ file: file() });
    const step = bot.apply({ kind: 'place', order: 1, amount: 1, market: 0 });
    const [record] = (step?.commands ?? []).flatMap(placedOrders).map(signedRecord);
    if (record === undefined) throw new Error('no order was placed');
    bot.store.addSigned([record]);
    expect(() => bot.store.addSigned([{ ...record, hash: '0x01' }])).toThrow(/UNIQUE|PRIMARY/);
  });
});
