/** What a market of an account begins with, and what it is at one moment. */
import type { MarketInfo, MarketLimits, MarketState } from '../domain/index.ts';

export interface MarketSetup {
  readonly info: MarketInfo;
  readonly limits: MarketLimits;
  /** Before the first status row. Default OPEN, accepting orders, no placing delay. */
  readonly state?: MarketState;
  /** Where marks and exit prices come from; `trades` for a tape without a book: the last trade. Default `book`. */
  readonly marks?: 'book' | 'trades';
}

/** A market at one moment, but for its book, which is read anew, and its holdings, which are the ledger's. */
export interface MarketSnapshot extends Required<MarketSetup> {
  /** Double mid in force, -1 before the first. */
  readonly mark: number;
  readonly lastTrade: number;
  /** Where the holdings could be sold and bought last, bps. */
  readonly exitBid: number;
  readonly exitAsk: number;
  /** As in `MarketView`; not in snapshots of versions that did not keep it. */
  readonly acceptedFeeBps?: number;
}
