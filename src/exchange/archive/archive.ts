/**
 * A port for queries about the past. It reads durable rows; implementations are in `store/`. The exchange's view has
 * the present state (balances, books, positions, markets).
 */
import type { EpochMs, Outcome, Side } from '../../domain/index.ts';
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

/**
 * A position in a list: rows strictly after `from` in the list's order, or strictly before it, the nearest ones first.
 */
export interface PageRequest<Position> {
  /** Largest number of rows, 0 or more. */
  readonly take: number;
  /** `forward`: the first ones after `from`, or of all; `backward`: the last ones before it, or of all. */
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

/** An order's place in lists: `createdAt`, then `id`. Digests sort as numbers, after all other ids. */
export type OrderPosition = Pick<OrderRow, 'createdAt' | 'id'>;

/** Which orders; all members given must hold. */
export interface OrderFilter {
  readonly market?: number;
  readonly statuses?: readonly OrderStatus[];
  readonly clientOrderIds?: readonly string[];
  readonly group?: number;
  /** Created then or later. */
  readonly since?: EpochMs;
  readonly outcome?: Outcome;
  readonly side?: Side;
  /**
   * Numbers, those of all orders among them that match and whose status is open. To be given with such statuses, from the
   * exchange's view: else all orders that the account ever had are looked at.
   */
  readonly among?: readonly number[];
}

/** Which fills; all members given must hold. */
export interface FillFilter {
  readonly market?: number;
  readonly order?: number;
  /** After this event, and not taken back: who reads on from there books what counts. */
  readonly afterSeq?: number;
  readonly since?: EpochMs;
}

/** Which ledger entries; all members given must hold. */
export interface LedgerFilter {
  readonly kinds?: readonly LedgerKind[];
  readonly market?: number;
  readonly since?: EpochMs;
}

/** Which prices. */
export interface PriceRequest {
  readonly market: number;
  readonly interval: PriceInterval;
  /** Of `at`, both ends in. */
  readonly since?: EpochMs;
  readonly until?: EpochMs;
  /** The latest so many; default 2,000. */
  readonly most?: number;
}

/** An account's events after one. */
export interface ResumedEvents {
  /** Oldest first; `prevSeq` links within the request. */
  readonly events: readonly OrderEventRow[];
  /** False when some are gone, or more than `most`: then there are none here. */
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

/** Rows of the past. Lists run from the newest to the oldest, except for prices and for the rows of one order. */
export interface Archive {
  order(order: number): OrderRow | undefined;
  /** By `OrderRow.id`. */
  orderById(id: string): OrderRow | undefined;
  orderByClientId(account: number, clientOrderId: string): OrderRow | undefined;
  orders(account: number, filter: OrderFilter, page: PageRequest<OrderPosition>): Page<OrderRow>;
  /** Oldest first. */
  fillsOfOrder(order: number): readonly FillRow[];
  /** Newest first, or oldest first. The position is a `FillRow.id`. */
  fills(account: number, filter: FillFilter, order: 'newest' | 'oldest', page: PageRequest<number>): Page<FillRow>;
  fill(id: number): FillRow | undefined;
  /** Number of the event that reversed a trade; undefined for a trade that stands. */
  reversalOf(trade: number): number | undefined;
  /** The trade that an event reversed. */
  reversedBy(seq: number): number | undefined;
  /** Also trades of the recording that a market follows, with account 0. The position is a `TradeRow.id`. */
  trades(market: number, page: PageRequest<number>): Page<TradeRow>;
  /** The position is a `LedgerRow.id`. */
  ledger(account: number, filter: LedgerFilter, page: PageRequest<number>): Page<LedgerRow>;
  /** Oldest first; buckets in which nothing changed are left out. */
  prices(request: PriceRequest): readonly PricePointRow[];
  /** @param most of all events looked at, those of other markets too; default 10,000 */
  orderEvents(account: number, afterSeq: number, market?: number, most?: number): ResumedEvents;
  holding(account: number, market: number): HoldingRow | undefined;
  /** By market. */
  holdingsOf(account: number): readonly HoldingRow[];
  account(account: number): AccountRow | undefined;
  market(market: number): MarketRow | undefined;
  /** The state from which a projector continues. */
  start(): ProjectorStart;
}
