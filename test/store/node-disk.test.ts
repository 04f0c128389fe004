/** A journal is where it was put after a loss of power only if the names of its folders were made durable, too. */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NodeDisk } from '../../src/store/index.ts';

const seen = vi.hoisted(() => ({ synced: [] as string[], forbidden: '', fault: '' }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const paths = new Map<number, string>();
  return {
    ...real,
    openSync: (path: string, flags: string) => {
      if (path === seen.forbidden) throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' });
      const fd = real.openSync(path, flags);
      paths.set(fd, path);
      return fd;
    },
    fsyncSync: (fd: number) => {
      if (paths.get(fd) === seen.fault) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      real.fsyncSync(fd);
      seen.synced.push(paths.get(fd) ?? '');
    },
  };
});

const folders: string[] = [];

function newFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'halfspread-disk-'));
  folders.push(folder);
  return folder;
}

function syncedBy(open: () => NodeDisk): readonly string[] {
  seen.synced.length = 0;
  open().close();
  return [...seen.synced];
}

afterEach(() => {
  seen.forbidden = '';
  seen.fault = '';
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true });
});

describe('a folder of the machine', () => {
  it('that is made, with others above it, has each name made durable where it stands', () => {
    const top = newFolder();
    expect(syncedBy(() => new NodeDisk(join(top, 'a', 'b', 'journal')))).toEqual([
      join(top, 'a', 'b'),
      join(top, 'a'),
      top,
    ]);
  });

  it('that is there has its own name made durable: who made it may have died at once', () => {
    const top = newFolder();
    fs.mkdirSync(join(top, 'journal'));
    expect(syncedBy(() => new NodeDisk(join(top, 'journal')))).toEqual([top]);
  });

  it('that is there is used also where the one above it cannot be read', () => {
    const top = newFolder();
    seen.forbidden = top;
    fs.mkdirSync(join(top, 'journal'));
    expect(syncedBy(() => new NodeDisk(join(top, 'journal')))).toEqual([]);
    expect(() => new NodeDisk(join(top, 'another'))).toThrow(/another: could not be made \(EACCES/);
  });

  it('whose name cannot be made durable is not used', () => {
    const top = newFolder();
    seen.fault = top;
    expect(() => new NodeDisk(join(top, 'journal'))).toThrow(/journal: could not be made \(EIO/);
  });
});
