import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkWhileUnlocked, lockFile } from '../../src/store/file-lock.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'bot.db.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const fail = (): never => {
  throw new Error('damaged');
};

describe('a check of files that the holder of a lock changes', () => {
  it('throws its fault when nobody holds the lock', () => {
    expect(() => checkWhileUnlocked(path, fail)).toThrow('damaged');
    lockFile(path)();
    expect(() => checkWhileUnlocked(path, fail)).toThrow('damaged');
  });

  it('is skipped while the lock is held', () => {
    const release = lockFile(path);
    expect(() => checkWhileUnlocked(path, fail)).not.toThrow();
    release();
  });

  it('is ignored when the lock is taken during the check', () => {
    let release = (): void => {};
    expect(() =>
      checkWhileUnlocked(path, () => {
        release = lockFile(path);
        fail();
      }),
    ).not.toThrow();
    release();
  });
});
