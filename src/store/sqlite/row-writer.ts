/**
 * Writes rows.
 *
 * HOT: rows of the frequent kinds go eight in a statement, with a reused list of their values; order events go in blocks
 * (bench/journal.ts).
 *
 * Invariant: a batch has at most one row of a thing that is replaced or updated, so the kinds may be written one after the other.
 */
import { ROW, type RowBatch, type RowKind, type RowText, visitRows } from '../../exchange/index.ts';
import type { Connection } from './database.ts';
import { EventWriter } from './event-writer.ts';
import { idValue, valueKey } from './order-key.ts';
import { textValue } from './text-value.ts';

type Value = number | string | Buffer | null;

/** Rows in a statement of a frequent kind. */
const GROUP = 8;

/** Kinds with a table of a row each. */
type TableKind = Exclude<RowKind, 'event'>;

/** One statement a kind. Numbers stand in the order of `ROW`, then texts, and of an order its key. */
const SQL: Readonly<Record<TableKind, string>> = {
  order: `INSERT INTO orders (no, account, market, kind, price, shares, filled, amount, fee, force, post_only, expiration,
    status, reason, group_no, seq, created_at, updated_at, id, client_id, id_key) VALUES (${marks(21)})`,
  progress: `UPDATE orders SET shares = ?, filled = ?, amount = ?, fee = ?, status = ?, reason = ?, seq = ?,
    updated_at = ? WHERE no = ?`,
  fill: `INSERT INTO fills (id, order_no, account, market, kind, price, shares, fee, match, at) VALUES (${marks(10)})`,
  entry: `INSERT INTO ledger (account, id, kind, amount, market, order_no, fill, at)
    VALUES (?, ?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1), ?)`,
  point: `INSERT INTO price_points (market, seq, at, yes, no, bid, ask, last, volume) VALUES (${marks(9)})`,
  bucket: `INSERT OR REPLACE INTO price_buckets (market, length, at, yes, no, bid, ask, last, volume)
    VALUES (${marks(9)})`,
  holding: `INSERT OR REPLACE INTO holdings (account, market, yes_seq, yes_at, no_seq, no_at) VALUES (${marks(6)})`,
  account: `INSERT OR REPLACE INTO accounts (account, unlimited, opened_at, orders, fills, entries, last_event, address)
    VALUES (${marks(8)})`,
  market: `INSERT OR REPLACE INTO markets (market, status, created_at, updated_at, volume, trades, id, slug, question)
    VALUES (${marks(9)})`,
};

/** Writes batches of rows within whatever transaction is open. */
export function rowWriter(connection: Connection): (batch: RowBatch) => void {
  const writers = {
    order: new KindWriter(connection, 'order', GROUP),
    progress: new KindWriter(connection, 'progress', 1),
    fill: new KindWriter(connection, 'fill', GROUP),
    entry: new KindWriter(connection, 'entry', GROUP),
    event: new EventWriter(connection),
    point: new KindWriter(connection, 'point', GROUP),
    bucket: new KindWriter(connection, 'bucket', 1),
    holding: new KindWriter(connection, 'holding', 1),
    account: new KindWriter(connection, 'account', 1),
    market: new KindWriter(connection, 'market', 1),
  };
  const all = Object.values(writers);
  const head = connection.prepare<number[]>('UPDATE head SET seq = ?');
  return (batch) => {
    // A batch before it may have failed in the middle.
    for (const writer of all) writer.forget();
    const { numbers, texts, seq } = batch;
    visitRows(batch, (kind, at, textAt) => writers[kind].add(numbers, at, texts, textAt));
    for (const writer of all) writer.flush();
    head.run(seq);
  };
}

/** Rows of one kind. */
class KindWriter {
  readonly #of: (typeof ROW)[TableKind];
  readonly #isOrder: boolean;
  readonly #one;
  readonly #group;
  /** Values of a row. */
  readonly #width: number;
  readonly #most: number;
  /** Of the rows that wait; its places beyond are stale. */
  readonly #values: Value[];
  #count = 0;

  constructor(connection: Connection, kind: TableKind, most: number) {
    this.#of = ROW[kind];
    this.#isOrder = kind === 'order';
    this.#width = this.#of.numbers + this.#of.texts + (this.#isOrder ? 1 : 0);
    this.#most = most;
    this.#values = new Array<Value>(most * this.#width).fill(0);
    this.#one = connection.prepare<Value[]>(SQL[kind]);
    this.#group = most === 1 ? this.#one : connection.prepare<Value[]>(grouped(SQL[kind], most));
  }

  add(numbers: Float64Array, at: number, texts: readonly RowText[], textAt: number): void {
    const values = this.#values;
    const of = this.#of;
    let place = this.#count * this.#width;
    for (let from = at; from < at + of.numbers; from += 1, place += 1) values[place] = numbers[from]!;
    for (let from = textAt; from < textAt + of.texts; from += 1, place += 1) {
      const text = texts[from]!;
      values[place] = text === null ? null : textValue(text);
    }
    if (this.#isOrder) {
      const id = texts[textAt] ?? '';
      const value = idValue(id);
      values[place - of.texts] = value;
      values[place] = valueKey(value, id);
    }
    this.#count += 1;
    if (this.#count < this.#most) return;
    this.#count = 0;
    this.#group.run(...values);
  }

  /** Writes what waits. */
  flush(): void {
    for (let row = 0; row < this.#count; row += 1) {
      this.#one.run(...this.#values.slice(row * this.#width, (row + 1) * this.#width));
    }
    this.#count = 0;
  }

  forget(): void {
    this.#count = 0;
  }
}

/** A statement for several rows. */
function grouped(sql: string, rows: number): string {
  const [head = '', tuple = ''] = sql.split('VALUES');
  return `${head}VALUES ${Array.from({ length: rows }, () => tuple).join(', ')}`;
}

function marks(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}
