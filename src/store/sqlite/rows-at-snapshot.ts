/**
 * Rebuilds the rows at a snapshot, so that the records after it can be replayed.
 *
 * Current values come from the state. Counts and prices come from the file's rows that are older than the snapshot and
 * never change. Fields that the state of an open order lacks, such as the id, are copied from the order's row.
 *
 * Invariant: no value later than the snapshot is copied, because the later records produce this value.
 */
import type { Statement } from 'better-sqlite3';
import {
  addMarketRow,
  type ExchangeView,
  MARKET_STATISTICS,
  type OpenOrderView,
  ORDER_STATUSES,
  orderKind,
  PRICE_INTERVALS,
  RowWriter,
  STATISTIC_NAMES,
  statisticsIn,
  toCode,
  unsignedId,
} from '../../exchange/index.ts';
import { encodeId, encodeText, idKey } from './column-values.ts';
import { type AccountColumns, type HoldingColumns, type OrderColumns, VENUE_CHECKSUMS } from './columns.ts';
import type { Connection } from './database.ts';
import { statisticSql } from './migrations.ts';
import { computeChecksums, insertSql, type StoredRow } from './row-checksums.ts';
import type { SqlValue } from './row-crc.ts';
import { createRowWriter } from './row-writer.ts';

/** Fields that only an order's row contains, and the order's last change. */
type CopiedOrderFields = Pick<
  OrderColumns,
  'force' | 'post_only' | 'group_no' | 'created_at' | 'id' | 'id_key' | 'client_id' | 'seq' | 'updated_at'
>;

/** Totals of an order's fills: micro-shares, and micro-USD. */
type FillTotals = { readonly [Total in 'shares' | 'amount' | 'fee']: number };

/** Writes the rows into empty tables. @param lastEvents id of each account's last event at the snapshot */
export function putRowsAtSnapshot(
  file: Connection,
  rebuilt: Connection,
  view: ExchangeView,
  lastEvents: ReadonlyMap<number, number>,
): void {
  const put = createRowInserter(rebuilt);
  rebuilt.transaction(() => {
    putAccounts(file, view, lastEvents, put);
    putOrders(file, view, put);
    putHoldings(file, view, put);
    const rows = new RowWriter();
    putMarkets(file, view, rows, put);
    createRowWriter(rebuilt)(rows.drain(view.seq));
    computeChecksums(rebuilt, VENUE_CHECKSUMS);
  })();
}

type Put = (table: string, row: StoredRow) => void;

function createRowInserter(connection: Connection): Put {
  const inserts = new Map<string, Statement<SqlValue[]>>();
  return (table, row) => {
    const sql = insertSql(table, Object.keys(row));
    const insert = inserts.get(sql) ?? connection.prepare<SqlValue[]>(sql);
    inserts.set(sql, insert);
    insert.run(...Object.values(row));
  };
}

/** Returns the highest ids at a snapshot. An event has two ids for fills and order events, four for ledger entries. */
function highestIds({ seq }: ExchangeView) {
  return { fill: 2 * seq + 1, entry: 4 * seq + 3 };
}

function putAccounts(file: Connection, view: ExchangeView, lastEvents: ReadonlyMap<number, number>, put: Put): void {
  const row = file.prepare<[number], AccountColumns>('SELECT * FROM accounts WHERE account = ?');
  const count = (sql: string) => file.prepare<[number, number], number>(sql).pluck();
  const orders = count('SELECT count(*) FROM orders WHERE account = ? AND no <= ?');
  const fills = count('SELECT count(*) FROM fills WHERE account = ? AND id <= ?');
  const entries = count('SELECT count(*) FROM ledger WHERE account = ? AND id <= ?');
  const highest = highestIds(view);
  for (let account = 1; account <= view.accountCount; account += 1) {
    const { address = '', unlimited = false } = view.account(account) ?? {};
    const stored = row.get(account);
    const last = stored?.last_event ?? 0;
    put('accounts', {
      account,
      unlimited: unlimited ? 1 : 0,
      opened_at: stored?.opened_at ?? 0,
      orders: orders.get(account, view.orderCount) ?? 0,
      fills: fills.get(account, highest.fill) ?? 0,
      entries: entries.get(account, highest.entry) ?? 0,
      last_event: last <= highest.fill ? last : (lastEvents.get(account) ?? 0),
      address: encodeText(address),
    });
  }
}

function putOrders(file: Connection, view: ExchangeView, put: Put): void {
  const row = file.prepare<[number], StoredRow & OrderColumns>('SELECT * FROM orders WHERE no = ?');
  const filled = file.prepare<[number, number, number], FillTotals>(
    `SELECT coalesce(sum(shares), 0) AS shares, coalesce(sum(shares / 10000 * price), 0) AS amount,
      coalesce(sum(fee), 0) AS fee FROM fills WHERE order_no = ? AND id <= ?
      AND id >> 1 NOT IN (SELECT trade FROM reversals WHERE 2 * seq < ?)`,
  );
  const highest = highestIds(view);
  for (const order of endedOrders(view)) {
    const stored = row.get(order);
    const totals = filled.get(order, highest.fill, highest.fill) ?? NO_FILLS;
    if (stored !== undefined) put('orders', endedRow(stored, totals, view.seq));
  }
  for (let account = 1; account <= view.accountCount; account += 1) {
    for (const open of view.openOrders(account)) {
      const stored = row.get(open.order) ?? placeholderFields(open.order);
      const totals = filled.get(open.order, highest.fill, highest.fill) ?? NO_FILLS;
      const terms = { ...copiedFields(stored), ...termFields(open) };
      put('orders', { ...terms, ...progressFields(open, totals), ...lastChangeUpTo(stored, view.seq) });
    }
  }
}

