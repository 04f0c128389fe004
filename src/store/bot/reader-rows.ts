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
}

/** A fill that the venue took back. */
export interface ReversalRow {
  readonly seq: number;
  readonly at: number;
  readonly order: number;
  readonly market: number;
  readonly trade: string;
  readonly outcome: string;
  readonly side: string;
  readonly price: number;
  readonly shares: number;
  readonly fee: number;
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
