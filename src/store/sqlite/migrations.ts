/**
 * The migrations of a venue's file. Each migration runs once, in order, and never changes. `user_version` counts
 * migrations. docs/storage.md describes the tables.
 */
import { MARKET_STATISTICS, type StatisticName } from '../../exchange/index.ts';
import { VENUE_CHECKSUMS } from './columns.ts';
import { COMMIT_STAMP_TABLE } from './commit-stamp.ts';
import { addChecksumColumnsSql, type ChecksummedTables } from './row-checksums.ts';

/** `application_id` of a file: "hspd" in ASCII. */
export const APPLICATION_ID = 0x68_73_70_64;

/** SQL, optionally with tables whose checksums are recomputed after the last migration. */
export type Migration = string | { readonly sql: string; readonly checksummed: ChecksummedTables };

/** Return SQL that defines columns which are never NULL. `names` are separated by spaces. */
export const integers = (names: string): string => notNull('INTEGER', names);
export const texts = (names: string): string => notNull('TEXT', names);

function notNull(type: string, names: string): string {
  return names.replaceAll(/\w+/g, `$& ${type} NOT NULL,`).slice(0, -1);
}

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
    ${integers('pieces crc is_usable')}
  ) STRICT;
  CREATE TABLE snapshot_pieces (
    ${integers('sequence piece')},
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
    ${integers('account market kind price shares filled amount fee')},
    ${integers('force post_only expiration status reason group_no seq created_at updated_at')},
    id ANY NOT NULL,
    id_key INTEGER NOT NULL,
    client_id TEXT
  ) STRICT;
  CREATE INDEX orders_of_account ON orders (account, created_at);
  CREATE INDEX orders_by_id ON orders (id_key);
  CREATE INDEX orders_by_client_id ON orders (account, client_id) WHERE client_id IS NOT NULL;

  CREATE TABLE fills (
    id INTEGER PRIMARY KEY,
    ${integers('order_no account market kind price shares fee match at')},
    is_taker INTEGER NOT NULL GENERATED ALWAYS AS (id & 1) VIRTUAL
  ) STRICT;
  CREATE INDEX fills_of_account ON fills (account);
  CREATE INDEX fills_of_order ON fills (order_no);
  CREATE INDEX trades_of_market ON fills (market) WHERE is_taker = 1;

  CREATE TABLE ledger (
    ${integers('account id kind amount')},
    market INTEGER,
    order_no INTEGER,
    fill INTEGER,
    at INTEGER NOT NULL,
    PRIMARY KEY (account, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE order_events (
    id INTEGER PRIMARY KEY,
    ${integers('previous account market order_no kind shares filled amount fee status reason at')}
  ) STRICT;

  CREATE TABLE price_points (
    ${integers('market seq at yes no bid ask last volume')},
    PRIMARY KEY (market, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE price_buckets (
    ${integers('market length at yes no bid ask last volume')},
    PRIMARY KEY (market, length, at)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE holdings (
    ${integers('account market yes_seq yes_at no_seq no_at')},
    PRIMARY KEY (account, market)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (
    account INTEGER PRIMARY KEY,
    ${integers('unlimited opened_at orders fills entries last_event')},
    address TEXT NOT NULL
  ) STRICT;
  CREATE TABLE markets (
    market INTEGER PRIMARY KEY,
    ${integers('status created_at updated_at volume trades')},
    ${texts('id slug question')}
  ) STRICT;

  CREATE TABLE registry (
    ${texts('name key value')},
    PRIMARY KEY (name, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `CREATE INDEX price_points_at ON price_points (market, at);`,
  // Indexes for filtered lists. With their last columns, queries count and filter without reading rows. An order
  // enters closed_orders once, when it ends.
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
    ${integers('id_key no')},
    PRIMARY KEY (id_key, no)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO order_keys SELECT id_key, no FROM orders INDEXED BY orders_by_id ORDER BY id_key, no;
  DROP INDEX orders_by_id;
  ALTER TABLE head ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
  UPDATE head SET indexed = (SELECT coalesce(max(no), 0) FROM orders);
  `,
  // Order events in blocks (event-block.ts). Earlier events stay in order_events until they are removed. `at` is the
  // time of the block's last event.
  `
  CREATE TABLE event_blocks (
    last INTEGER PRIMARY KEY,
    ${integers('first count at crc')},
    bytes BLOB NOT NULL
  ) STRICT;
  `,
  // A checksum in each row (row-checksums.ts).
  { sql: addChecksumColumnsSql(BEFORE_CHECKSUMS), checksummed: BEFORE_CHECKSUMS },
  COMMIT_STAMP_TABLE,
  // Earlier checksums did not distinguish a blob from a text of the same bytes. Only orders have blobs.
  { sql: '', checksummed: { orders: VENUE_CHECKSUMS.orders } },
  // Reversed trades with the event that reversed them.
  `
  CREATE TABLE reversals (
    trade INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL UNIQUE,
    ${integers('at crc')}
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
  return { sql, checksummed: { markets: VENUE_CHECKSUMS.markets } };
}

/** Returns an SQL expression for a market's statistic. @param where selects the market's fills */
export function statisticSql(name: StatisticName, where: string): string {
  const trades = `SELECT * FROM fills WHERE is_taker = 1 AND ${where}`;
  return `coalesce((WITH trades AS (${trades}) ${MARKET_STATISTICS[name].sql}), 0)`;
}
