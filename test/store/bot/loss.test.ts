/** Files of a bot that were truncated or removed, or that lost their end in a crash of the machine. */
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextEventLoopTurn } from '../../../src/clock/index.ts';
import { epochMs } from '../../../src/domain/index.ts';
import { BotReader, BotStore, pruneFile } from '../../../src/store/index.ts';
import { runs } from '../../runs.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, copyOf, NAME, requote } from './bot-harness.ts';

const file = databaseFiles();
const copyKilled = (name: string): string => copyOf(name, file());
const open = (name: string, options: { boot?: string; acceptLoss?: boolean } = {}) =>
  BotStore.open({ file: name, name: NAME, spec: '{}', thread: false, boot: 'first', ...options });

/** Writes a file with some orders in the tables and three only in the log. */
async function killBot(options: { boot?: string } = { boot: 'first' }) {
  const name = file();
  const bot = BotHarness.open({ file: name, ...options });
  for (let count = 0; count < 20; count += 1) requote(bot);
  await nextEventLoopTurn();
  const before = copyKilled(name);
  for (let count = 0; count < 3; count += 1) requote(bot);
  return { before, name: copyKilled(name), bot };
}

const count = (store: BotStore): number => store.unfinishedOrders().length;

describe('a bot whose process was killed', () => {
  it('continues with every acknowledged step', async () => {
    const { name } = await killBot();
    const store = open(name);
    expect(count(store)).toBe(23);
    expect(store.gap).toBeUndefined();
    await store.close(1);
    expect(existsSync(`${name}-mark`)).toBe(false);
  });

  it('is refused when its log is truncated at any byte, deleted or replaced by an older one', async () => {
    const { before, name } = await killBot();
    const bytes = readFileSync(`${name}-intents`);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), (cut) => {
        writeFileSync(`${name}-intents`, bytes.subarray(0, cut));
        expect(() => open(name)).toThrow(/-intents: it ends with entry \d+, but entry 23 was acknowledged at 20/);
        expect(readFileSync(`${name}-intents`)).toHaveLength(cut);
      }),
      { numRuns: runs(60) },
    );
    rmSync(`${name}-intents`);
    expect(() => open(name)).toThrow(
      /it is missing, and the bot’s file ends with entry 20, but entry 23 .*--accept-loss/,
    );
    copyFileSync(`${before}-intents`, `${name}-intents`);
    expect(() => open(name)).toThrow(/it ends with entry 20, but entry 23 was acknowledged/);
    writeFileSync(`${name}-intents`, bytes);
    expect(count(open(name))).toBe(23);
  });

  it('is refused when the WAL of its database is missing or truncated, until the loss is accepted', async () => {
    const { name } = await killBot();
    truncateSync(`${name}-wal`, 20_000);
    expect(() => open(name)).toThrow(
      /it ends with entry \d+ \(commit \d+\), and entry 23 \(commit \d+\) was acknowledged/,
    );
    const store = open(name, { acceptLoss: true });
    expect(store.gap).toMatchObject({ cause: 'ACCEPTED_LOSS', from: 1, entries: 0 });
    expect(store.gap?.commits).toBeGreaterThan(0);
    await store.close(1);
  });

  it('has a gap since the beginning when its files are emptied and the loss is accepted', async () => {
    const { name } = await killBot();
    for (const end of ['', '-wal', '-intents']) truncateSync(name + end);
    rmSync(`${name}-shm`, { force: true });
    expect(() => open(name)).toThrow(/it is missing or empty, and entry 23 .* was acknowledged/);
    const store = open(name, { acceptLoss: true });
    expect(store.gap).toMatchObject({ cause: 'ACCEPTED_LOSS', from: 0, entries: 23 });
    await store.close(1);
  });

  it('has a gap without a start when its files are emptied before it stored an entry', async () => {
    const name = file();
    BotHarness.open({ file: name, boot: 'first' });
    const copy = copyKilled(name);
    for (const end of ['', '-wal']) truncateSync(copy + end);
    rmSync(`${copy}-shm`, { force: true });
    const store = open(copy, { acceptLoss: true });
    expect(store.gap).toMatchObject({ cause: 'ACCEPTED_LOSS', from: undefined, entries: 0 });
    await store.close(1);
  });

  it('is read and pruned only when it is complete', async () => {
    const { name } = await killBot({});
    const whole = copyKilled(name);
    pruneFile(whole, epochMs(1));
    expect(count(BotStore.open({ file: whole, name: NAME, spec: '{}' }))).toBe(23);
    rmSync(`${name}-wal`);
    expect(() => pruneFile(name, epochMs(1))).toThrow(/was acknowledged at/);
  });
});

