import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { diskFault } from '../../src/store/disk-fault.ts';
import { FileJournal } from '../../src/store/file-journal.ts';
import { NodeDisk } from '../../src/store/node-disk.ts';
import { append, batch, journalContract, recordsFrom, save, snapshot } from '../contract/journal-contract.ts';
import { CrashDisk } from './crash-disk.ts';

const cleanings: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleanings.splice(0).reverse()) await clean();
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  cleanings.push(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function opened(folder: string, segmentBytes = 200): Promise<FileJournal> {
  const journal = await FileJournal.open(new NodeDisk(folder), { segmentBytes });
  cleanings.push(() => journal.close().catch(() => {}));
  return journal;
}

journalContract('in files', async () => {
  const folder = scratch();
  const journal = await opened(folder);
  return {
    journal,
    reopened: async () => {
      await journal.close();
      return opened(folder);
    },
  };
});

journalContract('in files of one batch each', async () => {
  const disk = new CrashDisk();
  const journal = await FileJournal.open(disk, { segmentBytes: 1 });
  return {
    journal,
    reopened: async () => {
      await journal.close();
      return FileJournal.open(disk, { segmentBytes: 1 });
    },
  };
});

describe('a journal in files', () => {
  it('is refused to a second opener, and free when the first has closed it', async () => {
    const folder = scratch();
    const first = await opened(folder);
    await expect(opened(folder)).rejects.toThrow(/journal\.lock: another process has the folder\. End it first/);
    await first.close();
    const second = await opened(folder);
    expect(second.last).toBe(0);
  });

  it('says what to do about a lock that is none', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'journal.lock'), 'somebody has written here, and more than a byte or two: '.repeat(20));
    await expect(opened(folder)).rejects.toThrow(/journal\.lock: the folder cannot be locked .*: move this file away/);
  });

  it('leaves files alone that bear a number no record can have', async () => {
    const folder = scratch();
    for (const name of ['records-9999999999999999.journal', 'state-9999999999999999.snapshot']) {
      writeFileSync(join(folder, name), 'of somebody else');
    }
    const { last, first, snapshots } = await opened(folder);
    expect([first, last, snapshots]).toEqual([1, 0, []]);
  });

  it('frees the folder when what is in it is refused', async () => {
    const folder = scratch();
    writeFileSync(join(folder, 'records-0000000000000001.journal'), 'this is no journal, nor the beginning of one');
    await expect(opened(folder)).rejects.toThrow(/byte 0: the header is damaged/);
    await expect(opened(folder)).rejects.toThrow(/byte 0: the header is damaged/);
  });

  it('makes its folder, and says so when it cannot', async () => {
    const folder = join(scratch(), 'a', 'b');
    expect((await opened(folder)).name).toBe(folder);
    await expect(async () => opened('/dev/null/journal')).rejects.toThrow(/^\/dev\/null\/journal: could not be made/);
  });

  it('takes one batch and one snapshot at a time', async () => {
    const disk = new CrashDisk();
    const journal = await FileJournal.open(disk);
    disk.isWaiting = true;
    journal.append(batch(1, 1), () => {});
    expect(() => journal.append(batch(1, 1), () => {})).toThrow('Invariant: a batch is under way');
    journal.saveSnapshot(snapshot(0), () => {});
    expect(() => journal.saveSnapshot(snapshot(0), () => {})).toThrow('Invariant: a snapshot is under way');
  });

  it('is closed only when what was under way is durable, and takes nothing more', async () => {
    const folder = scratch();
    const journal = await opened(folder);
    const told: unknown[] = [];
    journal.append(batch(1, 2), (fault) => told.push(fault));
    await journal.close();
    expect(told).toEqual([undefined]);
    journal.append(batch(3, 1), (fault) => told.push(fault?.code));
    expect(told).toEqual([undefined, 'JOURNAL_CLOSED']);
    expect((await opened(folder)).last).toBe(2);
  });

  it('takes nothing more while it is being closed', async () => {
    const disk = new CrashDisk();
    const journal = await FileJournal.open(disk);
    const told: unknown[] = [];
    journal.append(batch(1, 2), (fault) => {
      told.push(fault);
      journal.append(batch(3, 1), (again) => told.push(again?.code));
      journal.saveSnapshot(snapshot(2), (again) => told.push(again?.code));
    });
    const closed = journal.close();
    expect(journal.close()).toBe(closed);
    await closed;
    expect(told).toEqual([undefined, 'JOURNAL_CLOSED', 'JOURNAL_CLOSED']);
    const again = await FileJournal.open(disk);
    expect([again.last, again.snapshots, again.cut]).toEqual([2, [], undefined]);
  });

  it('keeps all records where it is told to', async () => {
    const disk = new CrashDisk();
    const journal = await FileJournal.open(disk, { segmentBytes: 1, keepRecords: true });
    for (let record = 1; record <= 9; record++) {
      await append(journal, batch(record, 1));
      if (record % 3 === 0) await save(journal, snapshot(record));
    }
    expect([journal.first, journal.snapshots]).toEqual([1, [9, 6]]);
    expect(recordsFrom(journal, 1)).toHaveLength(9);
  });

  it('leaves files alone that are none of its own', async () => {
    const disk = new CrashDisk({ 'README.txt': Uint8Array.of(1), 'records-1.journal': Uint8Array.of(2) });
    const journal = await FileJournal.open(disk);
    expect([journal.last, journal.cut]).toEqual([0, undefined]);
    expect(disk.list()).toEqual(['README.txt', 'records-1.journal']);
  });

  it('removes a snapshot that was never finished', async () => {
    const disk = new CrashDisk({ 'state-0000000000000004.snapshot.partial': Uint8Array.of(1) });
    const journal = await FileJournal.open(disk);
    expect([journal.snapshots, disk.list()]).toEqual([[], []]);
  });

  it('goes on behind a snapshot when all records are gone', async () => {
    const disk = new CrashDisk();
    const journal = await FileJournal.open(disk);
    await append(journal, batch(1, 9));
    await save(journal, snapshot(9));
    await journal.close();
    const { 'state-0000000000000009.snapshot': kept = new Uint8Array(0) } = disk.files();
    const moved = await FileJournal.open(new CrashDisk({ 'state-0000000000000009.snapshot': kept }));
    expect([moved.first, moved.last]).toEqual([10, 9]);
    await append(moved, batch(10, 1));
    expect(recordsFrom(moved, 10)).toEqual([[10, 1, [10]]]);
  });
});

