/** Files of a database that were truncated, removed or replaced while no process used them. */
import { hash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import { readWal } from '../../../src/store/sqlite/wal-file.ts';
import { runs } from '../../runs.ts';
import { databaseFiles, toVersion } from './files.ts';
import { type Harness, openHarness, settled } from './harness.ts';

const file = databaseFiles();
const ENDS = ['', '-wal', '-mark'] as const;

let time = 1_795_000_000_000;
/** Sends commands, each in its own transaction. */
async function trade(harness: Harness, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    time += 1;
    const address = `0x${String(time).padStart(40, '0')}`;
    harness.apply({ type: 'openAccount', time: unchecked.time(time), address, unlimited: false });
    await settled(harness);
  }
}

/** Copies the files as a kill would leave them. @returns the name of the copy */
function copyFiles(name: string): string {
  const copy = file();
  for (const end of ENDS) if (existsSync(name + end)) copyFileSync(name + end, copy + end);
  return copy;
}

/** Copies one database after 10, 40 and 60 records, with a checkpoint between the first two. */
async function makeCopies() {
  const name = file();
  const harness = openHarness({ file: name, thread: false });
  await trade(harness, 10);
  const early = copyFiles(name);
  const other = new Database(name);
  other.pragma('wal_checkpoint(PASSIVE)');
  other.close();
  await trade(harness, 30);
  const middle = copyFiles(name);
  await trade(harness, 20);
  return { early, middle, late: copyFiles(name) };
}
const copies = makeCopies();

/** Opens and closes a file. @returns the number of its last record */
async function lastRecordOf(name: string, acceptLoss = false): Promise<number> {
  const store = SqliteStore.open({ file: name, thread: false, acceptLoss });
  const { last } = store.journal;
  await store.close();
  return last;
}

/** Expects that a file is refused and not changed. */
function expectRefused(name: string, message: RegExp): void {
  const before = hashes(name);
  expect(() => SqliteStore.open({ file: name, thread: false })).toThrow(message);
  expect(hashes(name)).toEqual(before);
}

function hashes(name: string): readonly string[] {
  return ENDS.map((end) => (existsSync(name + end) ? hash('sha1', readFileSync(name + end)) : 'none'));
}

const SHORTER =
  /it ends with record \d+ \(commit \d+\), and record 60 \(commit \d+\) was acknowledged at 20.*start with --accept-loss/;

describe('a database whose log (WAL)', () => {
  it('is complete opens, also without its mark', async () => {
    const { late } = await copies;
    expect(await lastRecordOf(copyFiles(late))).toBe(60);
    const unmarked = copyFiles(late);
    rmSync(`${unmarked}-mark`);
    expect(await lastRecordOf(unmarked)).toBe(60);
  });

  it('is missing or empty is refused until the loss is accepted', async () => {
    const { late } = await copies;
    const missing = copyFiles(late);
    rmSync(`${missing}-wal`);
    expectRefused(
      missing,
      /it ends with record 10 .*, and record 60 .* was acknowledged.*-wal is missing or empty\. Put back/,
    );
    expectRefused(missing, SHORTER);
    const store = SqliteStore.open({ file: copyFiles(missing), thread: false, acceptLoss: true });
    expect(store.acceptedLoss).toMatch(/record 10 .*and record 60 .*was acknowledged at 20.*-wal is missing or empty$/);
    await store.close();
    expect(await lastRecordOf(missing, true)).toBe(10);
    // An accepted loss is not reported again.
    expect(await lastRecordOf(missing)).toBe(10);
    const empty = copyFiles(late);
    truncateSync(`${empty}-wal`, 0);
    expectRefused(empty, SHORTER);
  });

  it('is missing with all other files is refused', async () => {
    const { late } = await copies;
    const alone = copyFiles(late);
    for (const end of ['-wal', '-mark']) rmSync(alone + end);
    expectRefused(alone, /it was in use and was not closed, and both .*-wal and .*-mark are missing\. Put back/);
    expect(await lastRecordOf(alone, true)).toBe(10);
  });

  it('is cut at any byte is refused while anything acknowledged is gone', async () => {
    const { late } = await copies;
    const end = readWal(`${late}-wal`)?.end ?? 0;
    expect(end).toBeGreaterThan(100_000);
    const bytes = readFileSync(`${late}-wal`);
    const name = copyFiles(late);
    const cuts = fc.oneof(fc.nat({ max: 64 }), fc.integer({ min: end - 64, max: end - 1 }), fc.nat({ max: end - 1 }));
    fc.assert(
      fc.property(cuts, (cut) => {
        writeFileSync(`${name}-wal`, bytes.subarray(0, cut));
        expectRefused(name, SHORTER);
      }),
      { numRuns: runs(60) },
    );
    writeFileSync(`${name}-wal`, bytes.subarray(0, end));
    expect(await lastRecordOf(name)).toBe(60);
  });

  it('has one flipped bit is refused, wherever the bit is', async () => {
    const { late } = await copies;
    const end = readWal(`${late}-wal`)?.end ?? 0;
    const bytes = readFileSync(`${late}-wal`);
    const name = copyFiles(late);
    fc.assert(
      fc.property(fc.nat({ max: end - 1 }), fc.nat({ max: 7 }), (at, bit) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        writeFileSync(`${name}-wal`, damaged);
        expectRefused(name, /it ends with record \d+ .* was acknowledged.*-wal is damaged or cut at byte \d+/);
      }),
      { numRuns: runs(60) },
    );
  });

  it('belongs to another database is refused, and never applied', async () => {
    const [{ late }, { late: others }] = [await copies, await makeCopies()];
    const name = copyFiles(late);
    copyFileSync(`${others}-wal`, `${name}-wal`);
    expectRefused(name, /-wal: it is not the log of \d+\.db, and would be written into it\. Move it away/);
    rmSync(`${name}-mark`);
    expectRefused(name, /it is not the log of/);
    // Also not next to a database that was closed normally.
    const closed = copyFiles(late);
    await lastRecordOf(closed);
    copyFileSync(`${others}-wal`, `${closed}-wal`);
    expectRefused(closed, /it is not the log of/);
    const foreign = file();
    const foreignConnection = new Database(foreign);
    foreignConnection.pragma('journal_mode = WAL');
    foreignConnection.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    copyFileSync(`${foreign}-wal`, `${closed}-wal`);
    expectRefused(closed, /it is not the log of/);
    foreignConnection.close();
  });

  it('is from another time than the database is refused', async () => {
    const { early, middle, late } = await copies;
    const older = copyFiles(late);
    copyFileSync(`${early}-wal`, `${older}-wal`);
    expectRefused(older, /-wal: it is older than|was acknowledged/);
    const closed = copyFiles(late);
    await lastRecordOf(closed);
    copyFileSync(`${early}-wal`, `${closed}-wal`);
    expectRefused(closed, /-wal: it is older than \d+\.db: it ends with commit \d+, \d+\.db has \d+\. Put back/);
    const restored = copyFiles(late);
    copyFileSync(early, restored);
    expectRefused(
      restored,
      /-wal: it begins with commit \d+, and \d+\.db ends with commit \d+: commits between them are missing/,
    );
    const sameLog = copyFiles(late);
    copyFileSync(`${middle}-wal`, `${sameLog}-wal`);
    expectRefused(sameLog, SHORTER);
  });
});

