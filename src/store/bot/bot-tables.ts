/**
 * The migrations of a bot's file. Each migration runs once, in order, and never changes. `user_version` counts migrations.
 * docs/storage.md describes the tables.
 */
import { COMMIT_STAMP_TABLE } from '../sqlite/commit-stamp.ts';
import { type Connection, closeOnFailure, connect, prepareFile } from '../sqlite/database.ts';
import type { Migration } from '../sqlite/migrations.ts';
import { checksumColumnsSql } from '../sqlite/row-checksums.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';

/** `application_id` of a file: "hsbt" in ASCII. */
export const BOT_APPLICATION_ID = 0x68_73_62_74;

/** Sums all fills by UTC day, both fills with rows and deleted fills (`pruned`). */
const DAYS = `
  DROP VIEW days;
  CREATE VIEW days AS
    SELECT day, market, outcome, side, liquidity, sum(fills) AS fills, sum(shares) AS shares, sum(amount) AS amount, sum(fees) AS fees
    FROM (
      SELECT day, market, outcome, side, liquidity, fills, shares, amount, fees FROM pruned
      UNION ALL
      SELECT at - at % 86400000, market, outcome, side, liquidity, 1, shares, shares * price / 10000, fee FROM fills
    )
    GROUP BY 1, 2, 3, 4, 5;
  `;

// The tables to which a migration below adds checksums. The three excluded tables are newer and were created with them.
const { reversals: _r, order_tags: _o, payments: _p, ...BEFORE_CHECKSUMS } = BOT_CHECKSUMS;

