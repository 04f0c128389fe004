/** Every reader of a changed row gets the fault that ends a program with exit code 3. */
import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { FileFault } from '../../../src/domain/index.ts';
import { VENUE_CHECKSUMS } from '../../../src/store/sqlite/columns.ts';
import { databaseFiles } from './files.ts';
import { type Harness, openHarness } from './harness.ts';
import { allAnswers, smallVenue } from './small-venue.ts';

const file = databaseFiles();
const intact = file();
beforeAll(() => smallVenue(intact));

/** Changes a copy with SQL. */
function changedCopy(change: (connection: InstanceType<typeof Database>) => void): string {
  const name = file();
  copyFileSync(intact, name);
  const connection = new Database(name);
  change(connection);
  connection.close();
  return name;
}

function editedCopy(sql: string): string {
  return changedCopy((connection) => expect(connection.prepare(sql).run().changes, sql).toBeGreaterThan(0));
}

/** The fault of a reader of all rows, if any. */
async function faultOf(name: string): Promise<unknown> {
  let harness: Harness | undefined;
  try {
    harness = openHarness({ file: name, thread: false });
    allAnswers(harness.store, harness.recovery.machine.view);
    return undefined;
  } catch (cause) {
    return cause;
  } finally {
    // A damaged file is closed with the same fault.
    await harness?.store.close().catch(() => {});
  }
}

describe('a changed row of a venue’s file', () => {
  it('is not found in an intact file', async () => {
    expect(await faultOf(editedCopy('UPDATE head SET seq = seq'))).toBe(undefined);
  });

  // A row with a changed value there is in no user's list. Only `journal check` reports it.
  const unreachable = [
    'ledger.account',
    'price_points.market',
    'price_buckets.market',
    'price_buckets.length',
    'registry.name',
  ];
  const columns = Object.entries(VENUE_CHECKSUMS).flatMap(([table, { checksums }]) =>
    [...new Set(Object.entries(checksums).flatMap(([sum, of]) => [sum, ...of]))].map(
      (column) => [table, column] as const,
    ),
  );
  it.each(columns.filter((names) => !unreachable.includes(names.join('.'))))(
    'is found by every reader: %s.%s',
    async (table, column) => {
      const connection = new Database(intact, { readonly: true });
      const values = connection
        .prepare<[], number | string | Buffer | null>(`SELECT ${column} FROM ${table}`)
        .pluck()
        .all();
      connection.close();
      const value = values.find((found) => found !== null);
      // A value far from the others, so that the row keeps its position among the keys.
      const other =
        typeof value === 'number' ? `${column} + 1000000` : typeof value === 'string' ? `${column} || 'x'` : `x'00'`;
      const name = editedCopy(
        `UPDATE ${table} SET ${column} = ${other} WHERE ${column} = (SELECT max(${column}) FROM ${table})`,
      );
      const fault = await faultOf(name);
      expect(fault).toBeInstanceOf(FileFault);
      expect(String(fault)).toMatch(new RegExp(`${name}, .*${table}.*Put back a good copy of the file\\. \`npx half`));
    },
  );

  it.each([
    ["UPDATE registry SET value = '{' WHERE name = 'session'", /table registry, row name "session", key "session 1"/],
    [
      'UPDATE orders SET id_key = -1 WHERE no > (SELECT indexed FROM head)',
      /table orders, row no \d+: its key cannot be -1/,
    ],
    [
      'UPDATE journal SET count = 0 WHERE first = (SELECT max(first) FROM journal)',
      /record \d+: it cannot have 0 records/,
    ],
    ['UPDATE journal SET count = -3 WHERE first = 1', /record 1: it cannot have -3 records/],
    ['DROP TABLE registry', /could not be opened \(SQLITE_ERROR: no such table: registry\)/],
    ['ALTER TABLE fills RENAME COLUMN shares TO share', /SQLITE_ERROR/],
  ])('is reported with this text: %s', async (sql, message) => {
    const name = changedCopy((connection) => {
      connection.exec(sql);
      // Without snapshots all records are needed.
      connection.exec('DELETE FROM snapshots');
    });
    const fault = await faultOf(name);
    expect(fault).toBeInstanceOf(FileFault);
    expect(String(fault)).toMatch(message);
  });

  it('is reported once to the owner of the file, which then writes nothing', async () => {
    const name = editedCopy('UPDATE fills SET price = price + 1 WHERE id = (SELECT max(id) FROM fills)');
    const harness = openHarness({ file: name, thread: false });
    const received: string[] = [];
    harness.store.onDamage((fault) => received.push(fault.message));
    const read = () => allAnswers(harness.store, harness.recovery.machine.view);
    expect(read).toThrow(/table fills, row id \d+: its checksum is wrong/);
    expect(read).toThrow(FileFault);
    expect(received).toEqual([expect.stringContaining('table fills, row id')]);
    harness.store.registry.put({ table: 'setting', key: 'late', value: 1 });
    await new Promise<void>((resolve) => {
      harness.store.registry.sync((fault) => {
        expect(fault?.message).toBe(received[0]);
        resolve();
      });
    });
    await expect(harness.store.close()).rejects.toThrow(/table fills/);
  });
});
