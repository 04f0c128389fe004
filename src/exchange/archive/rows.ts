/** Rows of the read models. Money in micro-USD, sizes in micro-shares, prices in bps, times in epoch ms. */
import type { CloseReason, EpochMs, MarketStatus, Outcome, Side, TimeInForce } from '../../domain/index.ts';
import type { Transfer } from '../command.ts';
import type { MATCH_TYPES } from '../matching/codes.ts';
import type { MarketStatistics } from './market-statistics.ts';

/** Orders with one of the first two statuses are open. */
export const ORDER_STATUSES = ['LIVE', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED', 'EXPIRED'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Reasons for movements of cash. */
export const LEDGER_KINDS = [
  'DEPOSIT',
  'WITHDRAWAL',
  'TRADE',
  'FEE',
  'SPLIT',
  'MERGE',
  'CLAIM',
  'REFUND',
  'REBATE',
  'ADJUSTMENT',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export const ORDER_EVENT_KINDS = ['ACCEPTED', 'FILLED', 'CANCELLED', 'EXPIRED', 'REDUCED', 'REVERSED'] as const;
export type OrderEventKind = (typeof ORDER_EVENT_KINDS)[number];

/** Lengths of price buckets in ms. */
export const PRICE_INTERVALS = {
  ONE_MINUTE: 60_000,
  FIVE_MINUTES: 300_000,
  ONE_HOUR: 3_600_000,
  SIX_HOURS: 21_600_000,
  ONE_DAY: 86_400_000,
} as const;
/** RAW has a point for each change. */
export type PriceInterval = 'RAW' | keyof typeof PRICE_INTERVALS;

/** The mutable fields of an order. */
export interface OrderProgress {
  /** Signed size minus later reductions. */
  readonly shares: number;
  readonly filled: number;
  /** Sum of price times shares of all fills, in the terms of the order's outcome, without fees. */
  readonly amount: number;
  readonly fee: number;
  readonly status: OrderStatus;
  /** Why the order was closed before it was filled. */
  readonly cancelReason: Exclude<CloseReason, 'FILLED'> | undefined;
}

/** An accepted order, open or not. */
export interface OrderRow extends OrderProgress {
  readonly order: number;
  /** The signed digest, or an unsigned order's number as 0x and 64 hex digits. */
  readonly id: string;
  readonly account: number;
  readonly market: number;
  readonly outcome: Outcome;
  readonly side: Side;
  /** Limit in the terms of `outcome`. */
  readonly price: number;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** 0 for none. */
  readonly expiration: EpochMs | 0;
  /** 0 for none. The group may be deleted by now. */
  readonly group: number;
  readonly clientOrderId: string | undefined;
  /** `seq` of the last change. */
  readonly seq: number;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** One side of a trade. */
export interface FillRow {
  /** Twice the `seq`, plus 1 for the taker: unique, ascending in time. */
  readonly id: number;
  /** Number of the trade's event and of the order's FILLED event. */
  readonly seq: number;
  readonly order: number;
  readonly account: number;
  readonly market: number;
  readonly outcome: Outcome;
  readonly side: Side;
  /** In the terms of `outcome`. */
  readonly price: number;
  readonly shares: number;
  /** Price times shares, without the fee. */
  readonly amount: number;
  readonly fee: number;
  readonly role: 'MAKER' | 'TAKER';
  readonly match: (typeof MATCH_TYPES)[number];
  readonly at: EpochMs;
}

/** A trade, described by the taker's fill. */
export type TradeRow = FillRow;

/** One movement of cash. The movements of an account sum to its available and reserved cash. */
export interface LedgerRow {
  /** Four times the `seq`, plus 0 … 3: unique, ascending in time. */
  readonly id: number;
  readonly account: number;
  readonly kind: LedgerKind;
  /** Positive if received. */
  readonly amount: number;
  /** Undefined for a movement outside of markets. */
  readonly market: number | undefined;
  /** Undefined for a movement without an order. */
  readonly order: number | undefined;
  /** A `FillRow.id`; undefined for a movement without a fill. */
  readonly fill: number | undefined;
  readonly at: EpochMs;
}

/** Quotes and best prices of a market after a change, or at the end of a bucket. */
export interface PricePointRow {
  /** Time of the change, or start of the bucket. */
  readonly at: EpochMs;
  readonly yes: number;
  readonly no: number;
  /** YES bps, like the next two members; undefined for none. */
  readonly bestBid: number | undefined;
  readonly bestAsk: number | undefined;
  readonly lastTrade: number | undefined;
  /** Micro-USD traded with the change, or within the bucket. */
  readonly volume: number;
}

/** An event of an account's stream, with the state of the order after it. */
export interface OrderEventRow extends OrderProgress {
  readonly seq: number;
  /** Number of the account's previous event; 0 for none. */
  readonly prevSeq: number;
  readonly account: number;
  readonly market: number;
  readonly order: number;
  readonly kind: OrderEventKind;
  /** For FILLED, a `FillRow.id`. */
  readonly fill: number | undefined;
  readonly at: EpochMs;
}

/** Last changes of an account's YES and NO positions: of their shares, reserves, payouts or claims. */
export interface HoldingRow {
  readonly account: number;
  readonly market: number;
  /** Number of the event that last changed the YES position; 0 for none. */
  readonly yesSeq: number;
  readonly yesAt: EpochMs;
  readonly noSeq: number;
  readonly noAt: EpochMs;
}

export interface AccountRow {
  readonly account: number;
  readonly address: string;
  readonly unlimited: boolean;
  readonly openedAt: EpochMs;
  readonly orders: number;
  readonly fills: number;
  readonly entries: number;
  /** Last order event: twice the `seq`, plus 1 for a taker; 0 for none. */
  readonly lastEvent: number;
}

export interface MarketRow {
  readonly market: number;
  readonly id: string;
  readonly slug: string;
  readonly question: string;
  readonly status: MarketStatus;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly volume: number;
  readonly statistics: Readonly<MarketStatistics>;
}

export type TransferKind = Extract<LedgerKind, 'DEPOSIT' | 'WITHDRAWAL' | 'REFUND' | 'REBATE' | 'ADJUSTMENT'>;

/**
 * Returns the kind of a transfer, which the command does not contain. Called once, when the command is applied, not
 * when it is replayed. An implementation may look up the kind by the identity of the command object.
 */
export type ClassifyTransfer = (transfer: Transfer) => TransferKind;

/** Returns DEPOSIT for incoming cash, WITHDRAWAL for outgoing cash. */
export const transferKindBySign = ({ amount }: Pick<Transfer, 'amount'>): TransferKind =>
  amount > 0 ? 'DEPOSIT' : 'WITHDRAWAL';