describe('a bot whose machine crashed', () => {
  it('continues with the steps on disk, and has a gap until the venue was queried', async () => {
    const { before, name } = await killBot();
    // The disk has the earlier tables and log.
    for (const end of ['', '-wal', '-intents']) copyFileSync(before + end, name + end);
    const store = open(name, { boot: 'second' });
    expect(count(store)).toBe(20);
    expect(store.gap).toMatchObject({ cause: 'POWER_CUT', entries: 3, commits: 0 });
    expect(store.gap?.from).toEqual(expect.any(Number));
    expect(store.gap?.acknowledgedAt).toBeGreaterThan(1_700_000_000_000);
    await store.close(1);
    // A start that failed, and one that succeeded.
    const second = open(name, { boot: 'second' });
    expect(second.gap).toEqual(store.gap);
    second.closeGap(5);
    await second.close(1);
    expect(open(name, { boot: 'second' }).gap).toBeUndefined();
  });

  it('has a gap also when nothing seems to be missing, as the mark may be old', async () => {
    const { name } = await killBot();
    expect(open(name, { boot: 'second' }).gap).toMatchObject({ cause: 'POWER_CUT', entries: 0, commits: 0 });
  });

  it('has a gap since the beginning when the disk has no data and only the first mark', async () => {
    const name = file();
    const bot = BotHarness.open({ file: name, boot: 'first' });
    const begun = copyKilled(name);
    requote(bot);
    const copy = copyKilled(name);
    copyFileSync(`${begun}-mark`, `${copy}-mark`);
    for (const end of ['', '-wal', '-intents']) truncateSync(copy + end);
    rmSync(`${copy}-shm`, { force: true });
    const store = open(copy, { boot: 'second' });
    expect(store.gap).toMatchObject({ cause: 'POWER_CUT', from: 0, entries: 0 });
    await store.close(1);
  });

  it('ends its log before the first block that never reached the disk', async () => {
    const { name } = await killBot();
    const bytes = readFileSync(`${name}-intents`);
    bytes.fill(0, bytes.length - 700, bytes.length - 500);
    writeFileSync(`${name}-intents`, bytes);
    expect(() => open(copyKilled(name))).toThrow(/-intents, byte \d+: a frame is damaged, and other frames follow it/);
    const torn = open(name, { boot: 'second' });
    expect(count(torn)).toBeGreaterThanOrEqual(20);
    expect(torn.gap?.entries).toBeGreaterThan(0);
    await torn.close(1);
    const headless = (await killBot()).name;
    const log = readFileSync(`${headless}-intents`);
    writeFileSync(`${headless}-intents`, log.fill(0, 0, 512));
    expect(count(open(headless, { boot: 'second' }))).toBe(20);
  });

  it('loses only the end of the WAL after any truncation', async () => {
    const { name } = await killBot();
    const wal = readFileSync(`${name}-wal`);
    fc.assert(
      fc.property(fc.nat({ max: wal.length }), (cut) => {
        const copy = copyKilled(name);
        writeFileSync(`${copy}-wal`, wal.subarray(0, cut));
        const store = open(copy, { boot: 'second' });
        expect(store.gap?.cause).toBe('POWER_CUT');
        // The log of the bot has all of them.
        expect(count(store)).toBe(23);
      }),
      { numRuns: runs(40) },
    );
  });
});

describe('a bot’s file', () => {
  it('is complete without its log after a normal end', async () => {
    const { bot } = await killBot();
    await bot.store.close(1);
    const copy = file();
    copyFileSync(bot.store.file, copy);
    expect(count(open(copy))).toBe(23);
    const reader = BotReader.open(copy);
    expect(reader.progress()?.name).toBe(NAME);
    reader.close();
  });
});
