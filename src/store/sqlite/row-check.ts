/** Checks the rows of a database against their checksums, each other, and the state of its exchange. */
import { type ExchangeView, ORDER_STATUSES } from '../../exchange/index.ts';
import { type Connection, connect, MEMORY, prepareFile } from './database.ts';
import { blockFault, type EventBlock } from './event-block.ts';
import type { Migration } from './migrations.ts';
import {
  addRowCrc,
  type ChecksummedTables,
  crcExpression,
  limitFindings,
  rowName,
  type StoredRow,
} from './row-checksums.ts';

const OPEN_STATUSES = (['LIVE', 'PARTIALLY_FILLED'] as const).map((status) => ORDER_STATUSES.indexOf(status)).join();
/** Maximum number of wrong rows that a query returns. */
const MAX_ROWS = 1_000;

/** Returns one sentence for each row that contradicts other rows or the exchange. @throws SqliteError */
export function rowFaults(connection: Connection, view: ExchangeView): readonly string[] {
  return [
    headFaults(connection, view),
    cashFaults(connection, view),
    keyFaults(connection),
    fillFaults(connection, view),
    eventFaults(connection),
  ].flatMap(limitFindings);
}

/** Returns one sentence for each row with a wrong checksum. @throws SqliteError */
export function checksumFaults(connection: Connection, tables: ChecksummedTables): readonly string[] {
  addRowCrc(connection);
  return Object.keys(tables).flatMap((name) => limitFindings(damagedRows(connection, name, tables)));
}

function* damagedRows(connection: Connection, name: string, tables: ChecksummedTables): Iterable<string> {
  const { key = [], checksums = {} } = tables[name] ?? {};
  for (const [checksum, columns] of Object.entries(checksums)) {
    const sql = `SELECT ${key.join(', ')} FROM ${name} WHERE ${checksum} <> ${crcExpression(columns)}`;
    for (const row of connection.prepare<[], StoredRow>(sql).iterate()) {
      yield `${rowName(name, key, row)}: its checksum is wrong`;
    }
  }
}

/** Returns one sentence for each missing, changed or unknown table, index, view or trigger. @throws SqliteError */
export function schemaFaults(connection: Connection, migrations: readonly Migration[]): readonly string[] {
  const fresh = connect(MEMORY, { cacheMb: 2 });
  prepareFile(MEMORY, fresh, migrations);
  const sql = "SELECT type || ' ' || name AS name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name";
  const readSchema = (database: Connection) => {
    const rows = database.prepare<[], { readonly name: string; readonly sql: string }>(sql).all();
    // White space depends on the version that created the table.
    return new Map(rows.map((row) => [row.name, row.sql.replaceAll(/\s+/g, '')]));
  };
  const [found, expected] = [readSchema(connection), readSchema(fresh)];
  fresh.close();
  const differing = [...expected].flatMap(([name, text]) =>
    found.get(name) === text ? [] : [`${name}: ${found.has(name) ? 'its schema was changed' : 'it is missing'}`],
  );
  const unknown = [...found.keys()].filter((name) => !expected.has(name));
  return [...differing, ...unknown.map((name) => `${name}: it is not part of the schema`)];
}

function headFaults(connection: Connection, view: ExchangeView): readonly string[] {
  const count = (sql: string): number => connection.prepare<[], number>(sql).pluck().get() ?? 0;
  const pairs = [
    ['the last event that has rows', count('SELECT seq FROM head'), view.seq],
    ['accounts', count('SELECT count(*) FROM accounts'), view.accountCount],
    ['markets', count('SELECT count(*) FROM markets'), view.markets.length],
    ['orders', count('SELECT count(*) FROM orders'), view.orderCount],
    ['open orders', count(`SELECT count(*) FROM orders WHERE status IN (${OPEN_STATUSES})`), view.openOrderCount],
  ] as const;
  return pairs.flatMap(([name, rows, state]) =>
    rows === state ? [] : [`${name}: ${rows} in rows, ${state} in the state`],
  );
}

