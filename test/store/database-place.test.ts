import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { FileFault } from '../../src/domain/index.ts';
import { lockFile } from '../../src/store/file-lock.ts';
import { BotStore, checkForLoss, SqliteStore } from '../../src/store/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-place-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a database at an unusable path', () => {
  const open = (...names: readonly string[]) => SqliteStore.open({ file: join(folder, ...names) });

  it('reports a missing folder and the command that creates it', () => {
    expect(() => open('nowhere', 'venue.db')).toThrow(
      `${folder}/nowhere/venue.db: there is no folder ${folder}/nowhere. Create it first (mkdir -p ${folder}/nowhere)`,
    );
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  it('reports that its folder is a file, or that its path is a folder', () => {
    writeFileSync(join(folder, 'text'), '');
    expect(() => open('text', 'venue.db')).toThrow(`${folder}/text is not a folder. Name a file in a folder`);
    mkdirSync(join(folder, 'sub'));
    expect(() => open('sub')).toThrow('it is a folder. Name a file in it, such as venue.db');
  });

  it.skipIf(process.getuid?.() === 0)('reports that its folder is not writable', () => {
    const place = join(folder, 'read-only');
    mkdirSync(place);
    chmodSync(place, 0o500);
    expect(() => open('read-only', 'venue.db')).toThrow(/read-only cannot be written to\. Give this user the right/);
  });

  it('is refused when it is a pipe or a device, whose mode and neighbours stay as they are', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '644', pipe]);
    const problem = `${pipe}: it is a device, a pipe or a socket. Name a file`;
    expect(() => open('pipe')).toThrow(problem);
    expect(() => checkForLoss(pipe, { unit: 'entry' })).toThrow(problem);
    expect(statSync(pipe).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder).filter((name) => name.startsWith('pipe'))).toEqual(['pipe']);
  });

  it('is refused when a part of its path is a file', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => checkForLoss(join(folder, 'file', 'bot.db'), { unit: 'entry' })).toThrow(FileFault);
  });

  it('names the file that it is a symbolic link to', () => {
    const [file, link] = [join(folder, 'real.db'), join(folder, 'link.db')];
    symlinkSync('real.db', link);
    const problem = `${link}: it is a symbolic link. Name the file itself: ${file}`;
    expect(() => open('link.db')).toThrow(problem);
    expect(existsSync(file)).toBe(false);
    expect(() => checkForLoss(link, { unit: 'entry' })).toThrow(problem);
  });

  it('is refused when it has a second name by a hard link, which would have another log', async () => {
    const [file, link] = [join(folder, 'first.db'), join(folder, 'second.db')];
    await SqliteStore.open({ file }).close();
    linkSync(file, link);
    for (const name of [file, link]) {
      const problem = `${name}: it has 2 names (hard links). Remove the other names (\`find ${folder} -samefile ${name}\` lists those in its folder), or name a copy`;
      expect(() => SqliteStore.open({ file: name })).toThrow(problem);
      expect(() => checkForLoss(name, { unit: 'entry' })).toThrow(problem);
      expect(() => BotStore.open({ file: name, name: 'a', spec: '{}', thread: false })).toThrow(problem);
    }
    unlinkSync(link);
    await SqliteStore.open({ file }).close();
  });

  it('names the folder at the path of one of its files', () => {
    const check = (name: string) => () => checkForLoss(join(folder, name), { unit: 'entry' });
    const file = join(folder, 'base');
    mkdirSync(file);
    expect(check('base')).toThrow(`${file}: it is a folder. Name the database file of a venue or a bot`);
    for (const [index, end] of ['-wal', '-shm', '-journal'].entries()) {
      const path = join(folder, `${index}.db${end}`);
      mkdirSync(path);
      expect(check(`${index}.db`)).toThrow(`${path}: it is a folder. Move it away: a file was expected here`);
    }
    const lock = join(folder, 'bot.db.lock');
    mkdirSync(lock);
    expect(() => lockFile(lock)).toThrow(`${lock}: it is a folder. Move it away: a file was expected here`);
  });
});
