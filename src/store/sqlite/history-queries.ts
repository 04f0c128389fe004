/** Fills, trades and movements of cash. */
import { column } from '../../domain/index.ts';
import {
  type AccountRow,
  type FillFilter,
  type FillNumbers,
  type FillRow,
  fillOf,
  type LedgerFilter,
  type LedgerRow,
  ledgerKindCode,
  type MarketRow,
  type Page,
  type PageRequest,
  type TradeRow,
} from '../../exchange/index.ts';
import { type EntryColumns, ledgerRow } from './columns.ts';
import { type Connection, guarded } from './database.ts';
import { type Bound, type List, type ListQueries, oneOf } from './list-query.ts';

type FillColumns = Omit<FillNumbers, 'order'> & { readonly order_no: number };

/** Asks for what moved. */
export class HistoryQueries {
  readonly #file: string;
  readonly #lists: ListQueries;
  readonly #fill;
  readonly #ofOrder;

  constructor(connection: Connection, file: string, lists: ListQueries) {
    this.#file = file;
    this.#lists = lists;
    this.#fill = connection.prepare<[number], FillColumns>('SELECT * FROM fills WHERE id = ?');
    this.#ofOrder = connection.prepare<[number], FillColumns>('SELECT * FROM fills WHERE order_no = ? ORDER BY id');
  }

  fill(id: number): FillRow | undefined {
    const found = guarded(this.#file, 'read', () => this.#fill.get(id));
    return found === undefined ? undefined : fillRow(found);
  }

  fillsOfOrder(order: number): readonly FillRow[] {
    return guarded(this.#file, 'read', () => this.#ofOrder.all(order)).map(fillRow);
  }

  fills(account: AccountRow, filter: FillFilter, isNewestFirst: boolean, page: PageRequest<number>): Page<FillRow> {
    const { market, order, afterSeq, since } = filter;
    const where: [string, ...Bound[]][] = [];
    if (order === undefined) where.push(['account = ?', account.account]);
    else where.push(['order_no = ?', order], ['+account = ?', account.account]);
    if (market !== undefined) where.push(['+market = ?', market]);
    if (afterSeq !== undefined) where.push(['id >= ?', 2 * (afterSeq + 1)]);
    if (since !== undefined) where.push(['at >= ?', since]);
    const list: List<FillColumns, FillRow> = {
      ...{ table: 'fills', where, order: ['id'], row: fillRow },
      direction: isNewestFirst ? 'descending' : 'ascending',
      ...(where.length === 1 ? { count: account.fills } : {}),
    };
    return this.#lists.page(list, page, (id) => [id]);
  }

  trades({ market, trades }: MarketRow, page: PageRequest<number>): Page<TradeRow> {
    const list: List<FillColumns, FillRow> = {
      ...{ table: 'fills', where: [['is_taker = 1'], ['market = ?', market]], order: ['id'] },
      ...{ row: fillRow, direction: 'descending', count: trades },
    };
    return this.#lists.page(list, page, (id) => [id]);
  }

  ledger(account: AccountRow, filter: LedgerFilter, page: PageRequest<number>): Page<LedgerRow> {
    const { kinds, market, since } = filter;
    const where: [string, ...Bound[]][] = [['account = ?', account.account]];
    if (kinds !== undefined) where.push([...oneOf('kind', kinds.map(ledgerKindCode))]);
    if (market !== undefined) where.push(['market = ?', market]);
    if (since !== undefined) where.push(['at >= ?', since]);
    const list: List<EntryColumns, LedgerRow> = {
      ...{ table: 'ledger', where, order: ['id'], direction: 'descending', row: ledgerRow },
      ...(where.length === 1 ? { count: account.entries } : {}),
    };
    return this.#lists.page(list, page, (id) => [id]);
  }
}

function fillRow({ id, order_no: order, account, market, kind, price, shares, fee, match, at }: FillColumns): FillRow {
  return fillOf({ id, order, account, market, kind, price, shares, fee, match, at: column.time(at) });
}
