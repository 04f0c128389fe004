/** Backups and restores that are killed or run out of disk space, and backups of a bot that writes at full speed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { BotReader, checkBotFile, takeLease } from '../../src/store/index.ts';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';
import { BotHarness, placedOrders, signedRecord } from '../store/bot/bot-harness.ts';
import { ended, halfspread, newFolder, start } from './halfspread.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const ORDERS = 6_000;
const folder = newFolder();
const file = (name: string): string => join(folder, name);
let bytes = 0;

/** A database of 5 MB. Copying and checking it takes half a second. */
beforeAll(async () => {
  const harness = BotHarness.open({ file: file('bot.db') });
  for (let count = 0; count < ORDERS; count += 1) {
    const step = harness.apply({ kind: 'place', order: 1, amount: 1, market: 0 });
    harness.store.addSigned((step?.commands ?? []).flatMap(placedOrders).map(signedRecord));
    harness.apply({ kind: 'accepted', order: harness.lastOrder, amount: 1, market: 0 });
    harness.apply({ kind: 'filled', order: harness.lastOrder, amount: 0, market: 0 });
    if (count % 500 === 0) await endOfTurn();
  }
  await harness.store.close(1);
  bytes = statSync(file('bot.db')).size;
});

function expectIntact(name: string): void {
  const { structure, steps, rows, log } = checkBotFile(name);
  expect([...structure, ...steps, ...rows, ...log]).toEqual([]);
  const reader = BotReader.open(name);
  expect(reader.fills(ORDERS * 2)).toHaveLength(ORDERS);
  reader.close();
}

const filesStartingWith = (begin: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith(begin));

/** Kills a command as soon as a condition holds. @returns true if the command had not ended before */
async function killWhen(args: readonly string[], condition: () => boolean): Promise<boolean> {
  const child = start(args, folder);
  const end = ended(child);
  while (child.exitCode === null && !condition()) await endOfTurn();
  child.kill('SIGKILL');
  return (await end).code === null;
}

const size = (name: string): number => statSync(file(name), { throwIfNoEntry: false })?.size ?? 0;

/** Runs a command again until it succeeds. After each failure, it removes the files that the error names. */
async function runUntilSuccess(args: readonly string[]): Promise<void> {
  const { code, stderr } = await halfspread(args, folder);
  const [, leftovers] = /: rm (.+)$/m.exec(stderr) ?? [];
  if (leftovers === undefined) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return;
  }
  expect(code).toBe(3);
  for (const path of leftovers.split(' ')) rmSync(path);
  await runUntilSuccess(args);
}

const KILL_TIMES: readonly (readonly [string, (target: string) => boolean])[] = [
  ['starts', (target) => existsSync(file(`${target}.partial`))],
  ['has copied part of the file', (target) => size(`${target}.partial`) > 500_000],
  ['has copied most of the file', (target) => size(`${target}.partial`) >= bytes * 0.9],
  ['changes the copy', (target) => ['wal', 'journal'].some((end) => existsSync(file(`${target}.partial-${end}`)))],
];

describe('a backup that is killed', () => {
  it.each(KILL_TIMES)(
    'leaves no target file, and the next backup reports what to remove and succeeds, when it %s',
    async (_, condition) => {
      expect(await killWhen(['backup', 'bot.db', 'copy.db'], () => condition('copy.db'))).toBe(true);
      expect(existsSync(file('copy.db'))).toBe(false);
      await runUntilSuccess(['backup', 'bot.db', 'copy.db']);
      expect(filesStartingWith('copy.db')).toEqual(['copy.db']);
      expect(await halfspread(['restore', 'copy.db', 'new.db'], folder)).toMatchObject({ code: 0 });
      expectIntact(file('new.db'));
      expectIntact(file('bot.db'));
      for (const name of [...filesStartingWith('copy.db'), ...filesStartingWith('new.db')]) rmSync(file(name));
    },
  );
});

describe('a restore that is killed', () => {
  it.each(KILL_TIMES)(
    'when it %s leaves no database, and the next restore reports what to remove and succeeds',
    async (_, condition) => {
      expect(await halfspread(['backup', 'bot.db', 'copy.db'], folder)).toMatchObject({ code: 0 });
      const before = readFileSync(file('copy.db'));
      expect(await killWhen(['restore', 'copy.db', 'new.db'], () => condition('new.db'))).toBe(true);
      expect(existsSync(file('new.db'))).toBe(false);
      await runUntilSuccess(['restore', 'copy.db', 'new.db']);
      expectIntact(file('new.db'));
      expect(readFileSync(file('copy.db')).equals(before)).toBe(true);
      for (const name of [...filesStartingWith('copy.db'), ...filesStartingWith('new.db')]) rmSync(file(name));
    },
  );
});

describe('a full disk', () => {
  let disk: SmallDisk | undefined;
  afterEach(() => disk?.unmount());

  it.for([
    ['backup', 'bot.db'],
    ['restore', 'copy.db'],
  ] as const)('ends a %s with exit code 3, a remedy and no leftover files', async ([command, from], { skip }) => {
    disk = SmallDisk.mount(2) ?? skip(NO_SMALL_DISK);
    if (command === 'restore') expect(await halfspread(['backup', 'bot.db', from], folder)).toMatchObject({ code: 0 });
    const target = join(disk.folder, 'target.db');
    const { code, stderr } = await halfspread([command, from, target], folder);
    expect(code).toBe(3);
    expect(stderr).toContain(target);
    expect(stderr).toMatch(/Free disk space/);
    // The lock file stays: a bot on that database would use it.
    expect(readdirSync(disk.folder).filter((name) => name !== 'target.db.lock')).toEqual([]);
    expectIntact(file('bot.db'));
  });
});

describe('a bot that writes continuously', () => {
  it('is backed up three times, and each backup has every step that was acknowledged before it', async () => {
    const entry = fileURLToPath(new URL('../store/bot/trading-bot-child.ts', import.meta.url));
    const place = { path: file('busy.db.lock'), resource: 'the database' };
    const release = takeLease([place], { pid: process.pid, host: 'here', since: 'now', file: 'busy.db' });
    const bot = spawn(process.execPath, [entry, file('busy.db'), '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(bot, 'close');
    let acknowledged = 0;
    createInterface(bot.stdout).on('line', (line) => {
      if (line.startsWith('s ')) acknowledged = Number(line.split(' ')[1]);
    });
    await until(() => acknowledged > 500, 'the bot writes steps');
    for (let count = 1; count <= 3; count += 1) {
      const before = acknowledged;
      const backup = await halfspread(['backup', 'busy.db', `busy-${count}.db`, '--json'], folder);
      expect(backup).toMatchObject({ code: 0, stderr: '' });
      expect(acknowledged).toBeGreaterThan(before);
      expect(JSON.parse(backup.stdout).lastStep).toBeGreaterThanOrEqual(before);
      const restored = await halfspread(['restore', `busy-${count}.db`, `restored-${count}.db`], folder);
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      const { structure, steps, rows, log } = checkBotFile(file(`restored-${count}.db`));
      expect([...structure, ...steps, ...rows, ...log]).toEqual([]);
    }
    release();
    bot.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    const { structure, steps, rows, log } = checkBotFile(file('busy.db'));
    expect([...structure, ...steps, ...rows, ...log]).toEqual([]);
  });
});