describe('a database file', () => {
  it('that is missing is not created again while its mark exists', async () => {
    const { late } = await copies;
    const name = copyFiles(late);
    rmSync(name);
    expectRefused(name, /it is missing or empty, and record 60 .* was acknowledged/);
    const unmarked = copyFiles(late);
    for (const end of ['', '-mark']) rmSync(unmarked + end);
    expectRefused(unmarked, /-wal: \d+\.db is missing or empty, and its log is there\. Put back/);
    expect(await lastRecordOf(name, true)).toBe(0);
  });

  it('from an earlier time is refused while the mark is newer', async () => {
    const { early, late } = await copies;
    const name = copyFiles(early);
    copyFileSync(`${late}-mark`, `${name}-mark`);
    expectRefused(name, /it ends with record 10 .*, and record 60 .* was acknowledged.*-wal ends at byte \d+/);
  });

  it('is complete without its log after a normal end, wherever it is copied', async () => {
    const { late } = await copies;
    const name = copyFiles(late);
    await lastRecordOf(name);
    expect(ENDS.filter((end) => existsSync(name + end))).toEqual(['']);
    const copy = file();
    copyFileSync(name, copy);
    expect(await lastRecordOf(copy)).toBe(60);
  });

  it('that another program has read and checkpointed opens', async () => {
    const { late } = await copies;
    const name = copyFiles(late);
    const other = new Database(name);
    expect(other.prepare('SELECT count(*) FROM journal').pluck().get()).toBe(60);
    other.close();
    expect(existsSync(`${name}-wal`)).toBe(false);
    expect(await lastRecordOf(name)).toBe(60);
  });

  it('that VACUUM INTO wrote during use opens as a backup', async () => {
    const { late } = await copies;
    const name = copyFiles(late);
    const copy = file();
    const other = new Database(name);
    other.exec(`VACUUM INTO '${copy}'`);
    other.close();
    expect(await lastRecordOf(copy)).toBe(60);
  });

  it('of an earlier version without a stamp opens', async () => {
    const { late } = await copies;
    const name = copyFiles(late);
    await lastRecordOf(name);
    toVersion(name, 6);
    expect(await lastRecordOf(name)).toBe(60);
  });
});

describe('the mark of a database', () => {
  it('is refused with a remedy when it is damaged or belongs to another database', async () => {
    const [{ late }, { late: others }] = [await copies, await makeCopies()];
    const name = copyFiles(late);
    const bytes = readFileSync(`${name}-mark`);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        writeFileSync(`${name}-mark`, damaged);
        expectRefused(name, /-mark: (it is not the mark of a database|its checksum is wrong)\. Put back the mark/);
      }),
      { numRuns: runs(40) },
    );
    truncateSync(`${name}-mark`, 60);
    expectRefused(name, /-mark: it is not the mark of a database/);
    copyFileSync(`${others}-mark`, `${name}-mark`);
    expectRefused(name, /-mark: it belongs to another database than \d+\.db\. Put back the mark/);
    rmSync(`${name}-mark`);
    expect(await lastRecordOf(name)).toBe(60);
  });

  it('has the time of the last acknowledged command', async () => {
    const { late } = await copies;
    const name = copyFiles(late);
    rmSync(`${name}-wal`);
    utimesSync(`${name}-mark`, 1_790_000_000, 1_790_000_000);
    expectRefused(name, /was acknowledged at 2026-09-21T14:13:20\.000Z/);
  });

  it('remains until the next start when a normal end could not be written', async () => {
    const name = file();
    const harness = openHarness({ file: name, thread: false });
    await trade(harness, 3);
    const reader = new Database(name, { readonly: true });
    const read = reader.prepare('SELECT * FROM journal').iterate();
    read.next();
    await harness.store.close();
    expect(statSync(`${name}-mark`).size).toBe(128);
    read.return?.();
    reader.close();
    expect(await lastRecordOf(name)).toBe(3);
    expect(existsSync(`${name}-mark`)).toBe(false);
  });
});
