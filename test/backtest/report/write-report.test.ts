import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeAtomically } from '../../../src/backtest/report/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string) => writeAtomically(path, 'page', 'the page', 'Name a file');

describe('writeAtomically', () => {
  it('writes to a pipe or a device instead of replacing it, as root could do with /dev/null', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      await write(pipe);
      expect(lstatSync(pipe).isFIFO()).toBe(true);
      const bytes = Buffer.alloc(10);
      expect(bytes.toString('utf8', 0, readSync(reader, bytes))).toBe('page');
    } finally {
      closeSync(reader);
    }
  });

  it('replaces the target of a symbolic link, and leaves nothing else behind', async () => {
    const [file, link] = [join(folder, 'dated.html'), join(folder, 'latest.html')];
    writeFileSync(file, 'old');
    symlinkSync('dated.html', link);
    await write(link);
    expect([readFileSync(file, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['page', true]);
    expect(
      readdirSync(folder)
        .filter((name) => name.includes('html'))
        .sort(),
    ).toEqual(['dated.html', 'latest.html']);
  });

  it('replaces a symbolic link whose target does not exist', async () => {
    const link = join(folder, 'dangling');
    symlinkSync('missing', link);
    await write(link);
    expect([readFileSync(link, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['page', false]);
    expect(readdirSync(folder)).not.toContain('missing');
  });
});
