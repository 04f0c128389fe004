/** Types of a bot's reports. Money in micro-USD, shares in micro-shares, prices in bps, times in epoch ms. */
import type { RateBucketState } from '../../execution/index.ts';
import type { AlertLevel } from '../alerts/alert.ts';
import type { BotStatus, MarketStatusLine } from '../control/bot-port.ts';

/** Profit and loss by cause; the parts sum to the total. */
export interface PnlByCause {
  readonly from: number;
  readonly total: number;
  readonly spread: number;
  readonly inventory: number;
  readonly settlement: number;
  readonly fees: number;
  readonly rewards: number;
  readonly rounding: number;
}

export interface LimitUse {
  /** Key in the configuration, such as `max_position`. */
  readonly name: string;
  /** `account`, a market's slug or an event. */
  readonly scope: string;
  /** In `unit`. */
  readonly used: number;
  /** Null without a limit. */
  readonly limit: number | null;
  readonly unit: 'USD' | 'SHARES' | 'COUNT' | 'MS' | 'BPS';
  readonly atBreach: 'refuse' | 'kill';
}

export interface RecentAlert {
  readonly id: string;
  readonly kind: string;
  readonly level: Uppercase<AlertLevel>;
  readonly text: string;
  /** Time of the last occurrence. */
  readonly time: number;
  /** Number of times that this kind and text was raised since it entered the list. */
  readonly count: number;
}

type StatusLine = Omit<MarketStatusLine, 'id' | 'bidBps' | 'askBps' | 'feeBps' | 'acceptedFeeBps'>;

export interface MarketReportLine extends StatusLine {
  readonly question: string;
  readonly event: string | null;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly doubleMid: number | null;
  readonly ownBid: number | null;
  readonly ownAsk: number | null;
  /** Profit or loss if the market ends YES and all own orders that worsen the result fill. */
  readonly ifYes: number;
  readonly ifNo: number;
  /** The larger loss, at least 0. */
  readonly worst: number;
  /** 0 to 1. */
  readonly twoSided: number | null;
}

export interface BotReport extends Omit<BotStatus, 'markets' | 'recovery' | 'strategies' | 'refused' | 'rejected'> {
  readonly kind: 'LIVE' | 'PAPER' | 'DEMO';
  readonly recovery: string | null;
  readonly strategies: readonly string[];
  readonly refused: readonly NamedCount[];
  readonly rejected: readonly NamedCount[];
  readonly today: PnlByCause;
  readonly worstCase: number;
  readonly twoSided: number | null;
  readonly limits: readonly LimitUse[];
  /** Greatest age of a book on which the bot quotes or takes; null without a limit. */
  readonly maxBookAgeMs: number | null;
  readonly rates: readonly RateBucketState[];
  readonly answerTimes: { readonly count: number; readonly p50Ms: number; readonly p99Ms: number } | null;
  readonly markets: readonly MarketReportLine[];
  readonly alerts: readonly RecentAlert[];
}

/** Value of fills at a later mark, less their cost. */
export interface MarkoutTotal {
  /** `at fill`, or a time such as `5 s`. */
  readonly after: string;
  /** Micro-USD in steps of 0.5, without fees. */
  readonly micros: number;
  /** Micro-shares of the fills that have reached that time. */
  readonly shares: number;
}

export interface MeasuredReport extends BotReport {
  readonly markouts: readonly MarkoutTotal[];
}

export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

export interface TradeReport {
  readonly time: number;
  readonly taker: 'BID' | 'ASK' | null;
  readonly price: number;
  readonly shares: number;
  readonly own: boolean;
}

/** A price at which the strategy wants a quote or own orders rest. Prices are in YES terms. */
export interface QuoteComparison {
  readonly side: 'BID' | 'ASK';
  /** 1 is the level nearest to the mid. */
  readonly level: number;
  readonly wantedPrice: number | null;
  readonly wantedShares: number | null;
  readonly restingPrice: number | null;
  readonly restingShares: number | null;
  /**
   * `same`, `sending`, `replacing`, `cancelling`, `unknown`, `waits`, `filled` (in part), or the code of the limit that
   * refused the quote.
   */
  readonly difference: string;
}
