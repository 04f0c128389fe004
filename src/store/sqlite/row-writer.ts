/**
 * Writes rows.
 *
 * HOT: rows of the frequent kinds go eight in a statement, with a reused list of their values; order events go in blocks
 * (bench/journal.ts).
 *
 * Invariant: a batch has at most one row of a thing that is replaced or updated, so the kinds may be written one after the other.
 */

import { ROW, type RowBatch, RowCursor, type RowKind, type RowText } from '../../exchange/index.ts';
import { idValue, textValue, valueKey } from './column-values.ts';
import type { Connection } from './database.ts';
import { EventWriter } from './event-block.ts';
import { RowCrc } from './row-crc.ts';

type Value = number | string | Buffer | null;

/** Rows in a statement of a frequent kind. */
const GROUP = 8;

/** Kinds with a table of a row each. */
type TableKind = Exclude<RowKind, 'event'>;

/** Places in `ROW.order` of what never changes, and of what does with the number at the end (row-checksums.ts). */
const ORDER_TERMS = [0, 1, 2, 3, 4, 9, 10, 11, 14, 16];
const ORDER_PROGRESS = [5, 6, 7, 8, 12, 13, 15, 17, 0];

/** One statement a kind. Numbers stand in the order of `ROW`, then texts, of an order its key, then checksums. */
const SQL: Readonly<Record<TableKind, string>> = {
  order: `INSERT INTO orders (no, account, market, kind, price, shares, filled, amount, fee, force, post_only, expiration,
    status, reason, group_no, seq, created_at, updated_at, id, client_id, id_key, terms_crc, progress_crc)
    VALUES (${marks(23)})`,
  progress: `UPDATE orders SET shares = ?, filled = ?, amount = ?, fee = ?, status = ?, reason = ?, seq = ?,
    updated_at = ?, progress_crc = ? WHERE no = ?`,
  fill: `INSERT INTO fills (id, order_no, account, market, kind, price, shares, fee, match, at, crc) VALUES (${marks(11)})`,
  entry: `INSERT INTO ledger (account, id, kind, amount, market, order_no, fill, at, crc)
    VALUES (?, ?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1), ?, ?)`,
  point: `INSERT INTO price_points (market, seq, at, yes, no, bid, ask, last, volume, crc) VALUES (${marks(10)})`,
  bucket: `INSERT OR REPLACE INTO price_buckets (market, length, at, yes, no, bid, ask, last, volume, crc)
    VALUES (${marks(10)})`,
  holding: `INSERT OR REPLACE INTO holdings (account, market, yes_seq, yes_at, no_seq, no_at, crc)
    VALUES (${marks(7)})`,
  account: `INSERT OR REPLACE INTO accounts (account, unlimited, opened_at, orders, fills, entries, last_event, address,
    crc) VALUES (${marks(9)})`,
  market: `INSERT OR REPLACE INTO markets (market, status, created_at, updated_at, volume, trades, id, slug, question,
    crc) VALUES (${marks(10)})`,
  reversal: `INSERT INTO reversals (trade, seq, at, crc) VALUES (${marks(4)})`,
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
    reversal: new KindWriter(connection, 'reversal', 1),
  };
  const all = Object.values(writers);
  const head = connection.prepare<number[]>('UPDATE head SET seq = ?');
  return (batch) => {
    // A batch before it may have failed in the middle.
    for (const writer of all) writer.forget();
    const { numbers, texts, seq } = batch;
    for (const row = new RowCursor(batch); row.next(); ) writers[row.kind].add(numbers, row.at, texts, row.textAt);
    for (const writer of all) writer.flush();
    head.run(seq);
  };
}

/** Rows of one kind. */
class KindWriter {
  readonly #of: (typeof ROW)[TableKind];
  readonly #kind: TableKind;
  readonly #one;
  readonly #group;
  /** Values of a row, with its checksums. */
  readonly #width: number;
  readonly #most: number;
  /** Of the rows that wait; its places beyond are stale. */
  readonly #values: Value[];
  readonly #crc = new RowCrc();
  #count = 0;

  constructor(connection: Connection, kind: TableKind, most: number) {
    this.#of = ROW[kind];
    this.#kind = kind;
    this.#width = SQL[kind].split('?').length - 1;
    this.#most = most;
    this.#values = new Array<Value>(most * this.#width).fill(0);
    this.#one = connection.prepare<Value[]>(SQL[kind]);
    this.#group = most === 1 ? this.#one : connection.prepare<Value[]>(grouped(SQL[kind], most));
  }

  add(numbers: Float64Array, at: number, texts: readonly RowText[], textAt: number): void {
    const place = this.#count * this.#width;
    if (this.#kind === 'order') this.#putOrder(place, numbers, at, texts, textAt);
    else if (this.#kind === 'progress') this.#putProgress(place, numbers, at);
    else this.#put(place, numbers, at, texts, textAt);
    this.#count += 1;
    if (this.#count < this.#most) return;
    this.#count = 0;
    this.#group.run(...this.#values);
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

  /** All values, then their checksum. */
  #put(from: number, numbers: Float64Array, at: number, texts: readonly RowText[], textAt: number): void {
    const values = this.#values;
    const crc = this.#crc;
    const of = this.#of;
    let place = from;
    for (let next = at; next < at + of.numbers; next += 1, place += 1) {
      values[place] = numbers[next]!;
      crc.number(numbers[next]!);
    }
    for (let next = textAt; next < textAt + of.texts; next += 1, place += 1) {
      const text = textValue(texts[next] ?? '');
      values[place] = text;
      crc.text(text);
    }
    values[place] = crc.take();
  }

  #putOrder(from: number, numbers: Float64Array, at: number, texts: readonly RowText[], textAt: number): void {
    const values = this.#values;
    const crc = this.#crc;
    const of = this.#of;
    for (let next = 0; next < of.numbers; next += 1) values[from + next] = numbers[at + next]!;
    const id = texts[textAt] ?? '';
    const idOf = idValue(id);
    const key = valueKey(idOf, id);
    const clientId = texts[textAt + 1] ?? null;
    const clientIdOf = clientId === null ? null : textValue(clientId);
    for (const next of ORDER_TERMS) crc.number(numbers[at + next]!);
    crc.value(idOf);
    crc.value(clientIdOf);
    crc.number(key);
    const rest = from + of.numbers;
    values[rest] = idOf;
    values[rest + 1] = clientIdOf;
    values[rest + 2] = key;
    values[rest + 3] = crc.take();
    for (const next of ORDER_PROGRESS) crc.number(numbers[at + next]!);
    values[rest + 4] = crc.take();
  }

  /** The order's number comes last, behind the checksum. */
  #putProgress(from: number, numbers: Float64Array, at: number): void {
    const last = this.#of.numbers - 1;
    for (let next = 0; next <= last; next += 1) {
      this.#values[from + (next < last ? next : next + 1)] = numbers[at + next]!;
      this.#crc.number(numbers[at + next]!);
    }
    this.#values[from + last] = this.#crc.take();
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
