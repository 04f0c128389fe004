/** `journal check` reports an edited row with table, row, column and both values, or lists its column as not compared. */
import { copyFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { NOT_COMPARED } from '../../../src/store/index.ts';
import { encodeStamp } from '../../../src/store/sqlite/commit-stamp.ts';
import { tablesOf } from '../../../src/store/sqlite/compare-tables.ts';
import { blockCrc } from '../../../src/store/sqlite/event-block.ts';
import { addRowCrc, crcExpression, type SummedTables } from '../../../src/store/sqlite/row-checksums.ts';
import { VENUE_CHECKSUMS } from '../../../src/store/sqlite/venue-checksums.ts';
import { databaseFiles } from './files.ts';
import { checked, smallVenue } from './small-venue.ts';

type Connection = InstanceType<typeof Database>;
type Row = Record<string, number | string | Buffer | null>;

const file = databaseFiles();
const [whole, pruned] = [file(), file()];
beforeAll(async () => {
  await smallVenue(whole, true);
  await smallVenue(pruned, false);
});

function changed(good: string, change: (connection: Connection) => void): string {
  const name = file();
  copyFileSync(good, name);
  const connection = new Database(name);
  addRowCrc(connection);
  change(connection);
  connection.close();
  return name;
}

const SUMMED: SummedTables = VENUE_CHECKSUMS;
/** Tables from which the others are derived, and the index by id. */
const SOURCES = [
  'journal',
  'snapshots',
  'snapshot_pieces',
  'registry',
  'head',
  'order_keys',
  'event_blocks',
  'order_events',
  'commit_stamp',
];

/** A valid stamp with another content. */
const OTHER_STAMP = encodeStamp({ database: '00'.repeat(16), commits: 3, last: 9, isInUse: false }).toString('hex');

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
function other(column: string, value: unknown): number | string | Buffer {
  if (column === 'client_id') return `${value}x`;
  if (typeof value === 'number') return value + 1_000_000;
  return typeof value === 'string' ? `${value}x` : value instanceof Uint8Array ? Buffer.alloc(value.length, 7) : 1;
}

/**
 * Edits every column of every table that derives from records, each in a different row if there are enough.
 * @param condition which rows of a table may be edited
 */
function editAll(
  connection: Connection,
  isKey: boolean,
  isSummed: boolean,
  condition: (table: string) => string,
): Edit[] {
  const edits: Edit[] = [];
  for (const { name: table, key, columns } of tablesOf(connection)) {
    if (SOURCES.includes(table)) continue;
    const rows = connection
      .prepare<[], Row>(`SELECT * FROM ${table} WHERE ${condition(table)} ORDER BY ${key.join(', ')}`)
      .all();
    expect(rows.length, table).toBeGreaterThan(0);
    const where = key.map((column) => `${column} = :${column}`).join(' AND ');
    const stored = columns.filter((column) => column !== 'is_taker' && key.includes(column) === isKey);
    for (const [at, column] of stored.entries()) {
      // Starts from the end, so that an increased key does not collide.
      const row = rows.at(-1 - (at % rows.length)) ?? {};
      const [before, after] = [row[column], other(column, row[column])];
      connection.prepare(`UPDATE ${table} SET ${column} = :after WHERE ${where}`).run({ ...row, after });
      const named = key.map((of) => `${of} ${literal(row[of])}`).join(', ');
      edits.push({ table, column, key: named, before, after });
      if (isKey) break;
    }
    if (!isSummed) continue;
    for (const [sum, of] of Object.entries(SUMMED[table]?.sums ?? {})) {
      connection.prepare(`UPDATE ${table} SET ${sum} = ${crcExpression(of)}`).run();
    }
  }
  return edits;
}

const everywhere = () => '1 = 1';
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('journal check', () => {
  it.each([
    ['with all its records', whole, 1],
    ['without its first records', pruned, 248],
  ])('finds nothing in a file %s', (_, name, comparedFrom) => {
    const nothing = { structure: [], records: [], states: [], rows: [] };
    expect(checked(name)).toMatchObject({ ...nothing, comparedFrom, state: { seq: 421 } });
  });

  it('reports each column of each table that derives from records with both values, regardless of the checksum', () => {
    let edits: Edit[] = [];
    const name = changed(whole, (connection) => {
      edits = editAll(connection, false, true, everywhere);
    });
    expect(new Set(edits.map(({ table }) => table)).size).toBe(9);
    expect(edits.length).toBeGreaterThan(60);
    const { rows, states } = checked(name);
    expect(states).toEqual([]);
    expect(rows.filter((row) => row.includes('checksum'))).toEqual([]);
    for (const { table, column, key, before, after } of edits) {
      if (`${table}.${column}` === 'markets.updated_at') continue;
      const received = `${column} is ${escaped(literal(after))}; the records give ${escaped(literal(before))}`;
      expect(rows).toContainEqual(
        expect.stringMatching(new RegExp(`^table ${table}, row ${escaped(key)}: (.*; )?${received}`)),
      );
    }
  });

  it('reports a row with a changed key as missing and as one without a record', () => {
    let edits: Edit[] = [];
    const name = changed(whole, (connection) => {
      connection.exec('DROP INDEX orders_by_client_id');
      edits = editAll(connection, true, true, everywhere);
    });
    const { rows } = checked(name);
    for (const { table, key, column, before, after } of edits) {
      expect(rows).toContain(`table ${table}, row ${key}: it is missing`);
      const moved = key.replace(`${column} ${before}`, `${column} ${after}`);
      expect(rows).toContain(`table ${table}, row ${moved}: no record explains it`);
    }
  });

  it.each([
    ['with all its records', whole],
    ['without its first records', pruned],
  ])('reports each edited row by its checksum in a file %s', (_, good) => {
    let edits: Edit[] = [];
    const name = changed(good, (connection) => {
      edits = editAll(connection, false, false, everywhere);
    });
    const { rows } = checked(name);
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
    const name = changed(pruned, (connection) => {
      edits = editAll(connection, false, true, (table) => newer[table] ?? '1 = 1');
    });
    const { rows } = checked(name);
    // Facts that only older rows have, such as when an account was opened.
    const takenOver = ['force', 'post_only', 'group_no', 'created_at', 'id', 'id_key', 'client_id', 'opened_at'];
    for (const { table, column, key } of edits) {
      if (takenOver.includes(column) || `${table}.${column}` === 'markets.updated_at') continue;
      expect(rows).toContainEqual(
        expect.stringMatching(new RegExp(`^table ${table}, row ${escaped(key)}: (.*; )?${column} is`)),
      );
    }
    const older = changed(pruned, (connection) => {
      connection.prepare('UPDATE fills SET at = at + 1 WHERE id = (SELECT min(id) FROM fills)').run();
      connection.prepare(`UPDATE fills SET crc = ${crcExpression(VENUE_CHECKSUMS.fills.sums.crc)}`).run();
    });
    expect(checked(older).rows).toEqual([]);
  });

  it('reports each column of order events', () => {
    const at: Readonly<Record<string, number>> = {
      previous: 8,
      order: 16,
      at: 24,
      shares: 32,
      filled: 40,
      amount: 48,
      fee: 56,
    };
    for (const [column, place] of Object.entries(at)) {
      const name = changed(whole, (connection) => {
        const block = connection
          .prepare<[], { last: number; bytes: Buffer }>(
            'SELECT last, bytes FROM event_blocks ORDER BY last LIMIT 1 OFFSET 3',
          )
          .get();
        if (block === undefined) throw new Error('no block');
        block.bytes.writeDoubleLE(block.bytes.readDoubleLE(place) + 1, place);
        const crc = blockCrc(block.last, block.bytes);
        connection
          .prepare('UPDATE event_blocks SET bytes = ?, crc = ? WHERE last = ?')
          .run(block.bytes, crc, block.last);
      });
      expect(checked(name).rows.join('\n')).toMatch(
        new RegExp(`order event \\d+: ${column} is \\d+; the records give \\d+|order events .* the last is of`),
      );
    }
  });

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
    [
      'event_blocks.first',
      'UPDATE event_blocks SET first = first - 1 WHERE last = (SELECT max(last) FROM event_blocks)',
    ],
    [
      'event_blocks.count',
      'UPDATE event_blocks SET count = count + 1 WHERE last = (SELECT max(last) FROM event_blocks)',
    ],
    ['event_blocks.at', 'UPDATE event_blocks SET at = at + 1 WHERE last = (SELECT max(last) FROM event_blocks)'],
    ['event_blocks.crc', 'UPDATE event_blocks SET crc = crc + 1 WHERE last = (SELECT max(last) FROM event_blocks)'],
    ['event_blocks.bytes', 'UPDATE event_blocks SET bytes = zeroblob(length(bytes))'],
  ];
  it.each(sources)('reports %s', (_, sql) => {
    const name = changed(whole, (connection) => {
      if (sql.includes('order_keys')) indexAll(connection);
      expect(connection.prepare(sql).run().changes).toBeGreaterThan(0);
    });
    const { records, states, rows } = checked(name);
    expect([...records, ...states, ...rows]).not.toEqual([]);
  });

  const unsaid: readonly (readonly [listed: string, sql: string])[] = [
    ['registry', "UPDATE registry SET value = '{}' WHERE name = 'session'"],
    ['ledger.kind of a transfer', 'UPDATE ledger SET kind = 9 WHERE kind = 0'],
    ['markets.updated_at', 'UPDATE markets SET updated_at = updated_at + 1'],
    ['head.indexed', 'UPDATE head SET indexed = 0'],
    ['snapshots.is_usable', 'UPDATE snapshots SET is_usable = 0 WHERE sequence = 240'],
    ['commit_stamp', `UPDATE commit_stamp SET stamp = x'${OTHER_STAMP}'`],
  ];
  it.each(unsaid)('does not claim to check %s', (listed, sql) => {
    const name = changed(whole, (connection) => {
      indexAll(connection);
      expect(connection.prepare(sql).run().changes).toBeGreaterThan(0);
      for (const table of ['registry', 'ledger', 'markets'] as const) {
        connection.prepare(`UPDATE ${table} SET crc = ${crcExpression(VENUE_CHECKSUMS[table].sums.crc)}`).run();
      }
    });
    const { structure, records, states, rows } = checked(name);
    expect([structure, records, states, rows]).toEqual([[], [], [], []]);
    expect(NOT_COMPARED.map((text) => text.split(':')[0])).toContain(listed);
  });

  it('lists only these as not compared, and has a case for every other column', () => {
    expect(NOT_COMPARED.map((text) => text.split(':')[0])).toEqual(unsaid.map(([listed]) => listed));
    const connection = new Database(whole, { readonly: true });
    const names = connection.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
    const asWhole = ['registry', 'order_events', 'commit_stamp'];
    const all = SOURCES.filter((table) => !asWhole.includes(table)).flatMap((table) =>
      names.all(table).map((column) => `${table}.${column}`),
    );
    connection.close();
    const cases = [...sources, ...unsaid].map(([column]) => column);
    expect(all.filter((column) => !cases.includes(column))).toEqual(['head.id']);
  });

  it('reports a table or index with another definition', () => {
    const name = changed(whole, (connection) => {
      connection.exec('DROP INDEX closed_orders; CREATE INDEX closed_orders ON orders (account) WHERE status > 2');
      connection.exec('DROP INDEX trades_of_market');
    });
    expect(checked(name).structure).toEqual([
      'index closed_orders: its schema was changed',
      'index trades_of_market: it is missing',
    ]);
  });

  it('accepts a definition with different white space from an earlier version', () => {
    const name = changed(whole, (connection) => {
      const sql = connection.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'closed_orders'").pluck();
      const text = sql.get() ?? '';
      connection.exec('DROP INDEX closed_orders');
      connection.exec(text.replaceAll('(', ' (\n    ').replaceAll(')', '\n  )'));
    });
    expect(checked(name).structure).toEqual([]);
  });
});

/** Writes all orders into the index by id, as happens after thousands of orders. */
function indexAll(connection: Connection): void {
  connection.exec('INSERT OR IGNORE INTO order_keys SELECT id_key, no FROM orders');
  connection.exec('UPDATE head SET indexed = (SELECT max(no) FROM orders)');
}
