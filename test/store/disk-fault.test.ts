import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { diskFault, withDiskFaults } from '../../src/store/disk-fault.ts';
import { lockFile } from '../../src/store/file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a disk error', () => {
  it.each([
    ['ENOSPC', 'Free disk space'],
    ['EDQUOT', 'Free disk space'],
    ['EIO', 'Check that the folder'],
    ['EISDIR', 'Move it away'],
  ])('with %s is reported with its remedy', (code, remedy) => {
    const cause = Object.assign(new Error(`${code}: it failed`), { code });
    const { message, file } = diskFault('/folder/file', 'written', cause);
    expect([file, message]).toEqual([
      '/folder/file',
      expect.stringContaining(`could not be written (${code}: it failed). ${remedy}`),
    ]);
  });

  it('names the file that cannot be read', () => {
    const readFile = (path: string) => withDiskFaults(path, 'read', () => readFileSync(path));
    expect(() => readFile(join(folder, 'none'))).toThrow(/none: could not be read \(ENOENT/);
    expect(() => readFile(folder)).toThrow(/could not be read \(EISDIR.*Move it away/);
  });
});

describe('a lock on a database', () => {
  it('is held by one process until it releases it', () => {
    const path = join(folder, 'taken.lock');
    const free = lockFile(path);
    expect(() => lockFile(path)).toThrow(
      `taken.lock: process ${process.pid} holds this lock. Stop that process first, or use another folder than ${folder}`,
    );
    free();
    lockFile(path)();
  });

  it('is refused with a remedy when its file is not a lock file', () => {
    const path = join(folder, 'text.lock');
    writeFileSync(path, 'somebody has written here, and more than a byte or two: '.repeat(20));
    expect(() => lockFile(path)).toThrow(
      /text\.lock: this lock cannot be taken .*\. Move this file away while no process uses the files of \//,
    );
  });
});
