import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FileFault } from '../../src/domain/index.ts';
import { makeFolder, readFileAtMost } from '../../src/runtime/index.ts';

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'make-folder-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe('makeFolder', () => {
  it('creates missing folders, returns the first one, and accepts an existing folder', () => {
    const path = join(scratch, 'a/b/c');
    expect(makeFolder(path, 0o700)).toBe(join(scratch, 'a'));
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(makeFolder(path)).toBeUndefined();
    expect(makeFolder(join(path, 'd/'))).toBe(join(path, 'd'));
  });

  it('refuses a file in place of a folder, at the end or within the path', () => {
    const file = join(scratch, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).toThrow('EEXIST');
    expect(() => makeFolder(join(file, 'inner'))).toThrow('ENOTDIR');
  });

  // Runs in a child process, which can be ended if the call never returns.
  it.runIf(existsSync('/proc/self'))('returns when nothing can be created', () => {
    const module = JSON.stringify(join(import.meta.dirname, '../../src/runtime/files.ts'));
    const script = `import { makeFolder } from ${module};
      try { makeFolder('/proc/halfspread/reports'); } catch (cause) { console.log(cause.code); }`;
    const received = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 30_000,
      killSignal: 'SIGKILL',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(received.trim()).toBe('ENOENT');
  });
});

function fileOf(bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file');
  writeFileSync(path, Buffer.alloc(bytes, 7));
  return path;
}

describe('readFileAtMost', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('reads a file of %i bytes completely', (bytes) => {
    expect(readFileAtMost(fileOf(bytes), 200_000, 'a test').equals(Buffer.alloc(bytes, 7))).toBe(true);
  });

  it('refuses a larger file and an endless device without allocating more than the limit', () => {
    const alloc = vi.spyOn(Buffer, 'alloc');
    onTestFinished(() => alloc.mockRestore());
    const path = fileOf(100_001);
    alloc.mockClear();
    for (const large of [path, '/dev/zero']) {
      expect(() => readFileAtMost(large, 100_000, 'a test')).toThrow(FileFault);
      expect(() => readFileAtMost(large, 100_000, 'a test')).toThrow('more than 100000 bytes, too many for a test');
    }
    expect(Math.max(...alloc.mock.calls.map(([size]) => size))).toBeLessThanOrEqual(100_001);
  });

  it('passes on errors of the file system', () => {
    expect(() => readFileAtMost('/nowhere/at/all', 10, 'a test')).toThrow(/ENOENT/);
    expect(() => readFileAtMost(tmpdir(), 10, 'a test')).toThrow(/EISDIR/);
  });
});
