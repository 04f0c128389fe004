/** Rows of a bot's file as its reader returns them. */
import type { RiskSnapshot } from '../../risk/index.ts';
import type { RecoveryReport } from '../../runtime/index.ts';
import type { OrderStatus } from './order-rows.ts';

/** Amounts are micro-shares and micro-USD, prices bps in the terms of `outcome`, moments ms since 1970. */
export interface OrderRow {
  readonly order: number;
  readonly bot: number;
  readonly market: number;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly shares: number;
  readonly filled: number;
  readonly remaining: number;
  readonly force: string;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly sentAt: number;
  readonly updatedAt: number;
  /** By which the venue knows it; null where it was not signed, or that was forgotten. */
  readonly hash: string | null;
}

export interface FillRow {
  /** 0 for an order that was not sent here. */
  readonly order: number;
  readonly seq: number;
  readonly market: number;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly price: number;
  readonly shares: number;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  readonly tag: string;
  readonly at: number;
  readonly venueAt: number;
  /** The venue's id of the trade; null where it was stored by an earlier version. */
  readonly trade: string | null;
}

export interface PositionRow {
  readonly market: number;
  readonly id: string;
  readonly slug: string;
  readonly yes: number;
  readonly no: number;
  readonly yesCost: number;
  readonly noCost: number;
  readonly realized: number;
  readonly netCash: number;
  readonly fees: number;
  readonly updatedAt: number;
}

export interface BalanceRow {
  readonly cash: number;
  readonly contributed: number;
  /** Fills of orders that were not sent here. */
  readonly external: number;
  /** Events that contradicted the holdings. */
  readonly unexplained: number;
  readonly updatedAt: number;
}

/** A correction by the venue's word: cash, or the holdings of one market from then on. */
export interface AdjustmentRow {
  readonly seq: number;
  readonly at: number;
  readonly market: number | null;
  readonly cash: number | null;
  readonly yes: number | null;
  readonly no: number | null;
  readonly yesCost: number | null;
  readonly noCost: number | null;
  /** The venue's id of the fill, or of the payment to makers, in a market that is not in the run; else null. */
  readonly trade: string | null;
}

/** Cash that moved in a market without a fill. */
export interface PaymentRow {
  readonly seq: number;
  readonly at: number;
  readonly cause: 'split' | 'merge' | 'claim' | 'rebate' | 'reward';
  readonly market: number;
  /** When the day began on which a rebate or reward was earned; else null. */
  readonly day: number | null;
  readonly cash: number;
}

/** What moved cash on one UTC day, by when the bot learned of it, oldest first. */
export interface DayRows {
  readonly fills: readonly FillRow[];
  readonly reversals: readonly ReversalRow[];
  /** Without those of holdings. */
  readonly adjustments: readonly AdjustmentRow[];
  readonly payments: readonly PaymentRow[];
  /** Fills whose rows were removed: their number, cash without fees, and fees. */
  readonly removed: { readonly fills: number; readonly cash: number; readonly fees: number };
  /** Cash that rows from the end of the day on moved, and that all rows of the file moved. */
  readonly movedSince: number;
  readonly movedInAll: number;
  /** When the day of the oldest row began; null without rows. */
  readonly firstDay: number | null;
}

/** A fill that the venue took back. */
export interface ReversalRow
  extends Pick<FillRow, 'seq' | 'at' | 'order' | 'market' | 'outcome' | 'side' | 'price' | 'shares' | 'fee'> {
  readonly trade: string;
}

export interface BotRecord {
  readonly name: string;
  readonly lastSeq: number;
  readonly cursor: number;
  readonly epoch: number;
  /** Undefined before the first step. */
  readonly risk: RiskSnapshot | undefined;
  /** Time of the last step or snapshot; null before the first. */
  readonly lastAt: number | null;
  /** Report of the last start or recovery; null before the first. */
  readonly recovery: RecoveryReport | null;
}

export interface MarketRow {
  readonly market: number;
  readonly id: string;
  readonly slug: string;
}
