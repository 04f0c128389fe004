import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../../src/domain/index.ts';
import { isTapeFolder, openTapeFolder } from '../../../src/history/index.ts';
import { KIND, SIDE } from '../../../src/tape/index.ts';
import type { Message } from '../../tape/rows.ts';
import { HEAD, scratchFolder, writeTape } from '../scratch.ts';

const level = (price: number) => ({ market: 0, kind: KIND.level, side: SIDE.bid, price, shares: 10_000 });
const scenario = (price: number): Message[] => [{ tx: 1_000, rx: 1_000, rows: [level(price)] }];

/** Creates a folder with two tapes. */
function folderOfTapes(): string {
  const folder = scratchFolder();
  writeTape(join(folder, 'b.tape'), scenario(4_000), { ...HEAD, name: 'B' });
  writeTape(join(folder, 'a.tape'), scenario(4_100), { ...HEAD, name: 'A' });
  // Whole seconds, which `damage` can set again.
  for (const name of ['a.tape', 'b.tape']) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
  return folder;
}

const names = (folder: string): string[] => openTapeFolder(folder).tapes.map(({ manifest }) => manifest.name);

/** Damages a tape without changing its size and modification time. */
function damage(path: string): void {
  const { mtime, size } = statSync(path);
  writeFileSync(path, Buffer.alloc(size));
  utimesSync(path, mtime, mtime);
}

describe('a folder of tapes', () => {
  it('lists its tapes by file name, and reopens a tape only after it changed', () => {
    const folder = folderOfTapes();
    expect(names(folder)).toEqual(['A', 'B']);
    damage(join(folder, 'a.tape'));
    expect(names(folder)).toEqual(['A', 'B']);
    writeTape(join(folder, 'a.tape'), scenario(4_200), { ...HEAD, name: 'C' });
    expect(names(folder)).toEqual(['C', 'B']);
  });

  it('detects tapes that are added, renamed and removed', () => {
    const folder = folderOfTapes();
    expect(names(folder)).toEqual(['A', 'B']);
    renameSync(join(folder, 'b.tape'), join(folder, 'c.tape.partial'));
    expect(names(folder)).toEqual(['A']);
    copyFileSync(join(folder, 'a.tape'), join(folder, 'z.tape'));
    expect(names(folder)).toEqual(['A', 'A']);
  });

  it('ignores other files, and lists files that only have the name of a tape as unusable', () => {
    const folder = folderOfTapes();
    writeFileSync(join(folder, 'notes.txt'), 'x');
    writeFileSync(join(folder, 'c.tape'), 'no tape');
    const { tapes, unusable } = openTapeFolder(folder);
    expect(tapes.map(({ file }) => file)).toEqual(['a.tape', 'b.tape']);
    expect(unusable).toEqual([{ file: 'c.tape', problem: expect.stringContaining('not a tape file') }]);
  });

  it.each<[string, (text: string) => string]>([
    ['cut short', (text) => text.slice(0, -5)],
    ['changed', (text) => text.replace('"rows":1', '"rows":2')],
    ['of another version', (text) => text.replace('"version":1', '"version":2')],
    ['empty', () => ''],
    ['something else', () => '{}\n[]'],
  ])('rebuilds an index that is %s', (_what, change) => {
    const folder = folderOfTapes();
    names(folder);
    const index = join(folder, '.tapes-index');
    const text = readFileSync(index, 'utf8');
    const changed = change(text);
    expect(changed).not.toBe(text);
    writeFileSync(index, changed);
    expect(names(folder)).toEqual(['A', 'B']);
    expect(readFileSync(index, 'utf8')).toBe(text);
  });

  it('is refused when it does not exist', () => {
    expect(() => openTapeFolder(join(scratchFolder(), 'none'))).toThrow(/there is no such file or folder/);
  });

  it('throws a file fault for a path that cannot be read', () => {
    const path = `/${'x'.repeat(300)}`;
    for (const open of [isTapeFolder, openTapeFolder]) expect(() => open(path)).toThrow(FileFault);
  });

  it('gives several processes at once the same list and one index', async () => {
    const folder = folderOfTapes();
    const source = resolve(import.meta.dirname, '../../../src/history/index.ts');
    const script = `import(${JSON.stringify(source)}).then(({ openTapeFolder }) => console.log(JSON.stringify(openTapeFolder(${JSON.stringify(folder)}))))`;
    const runs = Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, ['-e', script]));
    const outputs = (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout));
    expect(new Set(outputs.map((output) => JSON.stringify(output))).size).toBe(1);
    damage(join(folder, 'a.tape'));
    expect(names(folder)).toEqual(['A', 'B']);
  }, 60_000);
});
