/** `journal check` reports changes of records, snapshots and definitions, or lists a column as not compared. */
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOT_COMPARED } from '../../../src/store/index.ts';
import { VENUE_CHECKSUMS } from '../../../src/store/sqlite/columns.ts';
import { encodeStamp } from '../../../src/store/sqlite/commit-stamp.ts';
import { crcExpression } from '../../../src/store/sqlite/row-checksums.ts';
import { type Connection, changedCopy, SOURCES } from './changed-copy.ts';
import { databaseFiles } from './files.ts';
import { checkFile, smallVenue } from './small-venue.ts';

const file = databaseFiles();
const intact = file();
beforeAll(() => smallVenue(intact));

const changeCopy = (source: string, change: (connection: Connection) => void): string =>
  changedCopy(source, file(), change);

/** A valid stamp with another content. */
const OTHER_STAMP = encodeStamp({ database: '00'.repeat(16), commits: 3, lastEntry: 9, isInUse: false }).toString(
  'hex',
);

const sources: readonly (readonly [column: string, sql: string])[] = [
  ['journal.first', 'UPDATE journal SET first = first + 100000 WHERE first = (SELECT max(first) FROM journal)'],
  ['journal.count', 'UPDATE journal SET count = count + 1 WHERE first = 1'],
  ['journal.bytes', 'UPDATE journal SET bytes = zeroblob(length(bytes)) WHERE first = 1'],
  ['journal.crc', 'UPDATE journal SET crc = crc + 1 WHERE first = 1'],
  ['snapshots.sequence', 'UPDATE snapshots SET sequence = sequence + 1 WHERE sequence = 180'],
  ['snapshots.hash', "UPDATE snapshots SET hash = 'x' WHERE sequence = 180"],
  ['snapshots.pieces', 'UPDATE snapshots SET pieces = pieces + 1 WHERE sequence = 180'],
  ['snapshots.crc', 'UPDATE snapshots SET crc = crc + 1 WHERE sequence = 180'],
  ['snapshot_pieces.sequence', 'UPDATE snapshot_pieces SET sequence = sequence + 1 WHERE sequence = 180'],
  ['snapshot_pieces.piece', 'UPDATE snapshot_pieces SET piece = piece + 1 WHERE sequence = 180 AND piece = 0'],
  ['snapshot_pieces.bytes', 'UPDATE snapshot_pieces SET bytes = zeroblob(length(bytes)) WHERE sequence = 180'],
  ['head.seq', 'UPDATE head SET seq = seq + 1'],
  ['order_keys.id_key', 'UPDATE order_keys SET id_key = id_key + 1'],
  ['order_keys.no', 'UPDATE order_keys SET no = no + 100000'],
  ['event_blocks.last', 'UPDATE event_blocks SET last = last + 1 WHERE last = (SELECT max(last) FROM event_blocks)'],
  ['event_blocks.first', 'UPDATE event_blocks SET first = first - 1 WHERE last = (SELECT max(last) FROM event_blocks)'],
  ['event_blocks.count', 'UPDATE event_blocks SET count = count + 1 WHERE last = (SELECT max(last) FROM event_blocks)'],
  ['event_blocks.at', 'UPDATE event_blocks SET at = at + 1 WHERE last = (SELECT max(last) FROM event_blocks)'],
  ['event_blocks.crc', 'UPDATE event_blocks SET crc = crc + 1 WHERE last = (SELECT max(last) FROM event_blocks)'],
  ['event_blocks.bytes', 'UPDATE event_blocks SET bytes = zeroblob(length(bytes))'],
];

const notCompared: readonly (readonly [listed: string, sql: string])[] = [
  ['registry', "UPDATE registry SET value = '{}' WHERE name = 'session'"],
  ['ledger.kind of a transfer', 'UPDATE ledger SET kind = 9 WHERE kind = 0'],
  ['markets.updated_at', 'UPDATE markets SET updated_at = updated_at + 1'],
  ['head.indexed', 'UPDATE head SET indexed = 0'],
  ['snapshots.is_usable', 'UPDATE snapshots SET is_usable = 0 WHERE sequence = 240'],
  ['commit_stamp', `UPDATE commit_stamp SET stamp = x'${OTHER_STAMP}'`],
];

