/** Queries fills, trades, movements of cash, and prices. A fill's id is 2 x its trade's `seq`, plus 1 for the taker. */
import {
  type AccountRow,
  type FillFilter,
  type FillNumbers,
  type FillRow,
  type LedgerFilter,
  type LedgerRow,
  ledgerKindCode,
  type MarketRow,
  type Page,
  type PageRequest,
  PRICE_INTERVALS,
  type PricePointRow,
  type PriceRequest,
  type TradeRow,
  toFillRow,
  toPricePoint,
} from '../../exchange/index.ts';
import { type EntryColumns, toLedgerRow, VENUE_CHECKSUMS } from './columns.ts';
import type { DatabaseReads } from './database-reads.ts';
import { type BoundValue, findFirstSince, type List, type ListQueries, type Part, type TimedId } from './list-query.ts';
import type { StoredRow } from './row-checksums.ts';

type FillColumns = Omit<FillNumbers, 'order'> & { readonly order_no: number; readonly crc: number };

/** A code that no ledger entry has. It replaces an empty list of kinds, so that the query returns no rows. */
const NO_KIND = -1;

export class HistoryQueries {
  readonly #reads: DatabaseReads;
  readonly #lists: ListQueries;
  readonly #decodeFill;
  readonly #decodeEntry;
  readonly fill: (id: number) => FillRow | undefined;
  readonly fillsOfOrder: (order: number) => readonly FillRow[];
  readonly #reversal;
  readonly #tradeReversedBy;
  readonly #lastFill;
  readonly #fillFrom;
  readonly #lastEntry;
  readonly #entryFrom;

