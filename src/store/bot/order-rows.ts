/** Writes orders as rows for queries, in the transaction that stores their steps. */
import type { Statement } from 'better-sqlite3';
import type { InputEvent, OrderFilled, OrderNo, PlaceOrder } from '../../domain/index.ts';
import { placedOrders, type Step, type StoredTrade } from '../../runtime/index.ts';
import type { Connection } from '../sqlite/database.ts';
import type { DatabaseReads } from '../sqlite/database-reads.ts';
import { insertSql, rowCrc, type StoredRow } from '../sqlite/row-checksums.ts';
import { RowCrc, type SqlValue } from '../sqlite/row-crc.ts';
import { BOT_CHECKSUMS, ChecksummedInsert } from './bot-checksums.ts';

/** Status of an order. The first three are open. */
export type OrderStatus = 'NEW' | 'LIVE' | 'UNKNOWN' | 'FILLED' | 'CLOSED' | 'REJECTED';

type Progress = {
  readonly filled: number;
  readonly remaining: number;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly updated_at: number;
};
type ProgressColumns = Progress & { readonly order_no: number; readonly progress_crc: number };

const { key, checksums } = BOT_CHECKSUMS.orders;
const TERMS = checksums.terms_crc;
const PROGRESS = checksums.progress_crc;
const INSERTED = [...TERMS, 'terms_crc', 'filled', 'remaining', 'status', 'reason', 'updated_at', 'progress_crc'];

export class OrderRows {
  readonly #insertStatement: Statement<SqlValue[]>;
  readonly #find: Statement<[number], ProgressColumns>;
  readonly #update: Statement<SqlValue[]>;
  readonly #verify: (row: ProgressColumns) => ProgressColumns;
  readonly #insertTag: ChecksummedInsert;
  readonly #crc = new RowCrc();

  constructor(reads: DatabaseReads) {
    const { connection } = reads;
    this.#insertStatement = connection.prepare(insertSql('orders', INSERTED));
    this.#find = connection.prepare(`SELECT ${PROGRESS.join(', ')}, progress_crc FROM orders WHERE order_no = ?`);
    this.#update = connection.prepare(
      'UPDATE orders SET filled = ?, remaining = ?, status = ?, reason = ?, updated_at = ?, progress_crc = ? WHERE order_no = ?',
    );
    const table = { key, checksums: { progress_crc: PROGRESS } };
    this.#verify = reads.rowDecoder('orders', table, (row: ProgressColumns) => row);
    this.#insertTag = new ChecksummedInsert(connection, 'order_tags');
  }

  /** @throws FileFault for a damaged row of an order */
  apply({ time, event, commands }: Step): void {
    if (event !== undefined) this.#applyEvent(event);
    for (const command of commands) for (const place of placedOrders(command)) this.#insert(place, time);
  }

  #insert(place: PlaceOrder, time: number): void {
    const { order, bot, market, outcome, side, price, shares, timeInForce, postOnly, expiration, tag } = place;
    if (tag !== undefined) this.#insertTag.add({ order_no: order, tag });
    const options = [timeInForce, Number(postOnly), expiration];
    const terms = [order, bot, market, outcome, side, price, shares, ...options, time];
    const progress = [0, shares, 'NEW', null, time];
    const termsCrc = rowCrc(this.#crc, terms);
    this.#insertStatement.run(...terms, termsCrc, ...progress, rowCrc(this.#crc, [...progress, order]));
  }

  #applyEvent(event: InputEvent): void {
    switch (event.type) {
      case 'orderAccepted':
        this.#setStatus(event.order, 'LIVE', null, event.time);
        return;
      case 'orderUncertain':
        this.#setStatus(event.order, 'UNKNOWN', null, event.time, isUnanswered);
        return;
      case 'orderRejected':
        this.#setStatus(event.order, 'REJECTED', event.reason, event.time, isUnanswered);
        return;
      case 'orderClosed':
        this.#setStatus(event.order, 'CLOSED', event.reason, event.time);
        return;
      case 'ordersReplaced':
        for (const order of event.closed) this.#setStatus(order, 'CLOSED', 'REPLACED', event.time);
        for (const order of event.accepted) this.#setStatus(order, 'LIVE', null, event.time);
        return;
      case 'orderReduced':
        this.#reduce(event.order, event.remaining, event.time);
        return;
      case 'orderFilled':
        this.#applyFill(event);
        return;
      case 'fillReversed':
        this.#applyReversal(event.order, event.shares, event.time);
        return;
    }
  }

  #setStatus(order: OrderNo, status: OrderStatus, reason: string | null, time: number, mayChange = isOpen): void {
    const row = this.#findProgress(order);
    if (row !== undefined && mayChange(row)) this.#write(order, { ...row, status, reason, updated_at: time });
  }

  #reduce(order: OrderNo, remaining: number, time: number): void {
    const row = this.#findProgress(order);
    if (row === undefined || !isOpen(row)) return;
    const status = remaining === 0 ? 'CLOSED' : 'LIVE';
    this.#write(order, { ...row, status, remaining: Math.min(row.remaining, remaining), updated_at: time });
  }

  #applyFill({ order, shares, remaining, time }: OrderFilled): void {
    const row = order === 0 ? undefined : this.#findProgress(order);
    if (row === undefined) return;
    const statusIfOpen = remaining === 0 ? 'FILLED' : 'LIVE';
    const sizes = { filled: row.filled + shares, remaining: Math.min(row.remaining, remaining) };
    this.#write(order, { ...row, ...sizes, status: isOpen(row) ? statusIfOpen : row.status, updated_at: time });
  }

  /** A reversal does not reopen the order, so its remaining shares do not change. */
  #applyReversal(order: OrderNo, shares: number, time: number): void {
    const row = this.#findProgress(order);
    if (row !== undefined) this.#write(order, { ...row, filled: row.filled - shares, updated_at: time });
  }

  #findProgress(order: OrderNo): ProgressColumns | undefined {
    const row = this.#find.get(order);
    return row && this.#verify(row);
  }

  #write(order: OrderNo, { filled, remaining, status, reason, updated_at }: Progress): void {
    const values = [filled, remaining, status, reason, updated_at];
    this.#update.run(...values, rowCrc(this.#crc, [...values, order]), order);
  }
}

