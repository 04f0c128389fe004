/** Backups and restores that are killed or run out of disk space, and backups of a bot that writes as fast as it can. */
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
import { BotLife, placesOf, signedRecord } from '../store/bot/bot-life.ts';
import { ended, halfspread, newFolder, start } from './halfspread.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const ORDERS = 6_000;
const folder = newFolder();
const file = (name: string): string => join(folder, name);
let bytes = 0;

/** A database of 5 MB: to copy and check it takes half a second. */
beforeAll(async () => {
  const life = BotLife.open({ file: file('bot.db') });
  for (let count = 0; count < ORDERS; count += 1) {
    const step = life.play({ kind: 'place', order: 1, amount: 1, market: 0 });
    life.store.signed((step?.commands ?? []).flatMap(placesOf).map(signedRecord));
    life.play({ kind: 'accepted', order: life.lastOrder, amount: 1, market: 0 });
    life.play({ kind: 'filled', order: life.lastOrder, amount: 0, market: 0 });
    if (count % 500 === 0) await endOfTurn();
  }
  await life.store.close(1);
  bytes = statSync(file('bot.db')).size;
});

function expectWhole(name: string): void {
  const { structure, steps, rows, log } = checkBotFile(name);
  expect([...structure, ...steps, ...rows, ...log]).toEqual([]);
  const reader = BotReader.open(name);
  expect(reader.fills(ORDERS * 2)).toHaveLength(ORDERS);
  reader.close();
}

/** Files of which the name begins so. */
const named = (begin: string): readonly string[] => readdirSync(folder).filter((name) => name.startsWith(begin));

/** Kills a command as soon as something is so. @returns whether it was killed before its end */
async function killedWhen(args: readonly string[], isSo: () => boolean): Promise<boolean> {
  const child = start(args, folder);
  const end = ended(child);
  while (child.exitCode === null && !isSo()) await endOfTurn();
  child.kill('SIGKILL');
  return (await end).code === null;
}

const size = (name: string): number => statSync(file(name), { throwIfNoEntry: false })?.size ?? 0;

/** Repeats a command until it finds nothing that a killed one left, and removes what its errors name. */
async function finished(args: readonly string[]): Promise<void> {
  const { code, stderr } = await halfspread(args, folder);
  const [, left] = /: rm (.+)$/m.exec(stderr) ?? [];
  if (left === undefined) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return;
  }
  expect(code).toBe(3);
  for (const path of left.split(' ')) rmSync(path);
  await finished(args);
}

const MOMENTS: readonly (readonly [string, (target: string) => boolean])[] = [
  ['begins', (target) => existsSync(file(`${target}.partial`))],
  ['has copied a part', (target) => size(`${target}.partial`) > 500_000],
  ['has copied all', (target) => size(`${target}.partial`) >= bytes * 0.9],
  ['changes the copy', (target) => ['wal', 'journal'].some((end) => existsSync(file(`${target}.partial-${end}`)))],
];

describe('a backup that is killed', () => {
  it.each(MOMENTS)('when it %s leaves no target; the next one says what to remove, and is whole', async (_, isSo) => {
    expect(await killedWhen(['backup', 'bot.db', 'copy.db'], () => isSo('copy.db'))).toBe(true);
    expect(existsSync(file('copy.db'))).toBe(false);
    await finished(['backup', 'bot.db', 'copy.db']);
    expect(named('copy.db')).toEqual(['copy.db']);
    expect(await halfspread(['restore', 'copy.db', 'new.db'], folder)).toMatchObject({ code: 0 });
    expectWhole(file('new.db'));
    expectWhole(file('bot.db'));
    for (const name of [...named('copy.db'), ...named('new.db')]) rmSync(file(name));
  });
});

describe('a restore that is killed', () => {
  it.each(MOMENTS)('when it %s leaves no database; the next one says what to remove, and is whole', async (_, isSo) => {
    expect(await halfspread(['backup', 'bot.db', 'copy.db'], folder)).toMatchObject({ code: 0 });
    const before = readFileSync(file('copy.db'));
    expect(await killedWhen(['restore', 'copy.db', 'new.db'], () => isSo('new.db'))).toBe(true);
    expect(existsSync(file('new.db'))).toBe(false);
    await finished(['restore', 'copy.db', 'new.db']);
    expectWhole(file('new.db'));
    expect(readFileSync(file('copy.db')).equals(before)).toBe(true);
    for (const name of [...named('copy.db'), ...named('new.db')]) rmSync(file(name));
  });
});

describe('a full disk', () => {
  let disk: SmallDisk | undefined;
  afterEach(() => disk?.unmount());

  it.for([
    ['backup', 'bot.db'],
    ['restore', 'copy.db'],
  ] as const)('ends a %s with exit code 3, a remedy and nothing left', async ([command, from], { skip }) => {
    disk = SmallDisk.mount(2) ?? skip(NO_SMALL_DISK);
    if (command === 'restore') expect(await halfspread(['backup', 'bot.db', from], folder)).toMatchObject({ code: 0 });
    const target = join(disk.folder, 'target.db');
    const { code, stderr } = await halfspread([command, from, target], folder);
    expect(code).toBe(3);
    expect(stderr).toContain(target);
    expect(stderr).toMatch(/Make room on the disk/);
    // The lock of the place where a bot would have run.
    expect(readdirSync(disk.folder).filter((name) => name !== 'target.db.lock')).toEqual([]);
    expectWhole(file('bot.db'));
  });
});

describe('a bot that writes all the time', () => {
  it('is backed up three times; each backup is whole and has all that was acknowledged before it', async () => {
    const entry = fileURLToPath(new URL('../store/bot/living-child.ts', import.meta.url));
    const place = { path: file('busy.db.lock'), what: 'the database' };
    const free = takeLease([place], { pid: process.pid, host: 'here', since: 'now', file: 'busy.db' });
    const bot = spawn(process.execPath, [entry, file('busy.db'), '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(bot, 'close');
    let acknowledged = 0;
    createInterface(bot.stdout).on('line', (line) => {
      if (line.startsWith('s ')) acknowledged = Number(line.split(' ')[1]);
    });
    await until(() => acknowledged > 500, 'it writes');
    for (let count = 1; count <= 3; count += 1) {
      const before = acknowledged;
      const made = await halfspread(['backup', 'busy.db', `busy-${count}.db`, '--json'], folder);
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(acknowledged).toBeGreaterThan(before);
      expect(JSON.parse(made.stdout).lastStep).toBeGreaterThanOrEqual(before);
      const restored = await halfspread(['restore', `busy-${count}.db`, `restored-${count}.db`], folder);
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      const { structure, steps, rows, log } = checkBotFile(file(`restored-${count}.db`));
      expect([...structure, ...steps, ...rows, ...log]).toEqual([]);
    }
    free();
    bot.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    const { structure, steps, rows, log } = checkBotFile(file('busy.db'));
    expect([...structure, ...steps, ...rows, ...log]).toEqual([]);
  });
});
