import type {
  AccountRow,
  Archive,
  FillFilter,
  FillRow,
  HoldingRow,
  LedgerFilter,
  LedgerRow,
  MarketRow,
  OrderFilter,
  OrderPosition,
  OrderRow,
  Page,
  PageRequest,
  PricePointRow,
  PriceRequest,
  ProjectorStart,
  ResumedEvents,
  TradeRow,
} from '../../exchange/index.ts';
import {
  type AccountColumns,
  accountRow,
  type HoldingColumns,
  holdingRow,
  type MarketColumns,
  marketRow,
} from './columns.ts';
import { type Connection, guarded } from './database.ts';
import { EventQueries } from './event-queries.ts';
import { HistoryQueries } from './history-queries.ts';
import { ListQueries, type Part } from './list-query.ts';
import type { OrderKeys } from './order-keys.ts';
import { OrderQueries } from './order-queries.ts';
import { PriceQueries } from './price-queries.ts';
import { RecentRows } from './recent-rows.ts';

const MOST_EVENTS = 10_000;
const NOTHING = { rows: [], totalCount: 0, hasPrevious: false, hasNext: false };

/** The archive in the database. All throw FileFault when the file is damaged. */
export class SqliteArchive implements Archive {
  readonly #connection: Connection;
  readonly #file: string;
  readonly #recent: RecentRows;
  readonly #lists: ListQueries;
  readonly #orders: OrderQueries;
  readonly #history: HistoryQueries;
  readonly #prices: PriceQueries;
  readonly #events: EventQueries;
  readonly #account;
  readonly #market;
  readonly #holding;

  /** @param recent rows of the commit that was told last; they stand in the database, too */
  constructor(connection: Connection, file: string, keys: OrderKeys, recent = new RecentRows()) {
    this.#connection = connection;
    this.#recent = recent;
    this.#file = file;
    this.#lists = new ListQueries(connection, file);
    this.#orders = new OrderQueries(connection, file, this.#lists, keys);
    this.#history = new HistoryQueries(connection, file, this.#lists);
    this.#prices = new PriceQueries(connection, file);
    this.#events = new EventQueries(connection, file);
    this.#account = connection.prepare<[number], AccountColumns>('SELECT * FROM accounts WHERE account = ?');
    this.#market = connection.prepare<[number], MarketColumns>('SELECT * FROM markets WHERE market = ?');
    this.#holding = connection.prepare<[number, number], HoldingColumns>(
      'SELECT * FROM holdings WHERE account = ? AND market = ?',
    );
  }

  order(order: number): OrderRow | undefined {
    return this.#recent.order(order) ?? this.#orders.byNumber(order);
  }

  orderById(id: string): OrderRow | undefined {
    return this.#orders.byId(id);
  }

  orderByClientId(account: number, clientOrderId: string): OrderRow | undefined {
    return this.#orders.byClientId(account, clientOrderId);
  }

  orders(account: number, filter: OrderFilter, page: PageRequest<OrderPosition>): Page<OrderRow> {
    const row = this.account(account);
    return row === undefined ? NOTHING : this.#orders.list(row, filter, page);
  }

  fill(id: number): FillRow | undefined {
    return this.#history.fill(id);
  }

  fillsOfOrder(order: number): readonly FillRow[] {
    return this.#recent.fillsOf(order) ?? this.#history.fillsOfOrder(order);
  }

  fills(account: number, filter: FillFilter, order: 'newest' | 'oldest', page: PageRequest<number>): Page<FillRow> {
    const row = this.account(account);
    return row === undefined ? NOTHING : this.#history.fills(row, filter, order === 'newest', page);
  }

  trades(market: number, page: PageRequest<number>): Page<TradeRow> {
    const row = this.market(market);
    return row === undefined ? NOTHING : this.#history.trades(row, page);
  }

  ledger(account: number, filter: LedgerFilter, page: PageRequest<number>): Page<LedgerRow> {
    const row = this.account(account);
    return row === undefined ? NOTHING : this.#history.ledger(row, filter, page);
  }

  prices(request: PriceRequest): readonly PricePointRow[] {
    return this.#prices.list(request);
  }

  orderEvents(account: number, afterSeq: number, market?: number, most = MOST_EVENTS): ResumedEvents {
    return this.#events.after(this.account(account)?.lastEvent ?? 0, afterSeq, market, most);
  }

  /** See `EventQueries.boundary`. */
  eventBoundary(olderThan: number, keep: number): number {
    return this.#events.boundary(olderThan, keep);
  }

  holding(account: number, market: number): HoldingRow | undefined {
    const found = guarded(this.#file, 'read', () => this.#holding.get(account, market));
    return found === undefined ? undefined : holdingRow(found);
  }

  holdingsOf(account: number): readonly HoldingRow[] {
    const parts: readonly Part[] = [{ table: 'holdings', where: [['account = ?', account]] }];
    return this.#lists.all({ parts, order: ['market'], direction: 'ascending', row: holdingRow });
  }

  account(account: number): AccountRow | undefined {
    const found = guarded(this.#file, 'read', () => this.#account.get(account));
    return found === undefined ? undefined : accountRow(found);
  }

  market(market: number): MarketRow | undefined {
    const found = guarded(this.#file, 'read', () => this.#market.get(market));
    return found === undefined ? undefined : marketRow(found);
  }

  start(): ProjectorStart {
    const all = (table: string) => ({
      parts: [{ table, where: [['1 = 1']] as const }],
      direction: 'ascending' as const,
    });
    const seq = guarded(this.#file, 'read', () =>
      this.#connection.prepare<[], number>('SELECT seq FROM head').pluck().get(),
    );
    const markets = this.#lists.all({ ...all('markets'), order: ['market'], row: marketRow });
    return {
      seq: seq ?? 0,
      accounts: this.#lists.all({ ...all('accounts'), order: ['account'], row: accountRow }),
      holdings: this.#lists.all({ ...all('holdings'), order: ['account', 'market'], row: holdingRow }),
      markets: markets.map((row) => ({ row, ...this.#prices.ends(row.market) })),
    };
  }
}