const NO_FILLS: FillTotals = { shares: 0, amount: 0, fee: 0 };
const FILLED = toCode(ORDER_STATUSES, 'FILLED');

/** Returns the ended orders of trades that can still be reversed. */
function endedOrders(view: ExchangeView): ReadonlySet<number> {
  const orders = view.reversals.trades.flatMap(({ maker, taker }) => [maker.order, taker.order]);
  return new Set<number>(orders.filter((order) => order !== 0 && view.openOrder(order) === undefined));
}

/** Returns an ended order's row. Restores the status FILLED, which a reversal after the snapshot can have changed. */
function endedRow(row: StoredRow & OrderColumns, { shares: filled, amount, fee }: FillTotals, upTo: number): StoredRow {
  const { terms_crc: _terms, progress_crc: _progress, ...rest }: StoredRow = row;
  const wasFilled = filled === row.shares;
  const state = wasFilled ? { status: FILLED, reason: 0 } : { status: row.status, reason: row.reason };
  return { ...rest, ...state, filled, amount, fee, ...lastChangeUpTo(row, upTo) };
}

/** Returns placeholders for a missing row, so that the comparison with the file reports the order. */
function placeholderFields(order: number): CopiedOrderFields {
  const id = encodeId(unsignedId(order));
  const unknown = { force: 0, post_only: 0, group_no: 0, created_at: 0, client_id: null, seq: 0, updated_at: 0 };
  return { ...unknown, id, id_key: idKey(unsignedId(order)) };
}

function copiedFields({ force, post_only, group_no, created_at, id, id_key, client_id }: CopiedOrderFields) {
  return { force, post_only, group_no, created_at, id, id_key, client_id };
}

function termFields({ order, account, market, outcome, side, price, expiration }: OpenOrderView) {
  return { no: order, account, market, kind: orderKind(outcome, side), price, expiration };
}

function progressFields({ remaining }: OpenOrderView, { shares, amount, fee }: FillTotals) {
  const status = toCode(ORDER_STATUSES, shares === 0 ? 'LIVE' : 'PARTIALLY_FILLED');
  return { shares: remaining + shares, filled: shares, amount, fee, status, reason: 0 };
}

function lastChangeUpTo({ seq, updated_at }: CopiedOrderFields, upTo: number) {
  return seq <= upTo ? { seq, updated_at } : { seq: 0, updated_at: 0 };
}

function putHoldings(file: Connection, { seq }: ExchangeView, put: Put): void {
  for (const row of file.prepare<[], HoldingColumns>('SELECT * FROM holdings').all()) {
    const { account, market, yes_seq, yes_at, no_seq, no_at } = row;
    if (yes_seq > seq && no_seq > seq) continue;
    const yes = yes_seq > seq ? { yes_seq: 0, yes_at: 0 } : { yes_seq, yes_at };
    const no = no_seq > seq ? { no_seq: 0, no_at: 0 } : { no_seq, no_at };
    put('holdings', { account, market, ...yes, ...no });
  }
}

function putMarkets(file: Connection, view: ExchangeView, rows: RowWriter, put: Put): void {
  const columns = STATISTIC_NAMES.map((name) => {
    return `${statisticSql(name, 'market = :market AND id <= :fill')} AS ${MARKET_STATISTICS[name].column}`;
  });
  const statistics = file.prepare<[object], StoredRow>(`SELECT ${columns.join(', ')}`);
  const { fill } = highestIds(view);
  for (const market of view.markets) {
    addMarketRow(rows, market, statisticsIn(statistics.get({ market: market.number, fill }) ?? {}));
    putPrices(file, market.number, view.seq, put);
  }
}

/** Writes the last price point, and each price bucket that contains the point. */
function putPrices(file: Connection, market: number, seq: number, put: Put): void {
  const lastSql = 'SELECT * FROM price_points WHERE market = ? AND seq <= ? ORDER BY at DESC, seq DESC LIMIT 1';
  const last = file.prepare<[number, number], StoredRow>(lastSql).get(market, seq);
  if (last === undefined) return;
  const { crc: _, ...point } = last;
  put('price_points', point);
  const tradedSql = 'SELECT sum(volume) FROM price_points WHERE market = ? AND at >= ? AND seq <= ?';
  const traded = file.prepare<[number, number, number], number>(tradedSql).pluck();
  for (const length of Object.values(PRICE_INTERVALS)) {
    const { seq: _, ...prices } = point;
    const at = Math.floor(Number(point['at']) / length) * length;
    put('price_buckets', { ...prices, length, at, volume: traded.get(market, at, seq) ?? 0 });
  }
}