/** Checks that each account's ledger entries add up to its cash. */
function* cashFaults(connection: Connection, view: ExchangeView): Iterable<string> {
  const sql = `SELECT a.account AS key, a.address AS address, coalesce(sum(l.amount), 0) AS sum
    FROM accounts a LEFT JOIN ledger l USING (account) GROUP BY a.account`;
  for (const row of connection.prepare<[], { key: number; address: string; sum: number }>(sql).iterate()) {
    const account = view.account(row.key);
    const cash = account === undefined ? 0 : account.available + account.reserved;
    if (row.sum !== cash) {
      yield `account ${row.key} (${row.address}): its ledger sums to ${row.sum} micro-USD, it has ${cash}`;
    }
  }
}

/** Checks that the index by id contains every order up to `head.indexed`, and only right keys. */
function keyFaults(connection: Connection): readonly string[] {
  const missing = `SELECT no FROM orders o WHERE no <= (SELECT indexed FROM head)
    AND NOT EXISTS (SELECT 1 FROM order_keys k WHERE k.id_key = o.id_key AND k.no = o.no) LIMIT ${MAX_ROWS}`;
  const orphans = `SELECT k.no FROM order_keys k LEFT JOIN orders o ON o.no = k.no AND o.id_key = k.id_key
    WHERE o.no IS NULL LIMIT ${MAX_ROWS}`;
  const all = (sql: string): readonly number[] => connection.prepare<[], number>(sql).pluck().all();
  return [
    ...all(missing).map((order) => `order ${order}: it is missing in the index by id`),
    ...all(orphans).map((order) => `order ${order}: the index by id has it under a wrong key`),
  ];
}

/**
 * Checks that each order's unreversed fills add up to its filled shares, and that each fill has an order. Fills from
 * tapes have no order (number 0).
 */
function fillFaults(connection: Connection, view: ExchangeView): readonly string[] {
  const tapeMarkets = view.markets.flatMap(({ number, following }) => (following === undefined ? [] : [number]));
  const differing = `SELECT o.no, o.filled, coalesce(f.shares, 0) AS summed FROM orders o
    LEFT JOIN (SELECT order_no, sum(shares) AS shares FROM fills WHERE id >> 1 NOT IN (SELECT trade FROM reversals)
      GROUP BY order_no) f ON f.order_no = o.no
    WHERE o.filled <> coalesce(f.shares, 0) LIMIT ${MAX_ROWS}`;
  const orphans = `SELECT f.id, f.order_no AS "order" FROM fills f
    LEFT JOIN orders o ON o.no = f.order_no
    WHERE o.no IS NULL AND (f.order_no <> 0 OR f.market NOT IN (${tapeMarkets.join()})) LIMIT ${MAX_ROWS}`;
  const differingRows = connection.prepare<[], { no: number; filled: number; summed: number }>(differing).all();
  const orphanRows = connection.prepare<[], { id: number; order: number }>(orphans).all();
  return [
    ...differingRows.map(
      ({ no, filled, summed }) => `order ${no}: ${filled} micro-shares filled, its fills have ${summed}`,
    ),
    ...orphanRows.map(({ id, order }) => `fill ${id}: its order ${order} is missing`),
  ];
}

/** Checks that each block of order events is intact and starts after all earlier events. */
function* eventFaults(connection: Connection): Iterable<string> {
  let previousLast = connection.prepare<[], number | null>('SELECT max(id) FROM order_events').pluck().get() ?? 0;
  const sql = 'SELECT first, last, count, at, crc, bytes FROM event_blocks ORDER BY last';
  for (const block of connection.prepare<[], EventBlock>(sql).iterate()) {
    const { first, last } = block;
    const fault = blockFault(block) ?? (first > previousLast ? undefined : `earlier events go up to ${previousLast}`);
    if (fault !== undefined) yield `order events ${first} to ${last}: ${fault}`;
    previousLast = last;
  }
}
