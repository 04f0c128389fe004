/** `journal check` reports an edited row with table, row, column and both values. */
import { beforeAll, describe, expect, it } from 'vitest';
import { VENUE_CHECKSUMS } from '../../../src/store/sqlite/columns.ts';
import { listTables } from '../../../src/store/sqlite/compare-tables.ts';
import { blockCrc } from '../../../src/store/sqlite/event-block.ts';
import { type ChecksummedTables, crcExpression } from '../../../src/store/sqlite/row-checksums.ts';
import { type Connection, changedCopy, SOURCES } from './changed-copy.ts';
import { databaseFiles } from './files.ts';
import { checkFile, smallVenue } from './small-venue.ts';

type Row = Record<string, number | string | Buffer | null>;

const file = databaseFiles();
const [whole, pruned] = [file(), file()];
beforeAll(async () => {
  await smallVenue(whole);
  await smallVenue(pruned, { keepRecords: false });
});

const changeCopy = (source: string, change: (connection: Connection) => void): string =>
  changedCopy(source, file(), change);

const CHECKSUMS: ChecksummedTables = VENUE_CHECKSUMS;
interface Edit {
  readonly table: string;
  readonly column: string;
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

const literal = (value: unknown): string =>
  value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : JSON.stringify(value);

/** A changed value of a column. */
function changedValue(column: string, value: unknown): number | string | Buffer {
  if (column === 'client_id') return `${value}x`;
  if (typeof value === 'number') return value + 1_000_000;
  return typeof value === 'string' ? `${value}x` : value instanceof Uint8Array ? Buffer.alloc(value.length, 7) : 1;
}

/**
 * Edits every column of every table that derives from records, each in a different row if there are enough.
 * @param isKeyEdit edits one key per table, not the other columns @param condition selects the rows that may be edited
 */
function editAll(
  connection: Connection,
  isKeyEdit: boolean,
  hasNewChecksums: boolean,
  condition: (table: string) => string,
): Edit[] {
  const edits: Edit[] = [];
  for (const { name: table, key, columns } of listTables(connection)) {
    if (SOURCES.includes(table)) continue;
    const rows = connection
      .prepare<[], Row>(`SELECT * FROM ${table} WHERE ${condition(table)} ORDER BY ${key.join(', ')}`)
      .all();
    expect(rows.length, table).toBeGreaterThan(0);
    const where = key.map((column) => `${column} = :${column}`).join(' AND ');
    const stored = columns.filter((column) => column !== 'is_taker' && key.includes(column) === isKeyEdit);
    for (const [at, column] of stored.entries()) {
      // Starts from the end, so that an increased key does not collide.
      const row = rows.at(-1 - (at % rows.length)) ?? {};
      const [before, after] = [row[column], changedValue(column, row[column])];
      connection.prepare(`UPDATE ${table} SET ${column} = :after WHERE ${where}`).run({ ...row, after });
      const named = key.map((name) => `${name} ${literal(row[name])}`).join(', ');
      edits.push({ table, column, key: named, before, after });
      if (isKeyEdit) break;
    }
    if (!hasNewChecksums) continue;
    for (const [checksum, covered] of Object.entries(CHECKSUMS[table]?.checksums ?? {})) {
      connection.prepare(`UPDATE ${table} SET ${checksum} = ${crcExpression(covered)}`).run();
    }
  }
  return edits;
}

const allRows = () => '1 = 1';
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('journal check', () => {
  it.each([
    ['with all its records', whole, 1],
    ['without its first records', pruned, 248],
  ])('finds nothing in a file %s', (_, name, comparedFrom) => {
    const noFindings = { structure: [], records: [], states: [], rows: [] };
    expect(checkFile(name)).toMatchObject({ ...noFindings, comparedFrom, state: { seq: 421 } });
  });

  it('reports each column of each table that derives from records with both values, regardless of the checksum', () => {
    let edits: Edit[] = [];
    const name = changeCopy(whole, (connection) => {
      edits = editAll(connection, false, true, allRows);
    });
    expect(new Set(edits.map(({ table }) => table)).size).toBe(9);
    expect(edits.length).toBeGreaterThan(60);
    const { rows, states } = checkFile(name);
    expect(states).toEqual([]);
    expect(rows.filter((row) => row.includes('checksum'))).toEqual([]);
    for (const { table, column, key, before, after } of edits) {
      if (`${table}.${column}` === 'markets.updated_at') continue;
      const difference = `${column} is ${escaped(literal(after))}; the records give ${escaped(literal(before))}`;
      expect(rows).toContainEqual(
        expect.stringMatching(new RegExp(`^table ${table}, row ${escaped(key)}: (.*; )?${difference}`)),
      );
    }
  });

  it('reports a row with a changed key as missing and as one without a record', () => {
    let edits: Edit[] = [];
    const name = changeCopy(whole, (connection) => {
      connection.exec('DROP INDEX orders_by_client_id');
      edits = editAll(connection, true, true, allRows);
    });
    const { rows } = checkFile(name);
    for (const { table, key, column, before, after } of edits) {
      expect(rows).toContain(`table ${table}, row ${key}: it is missing`);
      const moved = key.replace(`${column} ${before}`, `${column} ${after}`);
      expect(rows).toContain(`table ${table}, row ${moved}: no record explains it`);
    }
  });

  it.each([
    ['with all its records', whole],
    ['without its first records', pruned],
  ])('reports each edited row by its checksum in a file %s', (_, source) => {
    let edits: Edit[] = [];
    const name = changeCopy(source, (connection) => {
      edits = editAll(connection, false, false, allRows);
    });
    const { rows } = checkFile(name);
    for (const { table, key } of edits) expect(rows).toContain(`table ${table}, row ${key}: its checksum is wrong`);
  });

  it('compares only rows of the remaining records when the first are removed, and checks older rows by checksum', () => {
    const newer: Readonly<Record<string, string>> = {
      orders: 'seq > 261',
      fills: 'id > 523',
      ledger: 'id > 1047',
      // A mark from before the remaining records is kept.
      holdings: 'yes_seq > 261 AND no_seq > 261',
      price_points: 'seq > 261',
      price_buckets: 'at >= (SELECT max(at) FROM price_points WHERE seq > 261) - 60000',
    };
    let edits: Edit[] = [];
    const name = changeCopy(pruned, (connection) => {
      edits = editAll(connection, false, true, (table) => newer[table] ?? '1 = 1');
    });
    const { rows } = checkFile(name);
    // Facts that only older rows have, such as when an account was opened.
    const olderFacts = ['force', 'post_only', 'group_no', 'created_at', 'id', 'id_key', 'client_id', 'opened_at'];
    for (const { table, column, key } of edits) {
      if (olderFacts.includes(column) || `${table}.${column}` === 'markets.updated_at') continue;
      expect(rows).toContainEqual(
        expect.stringMatching(new RegExp(`^table ${table}, row ${escaped(key)}: (.*; )?${column} is`)),
      );
    }
    const older = changeCopy(pruned, (connection) => {
      connection.prepare('UPDATE fills SET at = at + 1 WHERE id = (SELECT min(id) FROM fills)').run();
      connection.prepare(`UPDATE fills SET crc = ${crcExpression(VENUE_CHECKSUMS.fills.checksums.crc)}`).run();
    });
    expect(checkFile(older).rows).toEqual([]);
  });

  it('reports each column of order events', () => {
    const offsets: Readonly<Record<string, number>> = {
      previous: 8,
      order: 16,
      at: 24,
      shares: 32,
      filled: 40,
      amount: 48,
      fee: 56,
    };
    for (const [column, offset] of Object.entries(offsets)) {
      const name = changeCopy(whole, (connection) => {
        const block = connection
          .prepare<[], { last: number; bytes: Buffer }>(
            'SELECT last, bytes FROM event_blocks ORDER BY last LIMIT 1 OFFSET 3',
          )
          .get();
        if (block === undefined) throw new Error('no block');
        block.bytes.writeDoubleLE(block.bytes.readDoubleLE(offset) + 1, offset);
        const crc = blockCrc(block.last, block.bytes);
        connection
          .prepare('UPDATE event_blocks SET bytes = ?, crc = ? WHERE last = ?')
          .run(block.bytes, crc, block.last);
      });
      expect(checkFile(name).rows.join('\n')).toMatch(
        new RegExp(
          `order event \\d+: ${column} is \\d+; the records give \\d+|order events .* the last event has time`,
        ),
      );
    }
  });
});
