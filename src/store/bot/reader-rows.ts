/** Rows of a bot's file as its reader returns them. */
import type { RiskSnapshot } from '../../risk/index.ts';
import type { RecoveryReport } from '../../runtime/index.ts';
import type { OrderStatus } from './order-rows.ts';

/** Amounts are in micro-shares and micro-USD, prices in bps in the terms of `outcome`, times in epoch ms. */
export interface OrderRow extends Pick<FillRow, 'order' | 'market' | 'outcome' | 'side' | 'price' | 'shares'> {
  readonly bot: number;
  readonly filled: number;
  readonly remaining: number;
  readonly force: string;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly sentAt: number;
  readonly updatedAt: number;
  /** The venue's hash; null if the order was not signed, or its signed row was removed. */
  readonly hash: string | null;
}

export interface FillRow {
  /** Number of the order; 0 if this bot did not send the order. */
  readonly order: number;
  readonly seq: number;
  readonly market: number;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly shares: number;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  /** A `FillBasis`, in the column `tag`. */
  readonly basis: string;
  readonly at: number;
  readonly venueAt: number;
  /** The venue's id of the trade; null in rows of earlier versions. */
  readonly trade: string | null;
}

export interface PositionRow extends MarketRow, PositionNumbers {}

type PositionNumbers = {
  readonly [Name in 'yes' | 'no' | 'yesCost' | 'noCost' | 'realized' | 'netCash' | 'fees' | 'updatedAt']: number;
};

export interface BalanceRow {
  readonly cash: number;
  readonly contributed: number;
  /** Number of fills of orders that this bot did not send. */
  readonly external: number;
  /** Number of events that contradicted the holdings. */
  readonly unexplained: number;
  readonly updatedAt: number;
}

/** A venue's correction of cash or of the holdings of a market. */
export interface AdjustmentRow {
  readonly seq: number;
  readonly at: number;
  readonly market: number | null;
  readonly cash: number | null;
  readonly yes: number | null;
  readonly no: number | null;
  readonly yesCost: number | null;
  readonly noCost: number | null;
  /** The venue's id of a fill or payment in a market outside the run; null for other corrections. */
  readonly trade: string | null;
}

/** Cash that moved in a market without a fill. */
export interface PaymentRow {
  readonly seq: number;
  readonly at: number;
  readonly cause: 'split' | 'merge' | 'claim' | 'rebate' | 'reward';
  readonly market: number;
  /** Start of the day on which a rebate or reward was earned; null for other causes. */
  readonly day: number | null;
  readonly cash: number;
}

/** Rows that moved cash on a UTC day (bot's receive time), the oldest first. */
export interface DayRows {
  readonly fills: readonly FillRow[];
  readonly reversals: readonly ReversalRow[];
  /** Only adjustments of cash. */
  readonly adjustments: readonly AdjustmentRow[];
  readonly payments: readonly PaymentRow[];
  /** Count, cash before fees, and fees of the fills whose rows were removed. */
  readonly removed: { readonly fills: number; readonly cash: number; readonly fees: number };
  /** `movedSince`: cash moved after the end of the day. `movedInTotal`: cash moved by all rows of the file. */
  readonly movedSince: number;
  readonly movedInTotal: number;
  /** Start of the day of the oldest row; null without rows. */
  readonly firstDay: number | null;
}

export interface ReversalRow
  extends Pick<FillRow, 'seq' | 'at' | 'order' | 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'fee'> {
  readonly trade: string;
}

/** A bot and its progress. `cursor` is the stored position in the venue's stream. `OrderRecords` describes `epoch`. */
export interface BotProgress {
  readonly name: string;
  readonly lastSeq: number;
  readonly cursor: number;
  readonly epoch: number;
  /** Undefined before the first step. */
  readonly risk: RiskSnapshot | undefined;
  /** Time of the last step or snapshot; null before the first one. */
  readonly lastAt: number | null;
  /** Report of the last start or recovery; null before the first one. */
  readonly recovery: RecoveryReport | null;
}

export interface MarketRow {
  readonly market: number;
  readonly id: string;
  readonly slug: string;
}
