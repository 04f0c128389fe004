import type { Approved, BotNo, Intent, MarketNo, Refused } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { LossSnapshot } from './loss-watch.ts';

/**
 * ACTIVE may do all, REDUCING only what shrinks |YES - NO|, PAUSED and KILLED nothing: everything is cancelled. A loss or
 * an operator kills, an operator alone pauses.
 */
export type RiskMode = 'ACTIVE' | 'REDUCING' | 'PAUSED' | 'KILLED';

/**
 * Risk's answer to one intent. Of a quote set the lines that pass are approved and the others refused, so that a full
 * position stops one side only; an approved set may be empty, which withdraws. Any other intent passes or not. While
 * REDUCING, what is larger than the rest of the position is cut down to it and the cut told as refused beside it.
 */
export interface Verdict {
  readonly approved: Approved | undefined;
  readonly refused: readonly Refused[];
}

/** What of the gate has to survive a restart. */
export interface RiskSnapshot {
  readonly mode: RiskMode;
  /** What turned it to that mode, for people; null for ACTIVE, or where nobody said. */
  readonly reason: string | null;
  readonly losses: LossSnapshot;
}

/**
 * The gate before execution. Asked for every intent; total: never throws on any intent. What it approves has to be carried
 * out, and be in the view, before it is asked again.
 */
export interface RiskGate {
  readonly mode: RiskMode;
  /** What turned it to this mode: a breach's code or an operator's reason. */
  readonly reason: string | undefined;
  check(intent: Intent, bot: BotNo, view: AccountView): Verdict;
  /** Why nothing may be signed for the fee that this market asks; undefined where it may. */
  feeStop(market: MarketView): Refused | undefined;
  /**
   * Looks at losses, after each message or event that can have changed them. Answers the breach that has just
   * turned the mode to KILLED, once; undefined otherwise.
   */
  watch(view: AccountView): Refused | undefined;
  /**
   * An operator's word. KILLED is left by `resume`, which is ACTIVE, only, and PAUSED by that or by KILLED; losses up to then count as accepted, and the
   * loss limits begin anew.
   */
  turn(mode: RiskMode, reason?: string): void;
  /**
   * Holdings of this market changed in a way that no approval foresaw: a fill of an order that was not sent here, the
   * venue's word. Every other change only makes smaller what the account is committed to.
   */
  moved(market: MarketNo): void;
  snapshot(): RiskSnapshot;
}
