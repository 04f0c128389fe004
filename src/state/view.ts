/**
 * One account's world as strategies, risk and execution see it: live, read-only, never copied.
 *
 * A view shows the present at the time of the call; keep numbers, not views, across calls if the past matters.
 */
import type { BookView } from '../book/index.ts';
import type {
  BotNo,
  DoubleMid,
  EpochMs,
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

/** `new`: sent, not answered. `leaving`: a cancel or replace is in flight. `unknown`: being looked up at the venue. */
export type OrderPhase = 'new' | 'live' | 'reducing' | 'leaving' | 'unknown';

export interface OpenOrder {
  readonly order: OrderNo;
  readonly bot: BotNo;
  readonly market: MarketNo;
  readonly outcome: Outcome;
  readonly side: Side;
  /** Limit in the terms of `outcome`. */
  readonly price: PriceBps;
  /** +1 a bid, -1 an ask in YES terms. */
  readonly sign: Sign;
  /** Limit in YES terms. */
  readonly yesPrice: PriceBps;
  readonly remaining: MicroShares;
  readonly phase: OrderPhase;
  readonly since: EpochMs;
  /** False for takers (FOK, FAK), which never rest. */
  readonly rests: boolean;
  /** Of the quote that it was placed for; undefined when it had none. */
  readonly tag?: string | undefined;
}

export interface PositionView {
  readonly yes: MicroShares;
  readonly no: MicroShares;
  /** YES minus NO, micro-shares, signed. */
  readonly net: number;
  /** The same in shares: 12.5 is long 12.5 YES, -3 is long 3 NO. A float, exact to the lot. */
  readonly shares: number;
  /** Total cost of what is held, per outcome. */
  readonly yesCost: MicroUsd;
  readonly noCost: MicroUsd;
  readonly realized: MicroUsd;
  /** Net cash of this market: paid is negative. */
  readonly netCash: MicroUsd;
  readonly fees: MicroUsd;
}

/** The venue's prices for one share, its spread included. They need not add up to a dollar: neither is derived. */
export interface RetailPrices {
  readonly yes: PriceBps;
  readonly no: PriceBps;
}

/** One market as the account sees it now. */
export interface MarketView {
  readonly info: MarketInfo;
  readonly state: MarketState;
  readonly limits: MarketLimits;
  /** The highest taker fee rate accepted here, bps. While the market's fee is higher, risk refuses all orders here. */
  readonly acceptedFeeBps: number;
  /** The venue's retail prices; undefined before the first, if they are not subscribed to, and in simulations. */
  readonly prices: RetailPrices | undefined;
  /** The outside book: own orders are not in it. */
  readonly book: BookView;
  /** When the last message about this market's book was received; undefined before the first. */
  readonly bookTime: EpochMs | undefined;
  /**
   * Best bid + best ask while both stand, else the last such sum; undefined before the first
   * (docs/spec/models.md#mark).
   */
  readonly mark: DoubleMid | undefined;
  readonly position: PositionView;
  /**
   * Micro-shares of an outcome that can be sold or merged now: those held, less pairs on their way into cash and
   * purchases that the venue has not settled. Open orders that sell are not taken off.
   */
  sellable(outcome: Outcome): MicroShares;
  /** Open orders of all strategies of the account in this market, oldest first. */
  readonly orders: readonly OpenOrder[];
}

/** The last reported state of the whole venue and of the link to it. */
export interface VenueState {
  readonly mode: VenueMode;
  readonly link: Link;
}

/** What names a market of the run: its slug or id, its number in an event, or what a view shows of it. */
export type MarketRef = string | MarketNo | MarketInfo | MarketView;

export interface AccountView {
  /** Time of the event or message being handled. */
  readonly now: EpochMs;
  /** All cash, reserves included. */
  readonly cash: MicroUsd;
  /** Cash that no open order holds. */
  readonly available: MicroUsd;
  /** Cash + holdings at the exit side (docs/spec/models.md#risk-marks): what risk compares. */
  readonly exitEquity: MicroUsd;
  /**
   * How much of that came (or went, below 0) by adjustments: deposits, withdrawals, positions moved. No gain, no loss.
   */
  readonly contributed: MicroUsd;
  readonly venue: VenueState;
  /** In the order of their numbers. */
  readonly markets: readonly MarketView[];
  /** By slug, id or the number in an event. @throws RangeError for a market that is not in this run */
  market(market: MarketRef): MarketView;
}