  constructor(reads: DatabaseReads, lists: ListQueries) {
    this.#reads = reads;
    this.#lists = lists;
    const { connection } = reads;
    const fills = reads.table('fills', VENUE_CHECKSUMS.fills, decodeFill);
    this.#decodeFill = fills.decode;
    this.fill = fills.one<[number]>('WHERE id = ?');
    this.fillsOfOrder = fills.all<[number]>('WHERE order_no = ? ORDER BY id');
    this.#decodeEntry = reads.rowDecoder('ledger', VENUE_CHECKSUMS.ledger, toLedgerRow);
    const reversal = (row: StoredRow & { readonly trade: number; readonly seq: number }) => row;
    const reversals = reads.table('reversals', VENUE_CHECKSUMS.reversals, reversal);
    this.#reversal = reversals.one<[number]>('WHERE trade = ?');
    this.#tradeReversedBy = reversals.one<[number]>('WHERE seq = ?');
    this.#lastFill = connection.prepare<[], number>('SELECT max(id) FROM fills').pluck();
    this.#fillFrom = connection.prepare<[number], TimedId>(
      'SELECT id, at FROM fills WHERE id >= ? ORDER BY id LIMIT 1',
    );
    this.#lastEntry = connection.prepare<[number], number>('SELECT max(id) FROM ledger WHERE account = ?').pluck();
    this.#entryFrom = connection.prepare<[number, number], TimedId>(
      'SELECT id, at FROM ledger WHERE account = ? AND id >= ? ORDER BY id LIMIT 1',
    );
  }

  reversalSeqOf(trade: number): number | undefined {
    return this.#reversal(trade)?.seq;
  }

  tradeReversedBy(seq: number): number | undefined {
    return this.#tradeReversedBy(seq)?.trade;
  }

  /** @param first which fills are first in the result */
  fills(account: AccountRow, filter: FillFilter, first: 'newest' | 'oldest', page: PageRequest<number>): Page<FillRow> {
    const { market, order, afterSeq, since } = filter;
    const where: [string, ...BoundValue[]][] = [];
    // A unary plus excludes the indexes of a column.
    if (order === undefined) where.push(['account = ?', account.account]);
    else where.push(['order_no = ?', order], ['+account = ?', account.account]);
    if (market !== undefined) where.push([order === undefined ? 'market = ?' : '+market = ?', market]);
    if (afterSeq !== undefined) {
      where.push(['id >= ?', 2 * (afterSeq + 1)], ['NOT EXISTS (SELECT 1 FROM reversals WHERE trade = id >> 1)']);
    }
    if (since !== undefined) {
      const findFirst = () => findFirstSince(since, this.#lastFill.get() ?? 0, (id) => this.#fillFrom.get(id));
      where.push(['id >= ?', this.#reads.query(findFirst, 'fills')]);
    }
    const index =
      order !== undefined ? 'fills_of_order' : market !== undefined ? 'fills_of_market' : 'fills_of_account';
    const list: List<FillColumns, FillRow> = {
      parts: [{ table: `fills INDEXED BY ${index}`, where }],
      order: ['id'],
      decode: this.#decodeFill,
      direction: first === 'newest' ? 'descending' : 'ascending',
      ...(where.length === 1 ? { count: account.fills } : {}),
    };
    return this.#lists.page(list, page, (id) => [id]);
  }

  trades({ market, statistics: { trades } }: MarketRow, page: PageRequest<number>): Page<TradeRow> {
    const list: List<FillColumns, FillRow> = {
      parts: [{ table: 'fills', where: [['is_taker = 1'], ['market = ?', market]] }],
      order: ['id'],
      decode: this.#decodeFill,
      direction: 'descending',
      count: trades,
    };
    return this.#lists.page(list, page, (id) => [id]);
  }

  ledger(account: AccountRow, filter: LedgerFilter, page: PageRequest<number>): Page<LedgerRow> {
    const { kinds, market, since } = filter;
    const where: [string, ...BoundValue[]][] = [['account = ?', account.account]];
    if (market !== undefined) where.push(['market = ?', market]);
    if (since !== undefined) {
      const { account: number } = account;
      const next = (id: number) => this.#entryFrom.get(number, id);
      const first = () => findFirstSince(since, this.#lastEntry.get(number) ?? 0, next);
      where.push(['id >= ?', this.#reads.query(first, 'ledger')]);
    }
    const index = market === undefined ? '' : ' INDEXED BY ledger_of_market';
    const parts = [...new Set(kinds?.length === 0 ? [NO_KIND] : kinds?.map(ledgerKindCode))].map((code): Part => {
      return { table: 'ledger INDEXED BY ledger_of_kind', where: [['kind = ?', code], ...where] };
    });
    const list: List<EntryColumns, LedgerRow> = {
      parts: kinds === undefined ? [{ table: `ledger${index}`, where }] : parts,
      order: ['id'],
      direction: 'descending',
      decode: this.#decodeEntry,
      ...(kinds === undefined && where.length === 1 ? { count: account.entries } : {}),
    };
    return this.#lists.page(list, page, (id) => [id]);
  }
}

function decodeFill({ order_no: order, ...numbers }: FillColumns): FillRow {
  return toFillRow({ ...numbers, order });
}

/** Columns that points and buckets have in common. */
type PointColumns = Parameters<typeof toPricePoint>[0] & { readonly market: number; readonly crc: number };

export class PriceQueries {
  readonly #points;
  readonly #buckets;

  constructor(reads: DatabaseReads) {
    const { price_points, price_buckets } = VENUE_CHECKSUMS;
    const point = (row: PointColumns): PricePointRow => toPricePoint(row);
    this.#points = reads
      .table('price_points', price_points, point)
      .all<[number, number, number, number]>(
        'WHERE market = ? AND at BETWEEN ? AND ? ORDER BY at DESC, seq DESC LIMIT ?',
      );
    this.#buckets = reads
      .table('price_buckets', price_buckets, point)
      .all<[number, number, number, number, number]>(
        'WHERE market = ? AND length = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT ?',
      );
  }

  /** Returns the newest `max` points, oldest first. */
  list({ market, interval, since, until, max }: PriceRequest): readonly PricePointRow[] {
    const [from, to] = [since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER];
    const rows =
      interval === 'RAW'
        ? this.#points(market, from, to, max)
        : this.#buckets(market, PRICE_INTERVALS[interval], from, to, max);
    return rows.toReversed();
  }

  /** Returns the last point, and the last bucket of each length. */
  lastPrices(market: number) {
    const [last] = this.list({ market, interval: 'RAW', max: 1 });
    const buckets = Object.values(PRICE_INTERVALS).map(
      (length) => this.#buckets(market, length, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 1)[0],
    );
    return { last, buckets };
  }
}
