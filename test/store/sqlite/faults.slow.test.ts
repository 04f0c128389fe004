import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import { MIGRATIONS } from '../../../src/store/sqlite/migrations.ts';
import { batch } from '../../contract/journal-contract.ts';
import { OPENING } from '../../exchange/properties/sequence.ts';
import { assertAgreement } from './agreement.ts';
import { databaseFiles } from './files.ts';
import { openHarness, settled } from './harness.ts';

const CHILD = join(import.meta.dirname, 'trading-child.ts');
const file = databaseFiles();

async function writeVenue(name: string): Promise<void> {
  const harness = openHarness({ file: name, thread: false });
  for (const command of OPENING) harness.apply(command);
  harness.exchange.snapshot();
  await settled(harness);
  await harness.store.close();
}

/** Overwrites bytes in a file. */
function overwrite(name: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(name, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
}

describe('a database that cannot grow', () => {
  it.each([true, false])(
    'does not acknowledge commands that it cannot write, and is intact afterwards (thread: %s)',
    async (thread) => {
      const name = file();
      const harness = openHarness({ file: name, thread, maxPages: 120 });
      const acknowledged: number[] = [];
      const time = unchecked.time(1_795_000_000_000);
      const failed = new Promise<void>((resolve) => {
        const next = (at: number): void => {
          if (harness.faults.length > 0) resolve();
          else {
            const address = `0x${String(at).padStart(200, '0')}`;
            harness.exchange.apply({ type: 'openAccount', time, address, unlimited: false });
            harness.exchange.commit((fault) => {
              if (fault === undefined) acknowledged.push(at);
              else harness.faults.push(fault.message);
              setImmediate(() => next(at + 1));
            });
          }
        };
        next(1);
      });
      await failed;
      expect(harness.faults).toEqual([expect.stringMatching(/SQLITE_FULL.*Free disk space and try again/)]);
      expect(() => harness.apply({ type: 'tick', time })).toThrow(/SQLITE_FULL/);
      await new Promise<void>((resolve) => {
        harness.store.journal.append(batch(harness.store.journal.last + 1, 1), (fault) => {
          expect(fault?.message).toMatch(/SQLITE_FULL/);
          resolve();
        });
      });
      harness.store.registry.put({ table: 'setting', key: 'late', value: 1 });
      await new Promise<void>((resolve) => {
        harness.store.registry.sync((fault) => {
          expect(fault?.message).toMatch(/SQLITE_FULL/);
          resolve();
        });
      });
      await expect(harness.store.close()).rejects.toThrow(/SQLITE_FULL/);
      const restarted = openHarness({ file: name, thread: false });
      const { view } = restarted.recovery.machine;
      expect(view.accountCount).toBe(acknowledged.length);
      expect(restarted.store.registry.find('setting', 'late')).toBeUndefined();
      assertAgreement(restarted.store.archive, view);
      await restarted.store.close();
    },
  );

  it('reports the system’s limit of file sizes, and has every acknowledged command', async () => {
    const name = file();
    // Blocks of 512 bytes: 500 KB, which the log reaches soon.
    const limited = ['-c', `ulimit -f 1000; exec "$0" "$@"`, process.execPath, CHILD, name, '5'];
    const child = spawn('sh', limited, { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    const lines = (await text(child.stdout)).split('\n');
    expect(await closed).toEqual([3, null]);
    expect(lines.find((line) => line.startsWith('f '))).toMatch(/SQLITE_(IOERR|FULL)/);
    const acknowledged = lines.filter((line) => line.startsWith('d ')).map((line) => Number(line.split(' ')[1]));
    const harness = openHarness({ file: name, thread: false });
    const last = harness.store.journal.last;
    expect(last).toBeGreaterThanOrEqual(acknowledged.at(-1) ?? 0);
    expect(lines.filter((line) => line.startsWith('a ')).find((line) => line.split(' ')[1] === String(last))).toBe(
      `a ${last} ${harness.machine.stateHash()}`,
    );
    assertAgreement(harness.store.archive, harness.recovery.machine.view);
    await harness.store.close();
  });
});

describe('a database that another program keeps locked', () => {
  it('waits, then stops acknowledging with a remedy, and is intact afterwards', async () => {
    const name = file();
    const harness = openHarness({ file: name, thread: true });
    for (const command of OPENING) harness.apply(command);
    await settled(harness);
    const before = harness.store.journal.last;
    const other = new Database(name);
    other.exec('BEGIN IMMEDIATE');
    const time = unchecked.time(harness.recovery.machine.view.now + 1);
    harness.apply({ type: 'openAccount', time, address: 'late', unlimited: false });
    await settled(harness);
    // After SQLite's busy timeout of five seconds.
    const locked = /SQLITE_BUSY.*Another program has locked the file for writing\. End it/;
    expect(harness.faults).toEqual([expect.stringMatching(locked)]);
    other.exec('ROLLBACK');
    other.close();
    await expect(harness.store.close()).rejects.toThrow(/SQLITE_BUSY/);
    const restarted = openHarness({ file: name, thread: false });
    expect([restarted.store.journal.last, restarted.recovery.machine.view.accountOf('late')]).toEqual([before, 0]);
    await restarted.store.close();
  }, 180_000);
});

describe('a damaged database', () => {
  it('is refused when its header is invalid', () => {
    const name = file();
    writeFileSync(name, 'This is no database, but long enough to be taken for one. '.repeat(50));
    expect(() => SqliteStore.open({ file: name })).toThrow(/SQLITE_NOTADB.*Put back a good copy of the file/);
    // The lock was released, so the file is refused again.
    expect(() => SqliteStore.open({ file: name })).toThrow(/SQLITE_NOTADB/);
  });

  it('is refused when its pages are damaged', async () => {
    const name = file();
    await writeVenue(name);
    const size = statSync(name).size;
    for (let at = 4096; at < size; at += 4096) overwrite(name, at, new Uint8Array(64).fill(0xa5));
    expect(() => openHarness({ file: name, thread: false })).toThrow(
      /SQLITE_CORRUPT.*Put back a good copy of the file/,
    );
  });

  it('is refused when a record was changed, and uses the previous snapshot when one was changed', async () => {
    const name = file();
    await writeVenue(name);
    const connection = new Database(name);
    connection.exec("UPDATE snapshot_pieces SET bytes = CAST(bytes || x'00' AS BLOB)");
    connection.close();
    const harness = openHarness({ file: name, thread: false });
    expect(harness.recovery.snapshot).toBe(0);
    expect(harness.recovery.notes).toEqual([expect.stringMatching(/its checksum is wrong/)]);
    await harness.store.close();
    const second = new Database(name);
    second.exec('UPDATE journal SET bytes = zeroblob(length(bytes)) WHERE first = (SELECT max(first) FROM journal)');
    second.close();
    expect(() => openHarness({ file: name, thread: false })).toThrow(/record \d+: its checksum is wrong\. Put back/);
  });

  it('is refused when its rows and its records end at different events', async () => {
    const name = file();
    await writeVenue(name);
    const connection = new Database(name);
    connection.exec('UPDATE head SET seq = seq - 1');
    connection.close();
    expect(() => openHarness({ file: name, thread: false })).toThrow(
      /the rows end at event \d+, but the exchange is at event/,
    );
  });
});

describe('a database of another program', () => {
  it('is refused when it is of a later version or of another program', async () => {
    const [later, foreign] = [file(), file()];
    await writeVenue(later);
    let connection = new Database(later);
    connection.pragma('user_version = 99');
    connection.close();
    expect(() => SqliteStore.open({ file: later })).toThrow(
      /it has version 99, but this program reads versions up to \d+\. Start/,
    );
    connection = new Database(foreign);
    connection.exec('CREATE TABLE t (a)');
    connection.close();
    const before = readFileSync(foreign);
    expect(() => SqliteStore.open({ file: foreign })).toThrow(/it is a database of another program/);
    expect(readFileSync(foreign).equals(before)).toBe(true);
  });

  it('is migrated when it is an earlier version', async () => {
    const name = file();
    const fixture = join(import.meta.dirname, '../../fixtures/store/version-1.db');
    expect(existsSync(fixture)).toBe(true);
    copyFileSync(fixture, name);
    const harness = openHarness({ file: name, thread: false });
    expect(harness.exchange.sequence).toBe(OPENING.length);
    assertAgreement(harness.store.archive, harness.recovery.machine.view);
    await harness.store.close();
    const connection = new Database(name, { readonly: true });
    expect(connection.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    expect(connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'price_points_at'").get()).toBeDefined();
    expect(connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'orders_by_id'").get()).toBeUndefined();
    connection.close();
  });
});
