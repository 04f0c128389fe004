import type { Statement } from 'better-sqlite3';
import type { Connection } from '../sqlite/database.ts';
import { type ChecksummedTables, insertSql, rowCrc } from '../sqlite/row-checksums.ts';
import { RowCrc, type SqlValue } from '../sqlite/row-crc.ts';

/**
 * Columns with checksums (`row-checksums.ts`). Steps and snapshots have a CRC-32 of their bytes. The bytes of
 * a step contain its key and time, so its row needs no other checksum.
 */
export const BOT_CHECKSUMS = {
  // `claim_crc` and `recovery_crc` cover columns that change rarely. Every transaction changes the other columns.
  bot: {
    key: ['id'],
    checksums: {
      claim_crc: ['id', 'name', 'spec', 'log_salt'],
      recovery_crc: ['recovery', 'id'],
      crc: ['last_seq', 'cursor', 'epoch', 'risk', 'folded', 'id'],
    },
  },
  snapshots: { key: ['seq'], checksums: { row_crc: ['seq', 'at', 'crc'] } },
  signed: {
    key: ['order_no'],
    checksums: { crc: ['order_no', 'market', 'market_id', 'hash', 'signed_at', 'epoch', 'wire', 'command'] },
  },
  orders: {
    key: ['order_no'],
    checksums: {
      // biome-ignore format: in the order of the table
      terms_crc: [
        'order_no', 'bot', 'market', 'outcome', 'side', 'price', 'shares', 'force', 'post_only', 'expiration', 'sent_at',
      ],
      progress_crc: ['filled', 'remaining', 'status', 'reason', 'updated_at', 'order_no'],
    },
  },
  order_tags: { key: ['order_no'], checksums: { crc: ['order_no', 'tag'] } },
  fills: {
    key: ['id'],
    checksums: {
      // biome-ignore format: in the order of the table
      crc: [
        'id', 'seq', 'order_no', 'market', 'outcome', 'side', 'price', 'shares', 'fee', 'liquidity', 'tag', 'at', 'venue_at',
        'trade',
      ],
    },
  },
  positions: {
    key: ['market'],
    checksums: { crc: ['market', 'yes', 'no', 'yes_cost', 'no_cost', 'realized', 'net_cash', 'fees', 'updated_at'] },
  },
  balance: { key: ['id'], checksums: { crc: ['id', 'cash', 'contributed', 'external', 'unexplained', 'updated_at'] } },
  adjustments: {
    key: ['id'],
    checksums: { crc: ['id', 'seq', 'at', 'market', 'cash', 'yes', 'no', 'yes_cost', 'no_cost', 'trade'] },
  },
  reversals: {
    key: ['id'],
    checksums: {
      // biome-ignore format: in the order of the table
      crc: [
        'id', 'seq', 'order_no', 'market', 'trade', 'outcome', 'side', 'price', 'shares', 'fee', 'at', 'venue_at',
      ],
    },
  },
  payments: { key: ['id'], checksums: { crc: ['id', 'seq', 'at', 'cause', 'market', 'day', 'cash'] } },
  markets: { key: ['market'], checksums: { crc: ['market', 'id', 'slug', 'question'] } },
  pruned: {
    key: ['day', 'market', 'outcome', 'side', 'liquidity'],
    checksums: { crc: ['day', 'market', 'outcome', 'side', 'liquidity', 'fills', 'shares', 'amount', 'fees'] },
  },
  gaps: {
    key: ['id'],
    checksums: { crc: ['id', 'cause', 'from_at', 'acknowledged_at', 'commits', 'entries', 'closed_at'] },
  },
} as const satisfies ChecksummedTables;

type ChecksummedName = Exclude<keyof typeof BOT_CHECKSUMS, 'bot' | 'orders' | 'snapshots'>;

/** Inserts rows into a table with one checksum. */
export class ChecksummedInsert {
  readonly #columns: readonly string[];
  readonly #statement: Statement<SqlValue[]>;
  readonly #crc = new RowCrc();

  constructor(connection: Connection, table: ChecksummedName, verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT') {
    this.#columns = BOT_CHECKSUMS[table].checksums.crc;
    this.#statement = connection.prepare(insertSql(table, [...this.#columns, 'crc'], verb));
  }

  /** Inserts a row. Missing columns become NULL. Ignores unknown keys. */
  add(row: Readonly<Record<string, SqlValue | undefined>>): void {
    const values = this.#columns.map((column) => row[column] ?? null);
    this.#statement.run(...values, rowCrc(this.#crc, values));
  }
}

/** Inserts rows and numbers them with consecutive ids. */
export class NumberedInsert {
  readonly #insert: ChecksummedInsert;
  #last: number;

  constructor(connection: Connection, table: ChecksummedName) {
    this.#insert = new ChecksummedInsert(connection, table);
    this.#last = connection.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get() ?? 0;
  }

  add(row: Readonly<Record<string, SqlValue | undefined>>): void {
    this.#last += 1;
    this.#insert.add({ ...row, id: this.#last });
  }
}
