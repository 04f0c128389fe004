import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FileFault } from '../../src/domain/index.ts';
import { readFileAtMost } from '../../src/runtime/index.ts';

function fileOf(bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file');
  writeFileSync(path, Buffer.alloc(bytes, 7));
  return path;
}

describe('readFileAtMost', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('reads a file of %i bytes whole', (bytes) => {
    expect(readFileAtMost(fileOf(bytes), 200_000, 'a test').equals(Buffer.alloc(bytes, 7))).toBe(true);
  });

  it('refuses a file of one byte more, and a device without an end, without allocating more than the limit', () => {
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

  it('leaves the errors of the file system as they are', () => {
    expect(() => readFileAtMost('/nowhere/at/all', 10, 'a test')).toThrow(/ENOENT/);
    expect(() => readFileAtMost(tmpdir(), 10, 'a test')).toThrow(/EISDIR/);
  });
});
