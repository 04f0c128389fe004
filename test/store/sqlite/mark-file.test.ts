import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CommitMarkFile, readCommitMark, writeCommitMark } from '../../../src/store/sqlite/mark-file.ts';
import { databaseFiles } from './files.ts';

const file = databaseFiles();

/** Makes each write write at most 50 bytes, as a system may. */
function writeParts(): void {
  const { writeSync } = fs;
  const spy = vi.spyOn(fs, 'writeSync').mockImplementation((fd: number, bytes: unknown, ...place: unknown[]) => {
    if (!(bytes instanceof Uint8Array)) throw new Error('bytes are expected');
    const [offset = 0, length = bytes.length, position = null] = place.map(Number);
    return writeSync(fd, bytes, offset, Math.min(length, 50), position);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

describe('a mark', () => {
  it('is written whole when the system writes a part of the bytes', () => {
    const name = file();
    writeFileSync(name, '');
    writeParts();
    writeCommitMark(name, { database: 'ab'.repeat(16), commits: 1, lastEntry: 2, isInUse: true }, 'a start');
    expect(readCommitMark(name)).toMatchObject({ commits: 1, lastEntry: 2, boot: 'a start' });
    const mark = new CommitMarkFile(name);
    mark.acknowledge(3, 4);
    mark.close();
    expect(readCommitMark(name)).toMatchObject({ commits: 3, lastEntry: 4, boot: 'a start' });
  });
});