describe('journal check', () => {
  it.each(sources)('reports %s', (_, sql) => {
    const name = changeCopy(intact, (connection) => {
      if (sql.includes('order_keys')) indexAll(connection);
      expect(connection.prepare(sql).run().changes).toBeGreaterThan(0);
    });
    const { records, states, rows } = checkFile(name);
    expect([...records, ...states, ...rows]).not.toEqual([]);
  });

  it.each(notCompared)('does not check %s, and lists it as not compared', (listed, sql) => {
    const name = changeCopy(intact, (connection) => {
      indexAll(connection);
      expect(connection.prepare(sql).run().changes).toBeGreaterThan(0);
      for (const table of ['registry', 'ledger', 'markets'] as const) {
        connection.prepare(`UPDATE ${table} SET crc = ${crcExpression(VENUE_CHECKSUMS[table].checksums.crc)}`).run();
      }
    });
    const { structure, records, states, rows } = checkFile(name);
    expect([structure, records, states, rows]).toEqual([[], [], [], []]);
    expect(NOT_COMPARED.map((text) => text.split(':')[0])).toContain(listed);
  });

  it('lists as not compared exactly the columns of these cases, and compares every other column', () => {
    const listed = [...notCompared.map(([name]) => name), 'holdings without amounts'];
    expect(NOT_COMPARED.map((text) => text.split(':')[0])).toEqual(listed);
    const connection = new Database(intact, { readonly: true });
    const names = connection.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
    const asWhole = ['registry', 'order_events', 'commit_stamp'];
    const all = SOURCES.filter((table) => !asWhole.includes(table)).flatMap((table) =>
      names.all(table).map((column) => `${table}.${column}`),
    );
    connection.close();
    const cases = [...sources, ...notCompared].map(([column]) => column);
    expect(all.filter((column) => !cases.includes(column))).toEqual(['head.id']);
  });

  it('reports a table or index with another definition', () => {
    const name = changeCopy(intact, (connection) => {
      connection.exec('DROP INDEX closed_orders; CREATE INDEX closed_orders ON orders (account) WHERE status > 2');
      connection.exec('DROP INDEX trades_of_market');
    });
    expect(checkFile(name).structure).toEqual([
      'index closed_orders: its schema was changed',
      'index trades_of_market: it is missing',
    ]);
  });

  it('reports a table, an index, a view and a trigger that do not belong to the schema', () => {
    const name = changeCopy(intact, (connection) => {
      connection.exec('CREATE TABLE notes (text PRIMARY KEY); CREATE INDEX by_account ON orders (account)');
      connection.exec('CREATE VIEW no_orders AS SELECT 1; CREATE TRIGGER t DELETE ON notes BEGIN SELECT 1; END');
    });
    expect(checkFile(name).structure).toEqual([
      'index by_account: it is not part of the schema',
      'table notes: it is not part of the schema',
      'trigger t: it is not part of the schema',
      'view no_orders: it is not part of the schema',
    ]);
  });

  it('accepts a definition of an earlier version that differs only in white space', () => {
    const name = changeCopy(intact, (connection) => {
      const sql = connection.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'closed_orders'").pluck();
      const text = sql.get() ?? '';
      connection.exec('DROP INDEX closed_orders');
      connection.exec(text.replaceAll('(', ' (\n    ').replaceAll(')', '\n  )'));
    });
    expect(checkFile(name).structure).toEqual([]);
  });
});

/** Writes all orders into the index by id, as happens after thousands of orders. */
function indexAll(connection: Connection): void {
  connection.exec('INSERT OR IGNORE INTO order_keys SELECT id_key, no FROM orders');
  connection.exec('UPDATE head SET indexed = (SELECT max(no) FROM orders)');
}
