import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll } from 'vitest';
import { prepareFile } from '../../../src/store/sqlite/database.ts';
import { MIGRATIONS } from '../../../src/store/sqlite/migrations.ts';

/** @returns a function that returns file names in a temporary folder */
export function databaseFiles(): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let count = 0;
  return () => {
    count += 1;
    return join(folder, `${count}.db`);
  };
}

/** Converts a closed database to an earlier version. */
export function toVersion(name: string, version: number): void {
  const earlier = `${name}-earlier`;
  const connection = new Database(earlier);
  // Current checksums include later columns. The tables are empty, so none is computed here.
  const steps = MIGRATIONS.slice(0, version).map((step) => (typeof step === 'string' ? step : step.sql));
  prepareFile(earlier, connection, steps);
  connection.exec(`ATTACH '${name}' AS later`);
  const tables = connection
    .prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'table'")
    .pluck()
    .all();
  const columnsOf = connection.prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?)').pluck();
  for (const table of tables) {
    const names = columnsOf.all(table, 'main');
    const columns = names.join(', ');
    connection.exec(`INSERT OR REPLACE INTO main.${table} (${columns}) SELECT ${columns} FROM later.${table}`);
    // Rows had different checksums before a column was added. A migration that does not update them fails the test.
    if (names.length === columnsOf.all(table, 'later').length) continue;
    for (const sum of names.filter((name) => name.endsWith('crc')))
      connection.exec(`UPDATE main.${table} SET ${sum} = 0`);
  }
  connection.close();
  renameSync(earlier, name);
}
