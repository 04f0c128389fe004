/**
 * The migrations of a bot's file. Each migration runs once, in order, and never changes. `user_version` counts
 * migrations. docs/storage.md describes the tables.
 */
import { COMMIT_STAMP_TABLE } from '../sqlite/commit-stamp.ts';
import { type Connection, closeOnFailure, connect, prepareFile } from '../sqlite/database.ts';
import { integers, type Migration, texts } from '../sqlite/migrations.ts';
import { addChecksumColumnsSql } from '../sqlite/row-checksums.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';

/** `application_id` of a file: "hsbt" in ASCII. */
export const BOT_APPLICATION_ID = 0x68_73_62_74;

const STORED_BYTES = 'seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, bytes BLOB NOT NULL, crc INTEGER NOT NULL';
const PRUNED_COLUMNS = 'day, market, outcome, side, liquidity, fills, shares, amount, fees';

/** Returns SQL for sums of all fills by UTC day: deleted fills (`pruned`), fills with rows, and the SQL `others`. */
function daysView(prunedColumns: string, others = ''): string {
  return `
  CREATE VIEW days AS
    SELECT day, market, outcome, side, liquidity, sum(fills) AS fills, sum(shares) AS shares, sum(amount) AS amount, sum(fees) AS fees
    FROM (
      SELECT ${prunedColumns} FROM pruned
      UNION ALL
      SELECT at - at % 86400000, market, outcome, side, liquidity, 1, shares, shares * price / 10000, fee FROM fills
      ${others}
    )
    GROUP BY 1, 2, 3, 4, 5;
  `;
}

// The tables to which a migration below adds checksums. The three excluded tables are newer and were created with them.
const { reversals: _r, order_tags: _o, payments: _p, ...BEFORE_CHECKSUMS } = BOT_CHECKSUMS;

/** Migrations from an empty file to the current version. */
export const BOT_MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE bot (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    ${texts('name spec')},
    ${integers('last_seq cursor epoch')},
    risk TEXT
  ) STRICT;
  CREATE TABLE steps (${STORED_BYTES}) STRICT;
  CREATE TABLE snapshots (${STORED_BYTES}) STRICT;
  CREATE TABLE signed (
    order_no INTEGER PRIMARY KEY,
    market INTEGER NOT NULL,
    market_id TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    ${integers('signed_at epoch')},
    ${texts('wire command')}
  ) STRICT;
  CREATE TABLE orders (
    order_no INTEGER PRIMARY KEY,
    ${integers('bot market')},
    ${texts('outcome side')},
    ${integers('price shares filled remaining')},
    force TEXT NOT NULL,
    ${integers('post_only expiration')},
    status TEXT NOT NULL,
    reason TEXT,
    ${integers('sent_at updated_at')}
  ) STRICT;
  CREATE INDEX orders_open ON orders (order_no) WHERE status IN ('NEW', 'LIVE', 'UNKNOWN');
  CREATE TABLE fills (
    id INTEGER PRIMARY KEY,
    ${integers('seq order_no market')},
    ${texts('outcome side')},
    ${integers('price shares fee')},
    ${texts('liquidity tag')},
    ${integers('at venue_at')}
  ) STRICT;
  CREATE TABLE positions (
    market INTEGER PRIMARY KEY,
    ${integers('yes no yes_cost no_cost realized net_cash fees updated_at')}
  ) STRICT;
  CREATE TABLE balance (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    ${integers('cash contributed external unexplained updated_at')}
  ) STRICT;
  CREATE TABLE adjustments (
    id INTEGER PRIMARY KEY,
    ${integers('seq at')},
    market INTEGER, cash INTEGER, yes INTEGER, no INTEGER, yes_cost INTEGER, no_cost INTEGER
  ) STRICT;
  CREATE TABLE markets (
    market INTEGER PRIMARY KEY,
    ${texts('id slug question')}
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
    ${integers('day market')},
    ${texts('outcome side liquidity')},
    ${integers('fills shares amount fees')},
    PRIMARY KEY (day, market, outcome, side, liquidity)
  ) STRICT, WITHOUT ROWID;
  ${daysView('*')}`,
  COMMIT_STAMP_TABLE,
  // Periods with possibly missing data (gaps.ts).
  `
  CREATE TABLE gaps (
    id INTEGER PRIMARY KEY,
    cause TEXT NOT NULL,
    from_at INTEGER,
    acknowledged_at INTEGER,
    ${integers('commits entries')},
    closed_at INTEGER
  ) STRICT;
  `,
  // The venue's id of the trade behind a fill, or behind an adjustment (a fill in a market outside the run).
  `
  ALTER TABLE fills ADD COLUMN trade TEXT;
  ALTER TABLE adjustments ADD COLUMN trade TEXT;
  `,
  // Report of the last start or recovery, as JSON; null before the first one.
  `
  ALTER TABLE bot ADD COLUMN recovery TEXT;
  `,
  {
    sql: `${addChecksumColumnsSql(BEFORE_CHECKSUMS)} DROP VIEW days; ${daysView(PRUNED_COLUMNS)}`,
    checksummed: BEFORE_CHECKSUMS,
  },
  // Reversed fills. Their rows in `fills` stay; `days` excludes them.
  `
  CREATE TABLE reversals (
    id INTEGER PRIMARY KEY,
    ${integers('seq order_no market')},
    ${texts('trade outcome side')},
    ${integers('price shares fee at venue_at crc')}
  ) STRICT;
  DROP VIEW days;
  ${daysView(
    PRUNED_COLUMNS,
    `UNION ALL
      SELECT at - at % 86400000, market, outcome, side,
        coalesce((SELECT liquidity FROM fills WHERE fills.order_no = reversals.order_no AND fills.trade = reversals.trade), 'maker'),
        -1, -shares, -(shares * price / 10000), -fee
      FROM reversals`,
  )}`,
  // Tags of the orders' quotes. Orders without a tag have no row.
  'CREATE TABLE order_tags (order_no INTEGER PRIMARY KEY, tag TEXT NOT NULL, crc INTEGER NOT NULL) STRICT',
  // Cash that moved in a market without a fill. `day` is the day on which a rebate or reward was earned.
  `
  CREATE TABLE payments (
    id INTEGER PRIMARY KEY,
    ${integers('seq at')},
    cause TEXT NOT NULL,
    market INTEGER NOT NULL,
    day INTEGER,
    ${integers('cash crc')}
  ) STRICT;
  `,
];

/** Opens a bot's database, and migrates it to this version. @throws FileFault */
export function connectBot(file: string, { cacheMb }: { readonly cacheMb: number }): Connection {
  const connection = connect(file, { cacheMb });
  return closeOnFailure(connection, () => {
    prepareFile(file, connection, BOT_MIGRATIONS, BOT_APPLICATION_ID);
    return connection;
  });
}

/** Opens a bot's database for reading. The bot may be running. @throws FileFault */
export function connectReader(file: string): Connection {
  const connection = connectBot(file, { cacheMb: 4 });
  return closeOnFailure(connection, () => {
    connection.pragma('query_only = ON');
    return connection;
  });
}