/** Migrations from an empty file to the current version. */
export const BOT_MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE bot (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    spec TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    cursor INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    risk TEXT
  ) STRICT;
  CREATE TABLE steps (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE snapshots (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE signed (
    order_no INTEGER PRIMARY KEY,
    market INTEGER NOT NULL,
    market_id TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    signed_at INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    wire TEXT NOT NULL,
    command TEXT NOT NULL
  ) STRICT;
  CREATE TABLE orders (
    order_no INTEGER PRIMARY KEY,
    bot INTEGER NOT NULL,
    market INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    side TEXT NOT NULL,
    price INTEGER NOT NULL,
    shares INTEGER NOT NULL,
    filled INTEGER NOT NULL,
    remaining INTEGER NOT NULL,
    force TEXT NOT NULL,
    post_only INTEGER NOT NULL,
    expiration INTEGER NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    sent_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX orders_open ON orders (order_no) WHERE status IN ('NEW', 'LIVE', 'UNKNOWN');
  CREATE TABLE fills (
    id INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    order_no INTEGER NOT NULL,
    market INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    side TEXT NOT NULL,
    price INTEGER NOT NULL,
    shares INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    liquidity TEXT NOT NULL,
    tag TEXT NOT NULL,
    at INTEGER NOT NULL,
    venue_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE positions (
    market INTEGER PRIMARY KEY,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    yes_cost INTEGER NOT NULL,
    no_cost INTEGER NOT NULL,
    realized INTEGER NOT NULL,
    net_cash INTEGER NOT NULL,
    fees INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE balance (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    cash INTEGER NOT NULL,
    contributed INTEGER NOT NULL,
    external INTEGER NOT NULL,
    unexplained INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE adjustments (
    id INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    market INTEGER,
    cash INTEGER,
    yes INTEGER,
    no INTEGER,
    yes_cost INTEGER,
    no_cost INTEGER
  ) STRICT;
  CREATE TABLE markets (
    market INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    slug TEXT NOT NULL,
    question TEXT NOT NULL
  ) STRICT;
  `,
  // Number of the last log entry in the tables (`folded`), and the log's salt. Both are 0 without a log.
  `
  ALTER TABLE bot ADD COLUMN folded INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE bot ADD COLUMN log_salt INTEGER NOT NULL DEFAULT 0;
  `,
  // Sums by UTC day of deleted fills (pruning.ts), and of all fills.
  `
  CREATE TABLE pruned (
    day INTEGER NOT NULL,
    market INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    side TEXT NOT NULL,
    liquidity TEXT NOT NULL,
    fills INTEGER NOT NULL,
    shares INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    fees INTEGER NOT NULL,
    PRIMARY KEY (day, market, outcome, side, liquidity)
  ) STRICT, WITHOUT ROWID;
  CREATE VIEW days AS
    SELECT day, market, outcome, side, liquidity, sum(fills) AS fills, sum(shares) AS shares, sum(amount) AS amount, sum(fees) AS fees
    FROM (
      SELECT * FROM pruned
      UNION ALL
      SELECT at - at % 86400000, market, outcome, side, liquidity, 1, shares, shares * price / 10000, fee FROM fills
    )
    GROUP BY 1, 2, 3, 4, 5;
  `,
  COMMIT_STAMP_TABLE,
  // Periods with possibly missing data (gaps.ts).
  `
  CREATE TABLE gaps (
    id INTEGER PRIMARY KEY,
    cause TEXT NOT NULL,
    from_at INTEGER,
    acknowledged_at INTEGER,
    commits INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    closed_at INTEGER
  ) STRICT;
  `,
  // The venue's id of the trade that caused a fill, or of a fill in a market outside the run.
  `
  ALTER TABLE fills ADD COLUMN trade TEXT;
  ALTER TABLE adjustments ADD COLUMN trade TEXT;
  `,
  // Report of the last start or recovery, as JSON; null before the first one.
  `
  ALTER TABLE bot ADD COLUMN recovery TEXT;
  `,
  { sql: `${checksumColumnsSql(BEFORE_CHECKSUMS)}${DAYS}`, sums: BEFORE_CHECKSUMS },
  // Reversed fills. Their rows in `fills` stay; `days` excludes them.
  `
  CREATE TABLE reversals (
    id INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    order_no INTEGER NOT NULL,
    market INTEGER NOT NULL,
    trade TEXT NOT NULL,
    outcome TEXT NOT NULL,
    side TEXT NOT NULL,
    price INTEGER NOT NULL,
    shares INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    at INTEGER NOT NULL,
    venue_at INTEGER NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  DROP VIEW days;
  CREATE VIEW days AS
    SELECT day, market, outcome, side, liquidity, sum(fills) AS fills, sum(shares) AS shares, sum(amount) AS amount, sum(fees) AS fees
    FROM (
      SELECT day, market, outcome, side, liquidity, fills, shares, amount, fees FROM pruned
      UNION ALL
      SELECT at - at % 86400000, market, outcome, side, liquidity, 1, shares, shares * price / 10000, fee FROM fills
      UNION ALL
      SELECT at - at % 86400000, market, outcome, side,
        coalesce((SELECT liquidity FROM fills WHERE fills.order_no = reversals.order_no AND fills.trade = reversals.trade), 'maker'),
        -1, -shares, -(shares * price / 10000), -fee
      FROM reversals
    )
    GROUP BY 1, 2, 3, 4, 5;
  `,
  // Tags of the orders' quotes. Orders without a tag have no row.
  'CREATE TABLE order_tags (order_no INTEGER PRIMARY KEY, tag TEXT NOT NULL, crc INTEGER NOT NULL) STRICT',
  // Cash that moved in a market without a fill. `day` is the day on which a rebate or reward was earned.
  `
  CREATE TABLE payments (
    id INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    cause TEXT NOT NULL,
    market INTEGER NOT NULL,
    day INTEGER,
    cash INTEGER NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  `,
];

/** Opens a bot's database, and migrates it to this version. @throws FileFault */
export function connectBot(file: string, cacheMb: number): Connection {
  const connection = connect(file, cacheMb);
  return closeOnFailure(connection, () => {
    prepareFile(file, connection, BOT_MIGRATIONS, BOT_APPLICATION_ID);
    return connection;
  });
}

/** Opens a bot's database for reading. The bot may be running. @throws FileFault */
export function connectReader(file: string): Connection {
  const connection = connectBot(file, 4);
  return closeOnFailure(connection, () => {
    connection.pragma('query_only = ON');
    return connection;
  });
}
