import type { Approved, BotNo, Intent, Refused } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';

/** ACTIVE may do all, REDUCING only what shrinks |YES - NO|, KILLED nothing: everything is cancelled. */
export type RiskMode = 'ACTIVE' | 'REDUCING' | 'KILLED';

/**
 * Risk's answer to one intent. Of a quote set the lines that pass are approved and the others refused, so that a full
 * position stops one side only; an approved set may be empty, which withdraws. Any other intent passes or not. While
 * REDUCING, what is larger than the rest of the position is cut down to it and the cut told as refused beside it.
 */
export interface Verdict {
  readonly approved: Approved | undefined;
  readonly refused: readonly Refused[];
}

/**
 * The gate before execution. Asked for every intent; total: never throws on any intent. What it approves has to be carried
 * out, and be in the view, before it is asked again.
 */
export interface RiskGate {
  readonly mode: RiskMode;
  check(intent: Intent, bot: BotNo, view: AccountView): Verdict;
  /**
   * Looks at losses, after each message or event that can have changed them. Answers the breach that has just
   * turned the mode to KILLED, once; undefined otherwise.
   */
  watch(view: AccountView): Refused | undefined;
  /**
   * An operator's word. KILLED is left by `resume`, which is ACTIVE, only; losses up to then count as accepted, and the
   * loss limits begin anew.
   */
  turn(mode: RiskMode): void;
}
