import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../src/domain/index.ts';
import { LogFile } from '../../src/ops/log/log-file.ts';
import { halfspread, newFolder, ROOT } from '../cli/halfspread.ts';
import { NO_SMALL_DISK, SmallDisk } from '../small-disk.ts';

function nothing(text: string): void {
  throw new Error(`not for here: ${text}`);
}

describe('a log file', () => {
  it('is appended, readable only by its owner, and complete when it is closed', async () => {
    const path = join(newFolder(), 'bot.log');
    for (const text of ['one\n', 'two\n']) {
      const log = new LogFile(path, nothing);
      log.write(text);
      await log.close();
      await log.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('that cannot be opened is refused at once with a remedy', () => {
    const path = join(newFolder(), 'none', 'bot.log');
    expect(() => new LogFile(path, nothing)).toThrow(FileFault);
    expect(() => new LogFile(path, nothing)).toThrow(/bot\.log: its folder is not there\. Make the folder/);
    expect(() => new LogFile(newFolder(), nothing)).toThrow(/it is a folder\. Make the folder, or set `log\.file`/);
  });

  it.runIf(existsSync('/dev/full'))('on a full disk reports that once and passes on every line', async () => {
    const spare: string[] = [];
    const log = new LogFile('/dev/full', (text) => spare.push(text));
    log.write('one\n');
    while (spare.length < 2) await new Promise((resolve) => setImmediate(resolve));
    log.write('two\n');
    await log.close();
    expect(spare).toEqual([`${log.problem}\n`, 'one\n', 'two\n']);
    expect(log.problem).toMatch(
      /^log\.file \/dev\/full cannot be written \(ENOSPC: .*\): the log goes to standard error$/,
    );
  });

  it('on a disk that was full within a line has complete lines only, and has lost its problem when there is room', async ({
    skip,
  }) => {
    const disk = SmallDisk.mount(1) ?? skip(NO_SMALL_DISK);
    try {
      const path = join(disk.folder, 'bot.log');
      const spare: string[] = [];
      const log = new LogFile(path, (text) => spare.push(text));
      const room = Promise.withResolvers<void>();
      const line = (name: string): string => `${name.repeat(3_000)}\n`;
      log.write(line('a'));
      while (statSync(path).size === 0) await new Promise((resolve) => setImmediate(resolve));
      const isFull = disk.keepFull(room.promise);
      log.write(line('b'));
      while (spare.length < 2) await new Promise((resolve) => setImmediate(resolve));
      expect(spare[1]).toBe(line('b'));
      log.write(line('c'));
      while (spare.length < 3) await new Promise((resolve) => setImmediate(resolve));
      expect(spare[2]).toBe(line('c'));
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

  it('of a bot in a missing folder blames no strategy', async () => {
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
