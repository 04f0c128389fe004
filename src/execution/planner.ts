import type { Approved, BotNo, MarketNo, OrderCommand, OrderNo, Refused } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';

/** What is to be sent for one approved intent. */
export interface Plan {
  /** In the order in which they have to go: cancels, reduces, then what adds. */
  readonly commands: readonly OrderCommand[];
  /**
   * True when a part has to wait for the answer to what is in flight: the same wish is to be checked and planned again
   * after the next event about this bot's orders in this market. Whether or not it is, the latest wish is to be planned
   * again when a venue refuses a cancel: then a replace was stopped, and what it was to move still stands.
   */
  readonly deferred: boolean;
  /**
   * Parts that cannot be carried out now though risk approved them: a leg below the venue's minimum (`BELOW_MIN`,
   * micro-shares), or cash that ran out (`INSUFFICIENT_BALANCE`, micro-USD).
   */
  readonly dropped: readonly Refused[];
}

/**
 * Approved intents + open orders -> the smallest set of commands. Pure but for the order numbers it draws.
 *
 * Whatever fills, is refused or crosses on the wire: a side of a bot never holds more than the larger of what stood and
 * what was approved, own bids stay below own asks, and an order has one request in flight at most. Commands have to be
 * in the view before the next plan is made.
 */
export interface Planner {
  plan(intent: Approved, bot: BotNo, view: AccountView): Plan;
  /**
   * Merges pairs that lie idle above the merge threshold, all of them; empty without a threshold. To be asked after
   * fills, and not while a conversion of this market is in flight.
   */
  sweep(bot: BotNo, market: MarketNo, view: AccountView): readonly OrderCommand[];
  /** The number the next order will get; kept in snapshots. */
  readonly nextOrder: OrderNo;
}
