import type { Approved, BotNo, Intent, MarketNo, Refused } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { RiskLimits } from './limits.ts';
import type { LossSnapshot } from './loss-watch.ts';

/**
 * ACTIVE allows everything, REDUCING only what shrinks |YES - NO|, PAUSED and KILLED nothing: all orders are cancelled. A
 * loss or an operator kills; only an operator pauses.
 */
export type RiskMode = 'ACTIVE' | 'REDUCING' | 'PAUSED' | 'KILLED';

/**
 * The result of checking one intent. Each quote of a set is approved or refused by itself, so a full position stops one
 * side only. An approved set may be empty, which cancels all. Any other intent is approved or refused as a whole. While
 * REDUCING, an order larger than the remaining position is cut to it, and the cut is reported as refused.
 */
export interface Verdict {
  readonly approved: Approved | undefined;
  readonly refused: readonly Refused[];
}

/** The state of the gate that survives a restart. */
export interface RiskSnapshot {
  readonly mode: RiskMode;
  /** Why the mode was set, for people; null for ACTIVE, or without a reason. */
  readonly reason: string | null;
  readonly losses: LossSnapshot;
}

/**
 * Checks every intent before execution. Total: never throws. Approved intents must be sent, and be in the
 * view, before the next check.
 */
export interface RiskGate {
  readonly limits: Pick<RiskLimits, 'maxOrder' | 'priceCollarBps'>;
  readonly mode: RiskMode;
  /** Why the mode was set: the code of a breach or an operator's reason. */
  readonly reason: string | undefined;
  check(intent: Intent, bot: BotNo, view: AccountView): Verdict;
  /** The refusal of a market whose fee is too high; undefined when the fee is accepted. */
  feeRefusal(market: MarketView): Refused | undefined;
  /**
   * Checks the loss limits, after each message or event that can have changed them.
   * @returns the breach that has just set the mode to KILLED, once; undefined otherwise
   */
  checkLosses(view: AccountView): Refused | undefined;
  /**
   * Sets the mode for an operator. Only ACTIVE (`resume`) ends KILLED, and only ACTIVE or KILLED ends PAUSED. `resume` after
   * KILLED accepts the losses so far: the loss limits restart.
   */
  setMode(mode: RiskMode, reason?: string): void;
  /**
   * Holdings of this market changed without an approval: a fill of an order that this bot did not send, or an adjustment by
   * the venue. All other changes only reduce what the account is committed to.
   */
  onHoldingsChanged(market: MarketNo): void;
  snapshot(): RiskSnapshot;
}
