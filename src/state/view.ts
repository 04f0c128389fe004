/** Read-only views for strategies, risk and execution, which always show the present state. */
import type { BookView } from '../book/index.ts';
import type {
  DoubleMid,
  EpochMs,
  InstanceNo,
  Link,
  MarketInfo,
  MarketLimits,
  MarketNo,
  MarketState,
  MicroShares,
  MicroUsd,
  OrderNo,
  Outcome,
  PriceBps,
  Side,
  Sign,
  VenueMode,
} from '../domain/index.ts';
import type { PositionView } from '../ledger/index.ts';

export type { PositionView };

/**
 * `new`: sent and not answered. `live`: open at the venue. `reducing`: a reduce is in flight. `cancelling`: a cancel
 * or replace is in flight. `unknown`: no answer came in time, and the bot queries the venue.
 */
export type OrderPhase = 'new' | 'live' | 'reducing' | 'cancelling' | 'unknown';

export interface OpenOrder {
  readonly order: OrderNo;
  readonly bot: InstanceNo;
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  /** Limit in terms of `outcome`. */
  readonly price: PriceBps;
  /** +1 for a bid, -1 for an ask, in YES terms. */
  readonly sign: Sign;
  /** Limit in YES terms. */
  readonly yesPrice: PriceBps;
  readonly remaining: MicroShares;
  readonly phase: OrderPhase;
  /** Time at which the order was decided. */
  readonly since: EpochMs;
  /** False for takers (FOK, FAK), which never rest. */
  readonly rests: boolean;
  /** Tag of the order's quote; undefined for none. */
  readonly tag?: string | undefined;
}

/** The venue's retail prices of one share, which include the venue's spread and need not add up to a dollar. */
export interface RetailPrices {
  readonly yes: PriceBps;
  readonly no: PriceBps;
}

export interface MarketView {
  readonly info: MarketInfo;
  readonly state: MarketState;
  readonly limits: MarketLimits;
  /** Highest accepted taker fee rate, bps. While the market's fee is higher, risk refuses all orders in the market. */
  readonly acceptedFeeBps: number;
  /** The venue's retail prices; undefined before the first, without a subscription, and in simulations. */
  readonly prices: RetailPrices | undefined;
  /** The book without own orders. */
  readonly book: BookView;
  /** Receive time of the last message about the book; undefined before the first message. */
  readonly bookTime: EpochMs | undefined;
  /** Mark (docs/spec/models.md#mark): the open market's last best bid + best ask; undefined before a two-sided book. */
  readonly mark: DoubleMid | undefined;
  readonly position: PositionView;
  /**
   * Returns the micro-shares of an outcome that can be sold or merged: the holding without unsettled purchases and
   * without pairs in unanswered merges. Open SELL orders are not subtracted.
   */
  sellable(outcome: Outcome): MicroShares;
  /** Open orders of all strategies of the account in this market, oldest first. */
  readonly orders: readonly OpenOrder[];
}

/** The last reported state of the venue and of the link to the venue. */
export interface VenueState {
  readonly mode: VenueMode;
  readonly link: Link;
}

/** Identifies a market of the run: its slug, id, number, info or view. */
export type MarketRef = string | MarketNo | MarketInfo | MarketView;

export interface AccountView {
  /** Time of the present event or message. */
  readonly now: EpochMs;
  /** All cash, reserves included. */
  readonly cash: MicroUsd;
  /** Cash that no open order and no unanswered split reserves. */
  readonly available: MicroUsd;
  /** Cash plus holdings at the exit side, for risk limits (docs/spec/models.md#risk-marks). */
  readonly exitEquity: MicroUsd;
  /** The part of `exitEquity` that is not P&L: deposits minus withdrawals, transferred positions. */
  readonly contributed: MicroUsd;
  readonly venue: VenueState;
  /** All markets, ordered by number. */
  readonly markets: readonly MarketView[];
  /** @throws RangeError for a market that is not in this run */
  market(market: MarketRef): MarketView;
}
