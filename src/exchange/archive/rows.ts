/** Rows of the read models: what happened. Money in micro-USD, sizes in micro-shares, prices in bps, times in ms. */
import type { CloseReason, EpochMs, MarketStatus, Outcome, Side, TimeInForce } from '../../domain/index.ts';
import type { Transfer } from '../command.ts';
import type { MATCH_TYPES } from '../matching/codes.ts';
import type { MarketFigures } from './market-figures.ts';

/** State of an accepted order; the first two are open. */
export const ORDER_STATUSES = ['LIVE', 'PARTIALLY_FILLED', 'FILLED', 'CANCELLED', 'EXPIRED'] as const;
/** A name of `ORDER_STATUSES`. */
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Why cash moved. */
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
/** A name of `LEDGER_KINDS`. */
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Kinds of order events in an account's stream. */
export const ORDER_EVENT_KINDS = ['ACCEPTED', 'FILLED', 'CANCELLED', 'EXPIRED', 'REDUCED', 'REVERSED'] as const;
/** A name of `ORDER_EVENT_KINDS`. */
export type OrderEventKind = (typeof ORDER_EVENT_KINDS)[number];

/** Lengths of price buckets, ms; RAW has a point for each change. */
export const PRICE_INTERVALS = {
  ONE_MINUTE: 60_000,
  FIVE_MINUTES: 300_000,
  ONE_HOUR: 3_600_000,
  SIX_HOURS: 21_600_000,
  ONE_DAY: 86_400_000,
} as const;
/** Periods of the price history. */
export type PriceInterval = 'RAW' | keyof typeof PRICE_INTERVALS;

/** Fields of an order that change. */
export interface OrderProgress {
  /** Signed size less later reductions. */
  readonly shares: number;
  readonly filled: number;
  /** Price times shares of its fills, in the terms of its outcome, without fees: over `filled` it is the average price. */
  readonly amount: number;
  /** Paid so far. */
  readonly fee: number;
  readonly status: OrderStatus;
  /** Why it ended before it was filled. */
  readonly cancelReason: Exclude<CloseReason, 'FILLED'> | undefined;
}

/** An accepted order, open or not. With the exchange's view (`queueAhead`, groups that live) it answers the wire's `Order`. */
export interface OrderRow extends OrderProgress {
  /** The engine's number. */
  readonly order: number;
  /** The signed digest; where nothing was signed, the number as 0x and 64 hex digits. */
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
  /** 0 for none. A group that was deleted since has no orders any more. */
  readonly group: number;
  readonly clientOrderId: string | undefined;
  /** Number of its last change. */
  readonly seq: number;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** One side of a trade, as its owner sees it. */
export interface FillRow {
  /** Twice the `seq`, one more for the taker: unique, ascending in time. */
  readonly id: number;
  /** Of the trade, and of its FILLED event. */
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

/** An execution from the taker's side: its fill. */
export type TradeRow = FillRow;

/** One movement of cash. Over an account they sum to available and reserved cash. */
export interface LedgerRow {
  /** Four times the `seq` and up to 3: unique, ascending in time. */
  readonly id: number;
  readonly account: number;
  readonly kind: LedgerKind;
  /** Positive came in. */
  readonly amount: number;
  /** Undefined where it belongs to none, likewise below. */
  readonly market: number | undefined;
  readonly order: number | undefined;
  /** A `FillRow.id`. */
  readonly fill: number | undefined;
  readonly at: EpochMs;
}

/** Quotes and top of the book of a market after a change, or at the end of a bucket. */
export interface PricePointRow {
  /** The change's time, or the begin of the bucket. */
  readonly at: EpochMs;
  readonly yes: number;
  readonly no: number;
  /** In YES terms; undefined for none, likewise below. */
  readonly bestBid: number | undefined;
  readonly bestAsk: number | undefined;
  readonly lastTrade: number | undefined;
  /** Traded with the change, or within the bucket. */
  readonly volume: number;
}

/** An event of an account's ordered stream, with the order as it was after it. */
export interface OrderEventRow extends OrderProgress {
  readonly seq: number;
  /** Number of the account's event before it; 0 for none. */
  readonly prevSeq: number;
  readonly account: number;
  readonly market: number;
  readonly order: number;
  readonly kind: OrderEventKind;
  /** Of FILLED, a `FillRow.id`. */
  readonly fill: number | undefined;
  readonly at: EpochMs;
}

/** When the positions of an account in a market changed last: shares, shares held by SELL orders, payout, claim. */
export interface HoldingRow {
  readonly account: number;
  readonly market: number;
  /** Number of the event; 0 for never. */
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
  /** Where its stream of order events ends: twice the `seq`, one more for a taker's; 0 for an empty one. */
  readonly lastEvent: number;
}

/** Figures of a market, with its names for reports. */
export interface MarketRow {
  readonly market: number;
  readonly id: string;
  readonly slug: string;
  readonly question: string;
  readonly status: MarketStatus;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly volume: number;
  readonly figures: Readonly<MarketFigures>;
}

export type TransferKind = Extract<LedgerKind, 'DEPOSIT' | 'WITHDRAWAL' | 'REFUND' | 'REBATE' | 'ADJUSTMENT'>;

/**
 * Names the purpose of a transfer, which the command does not contain: a port, called once, when the command is
 * applied; never when it is replayed. A sender of transfers other than deposits and withdrawals remembers the command
 * objects.
 */
export type NameTransfer = (transfer: Transfer) => TransferKind;

/** Incoming cash is a deposit, outgoing cash a withdrawal. */
export const bySign = ({ amount }: Pick<Transfer, 'amount'>): TransferKind => (amount > 0 ? 'DEPOSIT' : 'WITHDRAWAL');