describe('a disk that fails', () => {
  it.each([
    ['write', 'ENOSPC'],
    ['sync', 'EIO'],
  ] as const)(
    'at a %s stops everything: nothing is durable from there on, not even when it is well again',
    async (at, code) => {
      const disk = new CrashDisk();
      const journal = await FileJournal.open(disk);
      await append(journal, batch(1, 2));
      disk.failure = { at, code };
      const fault = await append(journal, batch(3, 1));
      expect(fault?.message).toContain(`failed (${code})`);
      disk.failure = undefined;
      const before = disk.files();
      expect(await append(journal, batch(3, 1))).toBe(fault);
      expect(journal.last).toBe(2);
      await journal.close();
      expect(disk.files()).toEqual(before);
    },
  );

  it('while a new segment is made stops everything too', async () => {
    const disk = new CrashDisk();
    const journal = await FileJournal.open(disk, { segmentBytes: 1 });
    await append(journal, batch(1, 2));
    disk.failure = { at: 'sync', code: 'EIO' };
    expect((await append(journal, batch(3, 1)))?.code).toBe('FILE');
    disk.failure = undefined;
    expect((await append(journal, batch(3, 1)))?.code).toBe('FILE');
    const again = await FileJournal.open(new CrashDisk(disk.files()));
    expect(again.last).toBe(2);
  });

  it('at a snapshot stops that alone', async () => {
    const disk = new CrashDisk();
    const journal = await FileJournal.open(disk);
    await append(journal, batch(1, 2));
    disk.failure = { at: 'write', code: 'ENOSPC' };
    expect((await save(journal, snapshot(2)))?.message).toContain('ENOSPC');
    disk.failure = undefined;
    expect(await append(journal, batch(3, 1))).toBeUndefined();
    expect(await save(journal, snapshot(2))).toBeUndefined();
    expect(journal.snapshots).toEqual([2]);
  });

  it.each([
    ['ENOSPC', 'Make room on the disk'],
    ['EDQUOT', 'Make room on the disk'],
    ['EIO', 'Check that the folder'],
  ])('with %s is told with its remedy', (code, remedy) => {
    const cause = Object.assign(new Error(`${code}: it failed`), { code });
    const { message, file } = diskFault('/folder/file', 'written', cause);
    expect([file, message]).toEqual([
      '/folder/file',
      expect.stringContaining(`could not be written (${code}: it failed). ${remedy}`),
    ]);
  });

  it('names the file that is not there, or there already', async () => {
    const disk = new NodeDisk(scratch());
    cleanings.push(() => disk.close());
    await (await disk.create('one')).close();
    await expect(disk.create('one')).rejects.toThrow(/one: could not be made \(EEXIST/);
    expect(() => disk.read('two')).toThrow(/two: could not be read \(ENOENT/);
  });

  it('writes all parts, however long, and reads and cuts what is asked', async () => {
    const disk = new NodeDisk(scratch());
    cleanings.push(() => disk.close());
    const file = await disk.create('long');
    const parts = [new Uint8Array(0), new Uint8Array(3_000_000).fill(1), Uint8Array.of(2, 3)];
    await file.write(parts);
    await file.sync();
    await file.close();
    expect(disk.read('long')).toEqual(Uint8Array.from(Buffer.concat(parts)));
    expect(disk.read('long', 2)).toEqual(Uint8Array.of(1, 1));
    disk.cut('long', 1);
    disk.rename('long', 'short');
    await disk.syncFolder();
    expect(disk.read('short', 5)).toEqual(Uint8Array.of(1));
    disk.remove('short');
    expect(disk.list()).toEqual(['journal.lock']);
  });
});
