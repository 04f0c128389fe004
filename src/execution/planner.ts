import type { Approved, BotNo, OrderCommand, OrderNo } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';

/** What is to be sent for one approved intent. */
export interface Plan {
  readonly commands: readonly OrderCommand[];
  /**
   * True when a part has to wait for the answer to what is in flight: the same wish is to be checked and planned again
   * after the next event about this bot's orders in this market.
   */
  readonly deferred: boolean;
}

/** Approved intents + open orders -> the smallest set of commands. Pure but for the order numbers it draws. */
export interface Planner {
  plan(intent: Approved, bot: BotNo, view: AccountView): Plan;
  /** The number the next order will get; kept in snapshots. */
  readonly nextOrder: OrderNo;
}
