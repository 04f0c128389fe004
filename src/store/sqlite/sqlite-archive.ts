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
import { toAccountRow, toHoldingRow, toMarketRow, VENUE_CHECKSUMS } from './columns.ts';
import type { DatabaseReads } from './database-reads.ts';
import { EventQueries } from './event-queries.ts';
import { HistoryQueries, PriceQueries } from './history-queries.ts';
import { ListQueries, type Part } from './list-query.ts';
import type { OrderKeys } from './order-keys.ts';
import { OrderQueries } from './order-queries.ts';
import { RecentRows } from './recent-rows.ts';

const MAX_EVENTS = 10_000;
const EMPTY_PAGE = { rows: [], totalCount: 0, hasPrevious: false, hasNext: false };

/** Reads the venue's stored accounts, markets and history. All methods throw FileFault for a damaged file. */
export class SqliteArchive implements Archive {
  readonly #reads: DatabaseReads;
  readonly #recent: RecentRows;
  readonly #lists: ListQueries;
  readonly #orders: OrderQueries;
  readonly #history: HistoryQueries;
  readonly #prices: PriceQueries;
  readonly #events: EventQueries;
  readonly #decoders;
  readonly account: (account: number) => AccountRow | undefined;
  readonly market: (market: number) => MarketRow | undefined;
  readonly holding: (account: number, market: number) => HoldingRow | undefined;

  /** @param recent rows of the last commit, which are also in the database */
  constructor(reads: DatabaseReads, keys: OrderKeys, recent = new RecentRows()) {
    this.#recent = recent;
    this.#reads = reads;
    this.#lists = new ListQueries(reads);
    this.#orders = new OrderQueries(reads, this.#lists, keys);
    this.#history = new HistoryQueries(reads, this.#lists);
    this.#prices = new PriceQueries(reads);
    this.#events = new EventQueries(reads);
    const accounts = reads.table('accounts', VENUE_CHECKSUMS.accounts, toAccountRow);
    const markets = reads.table('markets', VENUE_CHECKSUMS.markets, toMarketRow);
    const holdings = reads.table('holdings', VENUE_CHECKSUMS.holdings, toHoldingRow);
    this.#decoders = { account: accounts.decode, market: markets.decode, holding: holdings.decode };
    this.account = accounts.one<[number]>('WHERE account = ?');
    this.market = markets.one<[number]>('WHERE market = ?');
    this.holding = holdings.one<[number, number]>('WHERE account = ? AND market = ?');
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
    return row === undefined ? EMPTY_PAGE : this.#orders.list(row, filter, page);
  }

  fill(id: number): FillRow | undefined {
    return this.#history.fill(id);
  }

  reversalSeqOf(trade: number): number | undefined {
    return this.#recent.isUnreversed(trade) ? undefined : this.#history.reversalSeqOf(trade);
  }

  tradeReversedBy(seq: number): number | undefined {
    return this.#history.tradeReversedBy(seq);
  }

  fillsOfOrder(order: number): readonly FillRow[] {
    return this.#recent.fillsOf(order) ?? this.#history.fillsOfOrder(order);
  }

  fills(account: number, filter: FillFilter, first: 'newest' | 'oldest', page: PageRequest<number>): Page<FillRow> {
    const row = this.account(account);
    return row === undefined ? EMPTY_PAGE : this.#history.fills(row, filter, first, page);
  }

  trades(market: number, page: PageRequest<number>): Page<TradeRow> {
    const row = this.market(market);
    return row === undefined ? EMPTY_PAGE : this.#history.trades(row, page);
  }

  ledger(account: number, filter: LedgerFilter, page: PageRequest<number>): Page<LedgerRow> {
    const row = this.account(account);
    return row === undefined ? EMPTY_PAGE : this.#history.ledger(row, filter, page);
  }

  prices(request: PriceRequest): readonly PricePointRow[] {
    return this.#prices.list(request);
  }

  orderEvents(account: number, afterSeq: number, market?: number, max = MAX_EVENTS): ResumedEvents {
    return this.#events.after(this.account(account)?.lastEvent ?? 0, afterSeq, market, max);
  }

  eventBoundary(olderThan: number, keptCount: number): number {
    return this.#events.boundary(olderThan, keptCount);
  }

  holdingsOf(account: number): readonly HoldingRow[] {
    const parts: readonly Part[] = [{ table: 'holdings', where: [['account = ?', account]] }];
    return this.#lists.all({ parts, order: ['market'], direction: 'ascending', decode: this.#decoders.holding });
  }

  start(): ProjectorStart {
    const all = (table: string) => {
      return { parts: [{ table, where: [['1 = 1']] as const }], direction: 'ascending' as const };
    };
    const head = this.#reads.connection.prepare<[], number>('SELECT seq FROM head').pluck();
    const seq = this.#reads.query(() => head.get(), 'head');
    const markets = this.#lists.all({ ...all('markets'), order: ['market'], decode: this.#decoders.market });
    return {
      seq: seq ?? 0,
      accounts: this.#lists.all({ ...all('accounts'), order: ['account'], decode: this.#decoders.account }),
      holdings: this.#lists.all({ ...all('holdings'), order: ['account', 'market'], decode: this.#decoders.holding }),
      markets: markets.map((row) => ({ row, ...this.#prices.lastPrices(row.market) })),
    };
  }
}
