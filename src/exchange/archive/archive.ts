/** Interface for queries of durable rows, which describe the past. `ExchangeView` has the present state. */
import type { EpochMs } from '../../domain/index.ts';
import type {
  AccountRow,
  FillRow,
  HoldingRow,
  LedgerKind,
  LedgerRow,
  MarketRow,
  OrderEventRow,
  OrderRow,
  OrderStatus,
  PriceInterval,
  PricePointRow,
  TradeRow,
} from './rows.ts';

export interface PageRequest<Position> {
  /** Maximum number of rows, 0 or more. */
  readonly maxRows: number;
  /** `forward` returns the first rows strictly after `from`, `backward` the last rows strictly before it. */
  readonly direction: 'forward' | 'backward';
  /** Undefined for the start of the list (`forward`) or its end (`backward`). */
  readonly from: Position | undefined;
}

/** A part of a list, in the list's order. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Number of matches on all pages. */
  readonly totalCount: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** An order's position in lists: by `createdAt`, then `id`. Ids of 0x and 64 hex digits sort after others. */
export type OrderPosition = Pick<OrderRow, 'createdAt' | 'id'>;

/** Selects orders that match all defined members. */
export interface OrderFilter {
  readonly market?: number | undefined;
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly clientOrderIds?: readonly string[] | undefined;
  readonly group?: number | undefined;
  /** Minimum time of creation. */
  readonly since?: EpochMs | undefined;
  /** The account's open orders. Without this list, a query for open `statuses` reads all orders of the account. */
  readonly openOrders?: readonly number[] | undefined;
}

/** Selects fills that match all defined members. */
export interface FillFilter {
  readonly market?: number | undefined;
  readonly order?: number | undefined;
  /** Only fills after this event that were not reversed. */
  readonly afterSeq?: number | undefined;
  readonly since?: EpochMs | undefined;
}

/** Selects ledger entries that match all defined members. */
export interface LedgerFilter {
  readonly kinds?: readonly LedgerKind[] | undefined;
  readonly market?: number | undefined;
  readonly since?: EpochMs | undefined;
}

export interface PriceRequest {
  readonly market: number;
  readonly interval: PriceInterval;
  /** Inclusive, like `until`. */
  readonly since?: EpochMs | undefined;
  readonly until?: EpochMs | undefined;
  /** Maximum number of rows. The latest rows are returned. */
  readonly max: number;
}

export interface ResumedEvents {
  /**
   * Oldest first. If the request names a market, `prevSeq` is the account's previous event in this market: `afterSeq`
   * if that event was removed or is too old to search for.
   */
  readonly events: readonly OrderEventRow[];
  /** False, with empty `events`, if events are missing or more than `max` follow. */
  readonly isComplete: boolean;
}

/** The state from which a projector continues. */
export interface ProjectorStart {
  /** Number of the last event that has its rows; 0 for none. */
  readonly seq: number;
  readonly accounts: readonly AccountRow[];
  readonly holdings: readonly HoldingRow[];
  readonly markets: readonly MarketStart[];
}

export interface MarketStart {
  readonly row: MarketRow;
  /** The last point of the price history. */
  readonly last: PricePointRow | undefined;
  /** The newest bucket of each length, in the order of `PRICE_INTERVALS`. */
  readonly buckets: readonly (PricePointRow | undefined)[];
}

/** Lists are ordered from newest to oldest unless stated otherwise. */
export interface Archive {
  order(order: number): OrderRow | undefined;
  /** Returns the order with this `OrderRow.id`. */
  orderById(id: string): OrderRow | undefined;
  orderByClientId(account: number, clientOrderId: string): OrderRow | undefined;
  orders(account: number, filter: OrderFilter, page: PageRequest<OrderPosition>): Page<OrderRow>;
  /** Returns the fills of an order, oldest first. */
  fillsOfOrder(order: number): readonly FillRow[];
  /** Returns a page of fills. A position is a `FillRow.id`. */
  fills(account: number, filter: FillFilter, order: 'newest' | 'oldest', page: PageRequest<number>): Page<FillRow>;
  fill(id: number): FillRow | undefined;
  /** Returns the number of the event that reversed a trade; undefined if the trade was not reversed. */
  reversalSeqOf(trade: number): number | undefined;
  /** Returns the trade that an event reversed. */
  tradeReversedBy(seq: number): number | undefined;
  /** Returns a page of trades. Trades of a followed recording have account 0. A position is a `TradeRow.id`. */
  trades(market: number, page: PageRequest<number>): Page<TradeRow>;
  /** Returns a page of ledger entries. A position is a `LedgerRow.id`. */
  ledger(account: number, filter: LedgerFilter, page: PageRequest<number>): Page<LedgerRow>;
  /** Returns the price history, oldest first, without buckets in which nothing changed. */
  prices(request: PriceRequest): readonly PricePointRow[];
  /** Returns events after `afterSeq`. @param max number of events to read, in all markets; default 10,000 */
  orderEvents(account: number, afterSeq: number, market?: number, max?: number): ResumedEvents;
  holding(account: number, market: number): HoldingRow | undefined;
  /** Returns the latest row of each holding of an account, sorted by market. */
  holdingsOf(account: number): readonly HoldingRow[];
  account(account: number): AccountRow | undefined;
  market(market: number): MarketRow | undefined;
  start(): ProjectorStart;
}
