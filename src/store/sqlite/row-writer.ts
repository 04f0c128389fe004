/**
 * Writes rows.
 *
 * HOT: each row is one statement with a reused list of its values (bench/journal.ts).
 */
import { ROW, type RowBatch, type RowKind, visitRows } from '../../exchange/index.ts';
import type { Connection } from './database.ts';
import { idKey, idValue } from './order-key.ts';
import { textValue } from './text-value.ts';

type Value = number | string | Buffer | null;

/** One statement a kind. Numbers stand in the order of `ROW`, then texts, and of an order its key. */
const SQL: Readonly<Record<RowKind, string>> = {
  order: `INSERT INTO orders (no, account, market, kind, price, shares, filled, amount, fee, force, post_only, expiration,
    status, reason, group_no, seq, created_at, updated_at, id, client_id, id_key) VALUES (${marks(21)})`,
  progress: `UPDATE orders SET shares = ?, filled = ?, amount = ?, fee = ?, status = ?, reason = ?, seq = ?,
    updated_at = ? WHERE no = ?`,
  fill: `INSERT INTO fills (id, order_no, account, market, kind, price, shares, fee, match, at) VALUES (${marks(10)})`,
  entry: `INSERT INTO ledger (account, id, kind, amount, market, order_no, fill, at)
    VALUES (?, ?, ?, ?, nullif(?, -1), nullif(?, -1), nullif(?, -1), ?)`,
  event: `INSERT INTO order_events (id, previous, account, market, order_no, kind, shares, filled, amount, fee, status,
    reason, at) VALUES (${marks(13)})`,
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
  const prepared = (kind: RowKind) => connection.prepare<Value[][]>(SQL[kind]);
  const statements = {
    order: prepared('order'),
    progress: prepared('progress'),
    fill: prepared('fill'),
    entry: prepared('entry'),
    event: prepared('event'),
    point: prepared('point'),
    bucket: prepared('bucket'),
    holding: prepared('holding'),
    account: prepared('account'),
    market: prepared('market'),
  };
  const head = connection.prepare<number[]>('UPDATE head SET seq = ?');
  const values: Value[] = [];
  return (batch) => {
    const { numbers, texts, seq } = batch;
    visitRows(batch, (kind, at, textAt) => {
      const of = ROW[kind];
      values.length = 0;
      for (let place = at; place < at + of.numbers; place += 1) values.push(numbers[place]!);
      for (let place = textAt; place < textAt + of.texts; place += 1) {
        const text = texts[place]!;
        values.push(text === null ? null : textValue(text));
      }
      if (kind === 'order') {
        const id = texts[textAt] ?? '';
        values[of.numbers] = idValue(id);
        values.push(idKey(id));
      }
      statements[kind].run(values);
    });
    head.run(seq);
  };
}

function marks(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}
