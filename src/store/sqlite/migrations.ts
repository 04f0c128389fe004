/**
 * The migrations of a venue's file. Each migration runs once, in order, and never changes. `user_version` counts migrations.
 * docs/storage.md describes the tables.
 */
import { MARKET_STATISTICS, type StatisticName } from '../../exchange/index.ts';
import { VENUE_CHECKSUMS } from './columns.ts';
import { COMMIT_STAMP_TABLE } from './commit-stamp.ts';
import { type ChecksummedTables, checksumColumnsSql } from './row-checksums.ts';

/** `application_id` of a file: "hspd" in ASCII. */
export const APPLICATION_ID = 0x68_73_70_64;

/** SQL, optionally with tables whose checksums are recomputed after the last migration. */
export type Migration = string | { readonly sql: string; readonly sums: ChecksummedTables };

// The tables to which a migration below adds checksums. `reversals` is newer and was created with them.
const { reversals: _, ...BEFORE_CHECKSUMS } = VENUE_CHECKSUMS;

/** Migrations from an empty file to the current version. */
export const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE journal (
    first INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE snapshots (
    sequence INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    pieces INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    is_usable INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE snapshot_pieces (
    sequence INTEGER NOT NULL,
    piece INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (sequence, piece)
  ) STRICT;
  CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seq INTEGER NOT NULL
  ) STRICT;
  INSERT INTO head (id, seq) VALUES (1, 0);

  CREATE TABLE orders (
    no INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    market INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    price INTEGER NOT NULL,
    shares INTEGER NOT NULL,
    filled INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    force INTEGER NOT NULL,
    post_only INTEGER NOT NULL,
    expiration INTEGER NOT NULL,
    status INTEGER NOT NULL,
    reason INTEGER NOT NULL,
    group_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    id ANY NOT NULL,
    id_key INTEGER NOT NULL,
    client_id TEXT
  ) STRICT;
  CREATE INDEX orders_of_account ON orders (account, created_at);
  CREATE INDEX orders_by_id ON orders (id_key);
  CREATE INDEX orders_by_client_id ON orders (account, client_id) WHERE client_id IS NOT NULL;

  CREATE TABLE fills (
    id INTEGER PRIMARY KEY,
    order_no INTEGER NOT NULL,
    account INTEGER NOT NULL,
    market INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    price INTEGER NOT NULL,
    shares INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    match INTEGER NOT NULL,
    at INTEGER NOT NULL,
    is_taker INTEGER NOT NULL GENERATED ALWAYS AS (id & 1) VIRTUAL
  ) STRICT;
  CREATE INDEX fills_of_account ON fills (account);
  CREATE INDEX fills_of_order ON fills (order_no);
  CREATE INDEX trades_of_market ON fills (market) WHERE is_taker = 1;

  CREATE TABLE ledger (
    account INTEGER NOT NULL,
    id INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    market INTEGER,
    order_no INTEGER,
    fill INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (account, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE order_events (
    id INTEGER PRIMARY KEY,
    previous INTEGER NOT NULL,
    account INTEGER NOT NULL,
    market INTEGER NOT NULL,
    order_no INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    shares INTEGER NOT NULL,
    filled INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    status INTEGER NOT NULL,
    reason INTEGER NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE price_points (
    market INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    bid INTEGER NOT NULL,
    ask INTEGER NOT NULL,
    last INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    PRIMARY KEY (market, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE price_buckets (
    market INTEGER NOT NULL,
    length INTEGER NOT NULL,
    at INTEGER NOT NULL,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    bid INTEGER NOT NULL,
    ask INTEGER NOT NULL,
    last INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    PRIMARY KEY (market, length, at)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE holdings (
    account INTEGER NOT NULL,
    market INTEGER NOT NULL,
    yes_seq INTEGER NOT NULL,
    yes_at INTEGER NOT NULL,
    no_seq INTEGER NOT NULL,
    no_at INTEGER NOT NULL,
    PRIMARY KEY (account, market)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (
    account INTEGER PRIMARY KEY,
    unlimited INTEGER NOT NULL,
    opened_at INTEGER NOT NULL,
    orders INTEGER NOT NULL,
    fills INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    last_event INTEGER NOT NULL,
    address TEXT NOT NULL
  ) STRICT;
  CREATE TABLE markets (
    market INTEGER PRIMARY KEY,
    status INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    trades INTEGER NOT NULL,
    id TEXT NOT NULL,
    slug TEXT NOT NULL,
    question TEXT NOT NULL
  ) STRICT;

  CREATE TABLE registry (
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `CREATE INDEX price_points_at ON price_points (market, at);`,
  // Indexes for filtered lists. Their last columns only allow counting and filtering without reading rows. An order enters
  // closed_orders once, when it ends.
  `
  DROP INDEX orders_of_account;
  CREATE INDEX orders_of_account ON orders (account, created_at, kind);
  CREATE INDEX orders_of_market ON orders (account, market, created_at, kind);
  CREATE INDEX closed_orders ON orders (account, status, created_at, market, kind) WHERE status > 1;
  CREATE INDEX orders_of_group ON orders (group_no, created_at) WHERE group_no > 0;
  CREATE INDEX fills_of_market ON fills (account, market);
  CREATE INDEX ledger_of_kind ON ledger (account, kind, id, market);
  CREATE INDEX ledger_of_market ON ledger (account, market, id) WHERE market IS NOT NULL;
  `,
  // The index by id (order-keys.ts). It contains all orders up to `indexed`, and some later ones.
  `
  CREATE TABLE order_keys (
    id_key INTEGER NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (id_key, no)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO order_keys SELECT id_key, no FROM orders INDEXED BY orders_by_id ORDER BY id_key, no;
  DROP INDEX orders_by_id;
  ALTER TABLE head ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
  UPDATE head SET indexed = (SELECT coalesce(max(no), 0) FROM orders);
  `,
  // Order events in blocks (event-block.ts). Earlier events stay in order_events until they are removed. `at` is the time of
  // the block's last event.
  `
  CREATE TABLE event_blocks (
    last INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    count INTEGER NOT NULL,
    at INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  `,
  // A checksum in each row (row-checksums.ts).
  { sql: checksumColumnsSql(BEFORE_CHECKSUMS), sums: BEFORE_CHECKSUMS },
  COMMIT_STAMP_TABLE,
  // Earlier checksums did not distinguish a blob from a text of the same bytes. Only orders have blobs.
  { sql: '', sums: { orders: VENUE_CHECKSUMS.orders } },
  // Reversed trades with the event that reversed them.
  `
  CREATE TABLE reversals (
    trade INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  `,
];

/** Returns a migration that adds the column of a statistic, and its value for existing markets. */
export function addStatistic(name: StatisticName): Migration {
  const { column } = MARKET_STATISTICS[name];
  const sql = `
    ALTER TABLE markets ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0;
    UPDATE markets SET ${column} = ${statisticSql(name, 'market = markets.market')};
  `;
  return { sql, sums: { markets: VENUE_CHECKSUMS.markets } };
}

/** Returns an SQL expression for a market's statistic. @param where selects the market's fills */
export function statisticSql(name: StatisticName, where: string): string {
  const trades = `SELECT * FROM fills WHERE is_taker = 1 AND ${where}`;
  return `coalesce((WITH trades AS (${trades}) ${MARKET_STATISTICS[name].sql}), 0)`;
}
