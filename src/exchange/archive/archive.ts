/**
 * Port for queries about the past, which read durable rows; implemented in `store/`. The exchange's view has the present
 * state (balances, books, positions, markets).
 */
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

/** Requests the rows nearest to `from`: strictly after it in the list's order, or strictly before it. */
export interface PageRequest<Position> {
  /** Largest number of rows, 0 or more. */
  readonly take: number;
  /** `forward`: the first rows after `from`, or of all; `backward`: the last rows before `from`, or of all. */
  readonly direction: 'forward' | 'backward';
  readonly from: Position | undefined;
}

/** A part of a list, in the list's order. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Number of all matches, on every page. */
  readonly totalCount: number;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** An order's position in lists: `createdAt`, then `id`. Digests sort as numbers, after all other ids. */
export type OrderPosition = Pick<OrderRow, 'createdAt' | 'id'>;

/** Selects orders that match all given members. */
export interface OrderFilter {
  readonly market?: number | undefined;
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly clientOrderIds?: readonly string[] | undefined;
  readonly group?: number | undefined;
  /** Minimum time of creation. */
  readonly since?: EpochMs | undefined;
  /**
   * Numbers of the open orders, from the exchange's view. Required for `statuses` that are open; otherwise the query reads all
   * orders that the account ever had.
   */
  readonly among?: readonly number[] | undefined;
}

/** Selects fills that match all given members. */
export interface FillFilter {
  readonly market?: number | undefined;
  readonly order?: number | undefined;
  /** Only fills after this event that were not reversed. */
  readonly afterSeq?: number | undefined;
  readonly since?: EpochMs | undefined;
}

/** Selects ledger entries that match all given members. */
export interface LedgerFilter {
  readonly kinds?: readonly LedgerKind[] | undefined;
  readonly market?: number | undefined;
  readonly since?: EpochMs | undefined;
}

export interface PriceRequest {
  readonly market: number;
  readonly interval: PriceInterval;
  /** Bounds of `at`, inclusive. */
  readonly since?: EpochMs | undefined;
  readonly until?: EpochMs | undefined;
  /** Maximum number of rows, the latest ones. */
  readonly max: number;
}

/** An account's events after a given one. */
export interface ResumedEvents {
  /** Oldest first. If the request names a market, `prevSeq` is the account's previous event in this market. */
  readonly events: readonly OrderEventRow[];
  /** False if some are missing or there are more than `max`; then `events` is empty. */
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

/** Last prices of a market. */
export interface MarketStart {
  readonly row: MarketRow;
  readonly last: PricePointRow | undefined;
  /** The newest bucket of each length in `PRICE_INTERVALS`, in its order. */
  readonly buckets: readonly (PricePointRow | undefined)[];
}

/** Lists are ordered from newest to oldest, except prices and the rows of one order. */
export interface Archive {
  order(order: number): OrderRow | undefined;
  /** Returns the order with this `OrderRow.id`. */
  orderById(id: string): OrderRow | undefined;
  orderByClientId(account: number, clientOrderId: string): OrderRow | undefined;
  orders(account: number, filter: OrderFilter, page: PageRequest<OrderPosition>): Page<OrderRow>;
  /** Oldest first. */
  fillsOfOrder(order: number): readonly FillRow[];
  /** Newest first, or oldest first. The position is a `FillRow.id`. */
  fills(account: number, filter: FillFilter, order: 'newest' | 'oldest', page: PageRequest<number>): Page<FillRow>;
  fill(id: number): FillRow | undefined;
  /** Number of the event that reversed a trade; undefined for a trade that was not reversed. */
  reversalOf(trade: number): number | undefined;
  /** The trade that an event reversed. */
  reversedBy(seq: number): number | undefined;
  /** Includes trades of the recording that a market follows, with account 0. The position is a `TradeRow.id`. */
  trades(market: number, page: PageRequest<number>): Page<TradeRow>;
  /** The position is a `LedgerRow.id`. */
  ledger(account: number, filter: LedgerFilter, page: PageRequest<number>): Page<LedgerRow>;
  /** Oldest first, without buckets in which nothing changed. */
  prices(request: PriceRequest): readonly PricePointRow[];
  /** @param max events to read, including those of other markets; default 10,000 */
  orderEvents(account: number, afterSeq: number, market?: number, max?: number): ResumedEvents;
  holding(account: number, market: number): HoldingRow | undefined;
  /** Returns the last changes of positions, sorted by market. */
  holdingsOf(account: number): readonly HoldingRow[];
  account(account: number): AccountRow | undefined;
  market(market: number): MarketRow | undefined;
  start(): ProjectorStart;
}
