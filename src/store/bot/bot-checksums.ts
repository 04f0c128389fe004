/**
 * Columns of a bot's file that are under a checksum, as `row-checksums.ts` describes for a venue's. Steps and snapshots have a
 * CRC-32 of their bytes; a step's bytes also contain its key and time.
 */

import type { Migration } from '../sqlite/migrations.ts';
import { type SummedTables, sumRows } from '../sqlite/row-checksums.ts';

export const BOT_CHECKSUMS = {
  // The configuration is long and changes rarely, the rest changes with every transaction.
  bot: {
    key: ['id'],
    sums: {
      claim_crc: ['id', 'name', 'spec', 'log_salt'],
      recovery_crc: ['recovery', 'id'],
      crc: ['last_seq', 'cursor', 'epoch', 'risk', 'folded', 'id'],
    },
  },
  snapshots: { key: ['seq'], sums: { row_crc: ['seq', 'at', 'crc'] } },
  signed: {
    key: ['order_no'],
    sums: { crc: ['order_no', 'market', 'market_id', 'hash', 'signed_at', 'epoch', 'wire', 'command'] },
  },
  orders: {
    key: ['order_no'],
    sums: {
      // biome-ignore format: in the order of the table
      terms_crc: [
        'order_no', 'bot', 'market', 'outcome', 'side', 'price', 'shares', 'force', 'post_only', 'expiration', 'sent_at',
      ],
      progress_crc: ['filled', 'remaining', 'status', 'reason', 'updated_at', 'order_no'],
    },
  },
  fills: {
    key: ['id'],
    sums: {
      // biome-ignore format: in the order of the table
      crc: [
        'id', 'seq', 'order_no', 'market', 'outcome', 'side', 'price', 'shares', 'fee', 'liquidity', 'tag', 'at', 'venue_at',
        'trade',
      ],
    },
  },
  positions: {
    key: ['market'],
    sums: { crc: ['market', 'yes', 'no', 'yes_cost', 'no_cost', 'realized', 'net_cash', 'fees', 'updated_at'] },
  },
  balance: { key: ['id'], sums: { crc: ['id', 'cash', 'contributed', 'external', 'unexplained', 'updated_at'] } },
  adjustments: {
    key: ['id'],
    sums: { crc: ['id', 'seq', 'at', 'market', 'cash', 'yes', 'no', 'yes_cost', 'no_cost', 'trade'] },
  },
  markets: { key: ['market'], sums: { crc: ['market', 'id', 'slug', 'question'] } },
  pruned: {
    key: ['day', 'market', 'outcome', 'side', 'liquidity'],
    sums: { crc: ['day', 'market', 'outcome', 'side', 'liquidity', 'fills', 'shares', 'amount', 'fees'] },
  },
  gaps: {
    key: ['id'],
    sums: { crc: ['id', 'cause', 'from_at', 'acknowledged_at', 'commits', 'entries', 'closed_at'] },
  },
} as const satisfies SummedTables;

/** Sums of all fills, with rows or without. */
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

/**
 * Gives rows of earlier versions their checksums, as they are. Should a later step change a table, this one needs a copy of
 * BOT_CHECKSUMS as it is now.
 */
export const sumBotRows: Migration = (connection) => {
  for (const [table, { sums }] of Object.entries(BOT_CHECKSUMS)) {
    for (const sum of Object.keys(sums)) {
      connection.exec(`ALTER TABLE ${table} ADD COLUMN ${sum} INTEGER NOT NULL DEFAULT 0`);
    }
  }
  sumRows(connection, BOT_CHECKSUMS);
  connection.exec(DAYS);
};
