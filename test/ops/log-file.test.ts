import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../src/domain/index.ts';
import { LogFile } from '../../src/ops/log/log-file.ts';
import { halfspread, newFolder, ROOT } from '../cli/halfspread.ts';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';

function failOnFallback(text: string): void {
  throw new Error(`a line was passed to the fallback: ${text}`);
}

describe('a log file', () => {
  it('is appended, readable only by its owner, and complete when it is closed', async () => {
    const path = join(newFolder(), 'bot.log');
    for (const text of ['one\n', 'two\n']) {
      const log = new LogFile(path, failOnFallback);
      log.write(text);
      await log.close();
      await log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('that cannot be opened is refused at once with a remedy', () => {
    const path = join(newFolder(), 'none', 'bot.log');
    expect(() => new LogFile(path, failOnFallback)).toThrow(FileFault);
    expect(() => new LogFile(path, failOnFallback)).toThrow(/bot\.log: its folder is not there\. Make the folder/);
    expect(() => new LogFile(newFolder(), failOnFallback)).toThrow(
      /it is a folder\. Make the folder, or set `log\.file`/,
    );
  });

  it.runIf(existsSync('/dev/full'))(
    'on a full disk reports that once and passes every line to the fallback',
    async () => {
      const fallback: string[] = [];
      const log = new LogFile('/dev/full', (text) => fallback.push(text));
      log.write('one\n');
      while (fallback.length < 2) await new Promise((resolve) => setImmediate(resolve));
      log.write('two\n');
      await log.close();
      expect(fallback).toEqual([`${log.problem}\n`, 'one\n', 'two\n']);
      expect(log.problem).toMatch(
        /^log\.file \/dev\/full cannot be written \(ENOSPC: .*\): the log goes to standard error$/,
      );
    },
  );

  it('on a disk that fills up within a line has complete lines only, and clears its problem when there is space', async ({
    skip,
  }) => {
    const disk = SmallDisk.mount(1) ?? skip(NO_SMALL_DISK);
    try {
      const path = join(disk.folder, 'bot.log');
      const fallback: string[] = [];
      const log = new LogFile(path, (text) => fallback.push(text));
      const room = Promise.withResolvers<void>();
      const line = (name: string): string => `${name.repeat(3_000)}\n`;
      log.write(line('a'));
      while (statSync(path).size === 0) await new Promise((resolve) => setImmediate(resolve));
      const isFull = disk.keepFull(room.promise);
      log.write(line('b'));
      while (fallback.length < 2) await new Promise((resolve) => setImmediate(resolve));
      expect(fallback[1]).toBe(line('b'));
      log.write(line('c'));
      while (fallback.length < 3) await new Promise((resolve) => setImmediate(resolve));
      expect(fallback[2]).toBe(line('c'));
      log.write('short\n');
      await expect.poll(() => readFileSync(path, 'utf8')).toBe(`${line('a')}short\n`);
      expect(log.problem).toMatch(/ENOSPC/);
      room.resolve();
      await isFull;
      disk.freeSpace();
      log.write(line('d'));
      await log.close();
      expect(log.problem).toBeUndefined();
      expect(readFileSync(path, 'utf8')).toBe(`${line('a')}short\n${line('d')}`);
    } finally {
      disk.unmount();
    }
  });

  it('in a missing folder fails the start with a message about the folder', async () => {
    const { code, stdout, stderr } = await halfspread(
      [
        'run',
        join(ROOT, 'config/live.yaml'),
        '--set',
        'log={ file: none/bot.log }',
        '--set',
        'venue.url=http://127.0.0.1:2',
      ],
      newFolder(),
    );
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/^error: \S*none\/bot\.log: its folder is not there\. .*\n$/);
  });
});
