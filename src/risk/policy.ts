import type { Approved, InstanceNo, Intent, MarketNo, Refused, RiskCode } from '../domain/index.ts';
import type { AccountView, MarketView } from '../state/index.ts';
import type { RiskLimits } from './limits.ts';
import type { LossSnapshot } from './loss-watch.ts';

/**
 * ACTIVE allows all orders, REDUCING only orders that reduce |YES - NO|. PAUSED and KILLED allow no orders and cancel
 * all orders. A loss, `kill` or a fatal strategy failure sets KILLED. `pause` or a completed `flatten` sets PAUSED.
 */
export type RiskMode = 'ACTIVE' | 'REDUCING' | 'PAUSED' | 'KILLED';

/**
 * The result of checking one intent. Each quote of a set is approved or refused separately, so a full position stops
 * only one side. An approved set can be empty, which cancels all quotes. Other intents are approved or refused as a
 * whole. While REDUCING, an order is cut to the remaining position, and the rest is reported as refused.
 */
export interface Verdict {
  readonly approved: Approved | undefined;
  readonly refused: readonly Refused[];
}

/** State of the gate that survives a restart. */
export interface RiskSnapshot {
  readonly mode: RiskMode;
  /** Reason for the mode, for people; null for ACTIVE, or without a reason. */
  readonly reason: string | null;
  readonly losses: LossSnapshot;
}

/**
 * Checks every intent before execution. Never throws. Before the next check, the caller sends approved intents and adds
 * them to the view.
 */
export interface RiskGate {
  readonly limits: Pick<RiskLimits, 'maxOrder' | 'priceCollarBps'>;
  readonly mode: RiskMode;
  /** Reason for the mode: a breach or an operator's reason. */
  readonly reason: string | undefined;
  check(intent: Intent, instance: InstanceNo, view: AccountView): Verdict;
  /** Returns the refusal of a market whose fee is too high; undefined for an accepted fee. */
  feeRefusal(market: MarketView): Refused | undefined;
  /**
   * Checks the loss limits. Call this after each message or event that can change the losses.
   * @returns the refusal of the breach that sets the mode to KILLED; undefined otherwise
   */
  checkLosses(view: AccountView): Refused | undefined;
  /**
   * Sets the mode. Only ACTIVE (`resume`) replaces KILLED; only ACTIVE or KILLED replaces PAUSED. `resume`
   * after KILLED accepts the past losses and restarts the loss limits.
   */
  setMode(mode: RiskMode, reason?: string): void;
  /**
   * Call this when a market's holdings changed without an approval: by a fill of an order that this bot did not send,
   * or by the venue's adjustment. All other changes only reduce the account's commitments.
   */
  onHoldingsChanged(market: MarketNo): void;
  snapshot(): RiskSnapshot;
}

/** Returns a refusal that compares two numbers, in the unit of the code. */
export function refusal(market: MarketNo, code: RiskCode, limit: number, actual: number): Refused {
  return { ok: false, market, code, limit, actual };
}

/** Returns the refusal of a condition that is not met. It compares no amounts: the limit is 1 and the value 0. */
export function conditionRefusal(market: MarketNo, code: RiskCode): Refused {
  return refusal(market, code, 1, 0);
}
