/**
 * Writes batches of an exchange's rows to its tables.
 *
 * HOT: one statement writes eight rows of a frequent kind and reuses its list of values. Order events are written in
 * blocks (bench/journal.ts).
 *
 * Invariant: a batch updates or replaces a table row at most once, so the kinds can be written one after the other.
 */
import { ROW, type RowBatch, RowCursor, type RowKind, type RowText } from '../../exchange/index.ts';
import { encodedIdKey, encodeId, encodeText } from './column-values.ts';
import { ORDER_TERMS } from './columns.ts';
import type { Connection } from './database.ts';
import { EventWriter } from './event-block.ts';
import { insertSql } from './row-checksums.ts';
import { RowCrc } from './row-crc.ts';

type Value = number | string | Buffer | null;

/** Number of rows that one statement of a frequent kind writes. */
const GROUP = 8;

type TableKind = Exclude<RowKind, 'event'>;

/** For each checksum of an order, the indexes of its numbers in `ROW.order`. */
const TERM_INDEXES = orderColumnIndexes(ORDER_TERMS);
const PROGRESS_INDEXES = orderColumnIndexes(ROW.progress.numbers);

const REPLACE = 'INSERT OR REPLACE';

/** One statement for each kind. Values are in the order of `ROW`, followed by the key of an order and the checksums. */
const SQL: Readonly<Record<TableKind, string>> = {
  order: insertSql('orders', [...ROW.order.numbers, ...ROW.order.texts, 'id_key', 'terms_crc', 'progress_crc']),
  progress: `UPDATE orders SET shares = ?, filled = ?, amount = ?, fee = ?, status = ?, reason = ?, seq = ?,
    updated_at = ?, progress_crc = ? WHERE no = ?`,
  fill: insertSql('fills', [...ROW.fill.numbers, 'crc']),
  entry: `INSERT INTO ledger (account, id, kind, amount, market, order_no, fill, at, crc)
    VALUES (?, ?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1), ?, ?)`,
  point: insertSql('price_points', [...ROW.point.numbers, 'crc']),
  bucket: insertSql('price_buckets', [...ROW.bucket.numbers, 'crc'], REPLACE),
  holding: insertSql('holdings', [...ROW.holding.numbers, 'crc'], REPLACE),
  account: insertSql('accounts', [...ROW.account.numbers, ...ROW.account.texts, 'crc'], REPLACE),
  market: insertSql('markets', [...ROW.market.numbers, ...ROW.market.texts, 'crc'], REPLACE),
  reversal: insertSql('reversals', [...ROW.reversal.numbers, 'crc']),
};

/** Returns a function that writes a batch of rows within the open transaction. */
export function createRowWriter(connection: Connection): (batch: RowBatch) => void {
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
  const updateHead = connection.prepare<number[]>('UPDATE head SET seq = ?');
  return (batch) => {
    // A failed batch may have left waiting rows.
    for (const writer of all) writer.clear();
    const { numbers, texts, seq } = batch;
    for (const row = new RowCursor(batch); row.next(); ) writers[row.kind].add(numbers, row.at, texts, row.textAt);
    for (const writer of all) writer.flush();
    updateHead.run(seq);
  };
}

class KindWriter {
  readonly #kind: TableKind;
  readonly #numberCount: number;
  readonly #textCount: number;
  readonly #rowStatement;
  readonly #groupStatement;
  /** Number of values of a row, including checksums. */
  readonly #width: number;
  readonly #groupSize: number;
  /** Values of the waiting rows. Later elements are stale. */
  readonly #values: Value[];
  readonly #crc = new RowCrc();
  #count = 0;

  constructor(connection: Connection, kind: TableKind, groupSize: number) {
    this.#kind = kind;
    this.#numberCount = ROW[kind].numbers.length;
    this.#textCount = ROW[kind].texts.length;
    this.#width = SQL[kind].split('?').length - 1;
    this.#groupSize = groupSize;
    this.#values = new Array<Value>(groupSize * this.#width).fill(0);
    this.#rowStatement = connection.prepare<Value[]>(SQL[kind]);
    this.#groupStatement =
      groupSize === 1 ? this.#rowStatement : connection.prepare<Value[]>(toGroupSql(SQL[kind], groupSize));
  }

  add(numbers: Float64Array, at: number, texts: readonly RowText[], textAt: number): void {
    const index = this.#count * this.#width;
    if (this.#kind === 'order') this.#putOrder(index, numbers, at, texts, textAt);
    else if (this.#kind === 'progress') this.#putProgress(index, numbers, at);
    else this.#put(index, numbers, at, texts, textAt);
    this.#count += 1;
    if (this.#count < this.#groupSize) return;
    this.#count = 0;
    this.#groupStatement.run(...this.#values);
  }

  flush(): void {
    for (let row = 0; row < this.#count; row += 1) {
      this.#rowStatement.run(...this.#values.slice(row * this.#width, (row + 1) * this.#width));
    }
    this.#count = 0;
  }

  clear(): void {
    this.#count = 0;
  }

  #put(from: number, numbers: Float64Array, at: number, texts: readonly RowText[], textAt: number): void {
    const values = this.#values;
    const crc = this.#crc;
    let index = from;
    for (let next = at; next < at + this.#numberCount; next += 1, index += 1) {
      values[index] = numbers[next]!;
      crc.number(numbers[next]!);
    }
    for (let next = textAt; next < textAt + this.#textCount; next += 1, index += 1) {
      const text = encodeText(texts[next] ?? '');
      values[index] = text;
      crc.text(text);
    }
    values[index] = crc.finish();
  }

  #putOrder(from: number, numbers: Float64Array, at: number, texts: readonly RowText[], textAt: number): void {
    const values = this.#values;
    const crc = this.#crc;
    for (let column = 0; column < this.#numberCount; column += 1) values[from + column] = numbers[at + column]!;
    const id = texts[textAt] ?? '';
    const idColumn = encodeId(id);
    const key = encodedIdKey(idColumn, id);
    const clientId = texts[textAt + 1] ?? null;
    const clientIdColumn = clientId === null ? null : encodeText(clientId);
    for (const column of TERM_INDEXES) crc.number(numbers[at + column]!);
    crc.value(idColumn);
    crc.value(clientIdColumn);
    crc.number(key);
    const rest = from + this.#numberCount;
    values[rest] = idColumn;
    values[rest + 1] = clientIdColumn;
    values[rest + 2] = key;
    values[rest + 3] = crc.finish();
    for (const column of PROGRESS_INDEXES) crc.number(numbers[at + column]!);
    values[rest + 4] = crc.finish();
  }

  /** Puts the values, the checksum, and last the order's number, as the UPDATE expects. */
  #putProgress(from: number, numbers: Float64Array, at: number): void {
    const last = this.#numberCount - 1;
    for (let column = 0; column <= last; column += 1) {
      this.#values[from + (column < last ? column : column + 1)] = numbers[at + column]!;
      this.#crc.number(numbers[at + column]!);
    }
    this.#values[from + last] = this.#crc.finish();
  }
}

function toGroupSql(sql: string, rows: number): string {
  const [head = '', tuple = ''] = sql.split('VALUES');
  return `${head}VALUES ${Array.from({ length: rows }, () => tuple).join(', ')}`;
}

function orderColumnIndexes(names: readonly (typeof ROW.order.numbers)[number][]): readonly number[] {
  return names.map((name) => ROW.order.numbers.indexOf(name));
}