function isUnanswered({ status }: Progress): boolean {
  return status === 'NEW' || status === 'UNKNOWN';
}

function isOpen(row: Progress): boolean {
  return isUnanswered(row) || row.status === 'LIVE';
}

/** A trade is stored with its fill, or only with its cash if the run did not include the market. */
type FilledTrade = Extract<StoredTrade, { type: 'orderFilled' }>;
type CashTrade = Extract<StoredTrade, { type: 'cashAdjusted' }>;

type FillColumns = StoredRow & Omit<FilledTrade, 'type' | 'order'> & { readonly order_no: FilledTrade['order'] };
type CashColumns = StoredRow & Pick<CashTrade, 'trade'> & { readonly cash: CashTrade['amount'] };

/** Returns the last `max` trades of each kind, the oldest first. @throws FileFault for a damaged row */
export function readTrades(reads: DatabaseReads, max: number): readonly StoredTrade[] {
  const latest = <Columns>(table: string) =>
    reads.connection.prepare<[number], Columns>(
      `SELECT * FROM ${table} WHERE trade IS NOT NULL ORDER BY id DESC LIMIT ?`,
    );
  const fill = reads.rowDecoder('fills', BOT_CHECKSUMS.fills, (row: FillColumns): FilledTrade => {
    const { trade, order_no: order, market, outcome, side, price, shares, fee } = row;
    return { type: 'orderFilled', trade, order, market, outcome, side, price, shares, fee };
  });
  const cash = reads.rowDecoder('adjustments', BOT_CHECKSUMS.adjustments, (row: CashColumns): CashTrade => {
    return { type: 'cashAdjusted', trade: row.trade, amount: row.cash };
  });
  return [
    ...latest<CashColumns>('adjustments').all(max).map(cash).toReversed(),
    ...latest<FillColumns>('fills').all(max).map(fill).toReversed(),
  ];
}

export function readReversedTrades(connection: Connection, max: number): readonly string[] {
  return connection.prepare<[number], string>('SELECT trade FROM reversals ORDER BY id DESC LIMIT ?').pluck().all(max);
}
