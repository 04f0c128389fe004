/**
 * The transition table of markets (docs/spec/venue.md#market-states). All other transitions are refused.
 *
 * Invariants: a state has at most one row for `due`. No row starts from a final state. A row that leaves OPEN cancels
 * all orders. A row that enters CANCELLED refunds the holders.
 */
import type { MarketCommand } from '../market-command.ts';
import { DEPLOY, type LifecycleState, REPORT_PAYOUT } from './lifecycle-state.ts';

/** Trigger of a transition: a command, or the deadline of a state. */
export type Trigger = MarketCommand['type'] | 'due';
/** RESERVED and ENTERS concern the initial order. The other values are the reason why all orders are cancelled. */
type OrdersEffect = '-' | 'RESERVED' | 'ENTERS' | 'MARKET_NOT_OPEN' | 'MARKET_HALTED' | 'TICK_CHANGED';
type PositionsEffect = '-' | 'REFUND' | 'PAYOUT';
/** The kind of `data` in the transparency record's step; `-` for no step. */
export type StepData = '-' | 'nothing' | 'vote' | 'outcome' | 'resolutionDate' | 'reason';

export interface Transition {
  /** Undefined before the market's creation. */
  readonly from: LifecycleState | undefined;
  readonly trigger: Trigger;
  readonly to: LifecycleState;
  /** Another condition, in words; empty for none. */
  readonly when: string;
  /** The actor in the record. `TransitionDetails.actor` replaces `model` and `mover`. */
  readonly actor: string;
  /** The default note in the record. */
  readonly note: string;
  readonly orders: OrdersEffect;
  readonly positions: PositionsEffect;
  readonly data: StepData;
}

const OPEN = 'OPEN';
const PENDING = 'PENDING_RESOLUTION';
const RESOLVED = 'RESOLVED';
const UNCERTAIN = 'RESOLVED_UNCERTAIN';
const FAILED = 'RESOLUTION_FAILED';
const CANCELLED = 'CANCELLED';
const NOT_OPEN = 'MARKET_NOT_OPEN';

type Row = readonly [
  from: LifecycleState | undefined,
  trigger: Trigger,
  to: LifecycleState,
  when: string,
  actor: string,
  note: string,
  orders: OrdersEffect,
  positions: PositionsEffect,
  data: StepData,
];

const ROWS: readonly Row[] = [
  [undefined, 'createMarket', DEPLOY, 'the input is valid', 'creator', 'created', 'RESERVED', '-', 'nothing'],
  [DEPLOY, 'chainConfirmed', OPEN, '', 'chain', 'deployed', 'ENTERS', '-', 'nothing'],
  [DEPLOY, 'chainFailed', DEPLOY, 'not permanent', 'chain', 'requested again', '-', '-', '-'],
  [DEPLOY, 'chainFailed', CANCELLED, 'permanent', 'chain', 'deployment failed', NOT_OPEN, 'REFUND', 'nothing'],
  [DEPLOY, 'due', CANCELLED, 'chainTimeout', 'clock', 'deployment timed out', NOT_OPEN, 'REFUND', 'nothing'],

  [OPEN, 'due', PENDING, 'resolutionDate', 'clock', 'resolution date reached', NOT_OPEN, '-', 'nothing'],
  [OPEN, 'closeEarly', PENDING, '', 'resolver', 'closed early', NOT_OPEN, '-', 'nothing'],
  [OPEN, 'voidMarket', CANCELLED, '', 'operator', 'voided', NOT_OPEN, 'REFUND', 'nothing'],
  [OPEN, 'voidByCreator', CANCELLED, 'no trade yet', 'creator', 'voided', NOT_OPEN, 'REFUND', 'nothing'],
  [OPEN, 'moveDate', OPEN, 'to the future', 'mover', 'resolution date moved', '-', '-', 'resolutionDate'],
  [OPEN, 'halt', OPEN, 'not halted', 'operator', 'halted', 'MARKET_HALTED', '-', '-'],
  [OPEN, 'resume', OPEN, 'halted', 'operator', 'resumed', '-', '-', '-'],
  [OPEN, 'changeTick', OPEN, 'another tick', 'operator', 'tick changed', 'TICK_CHANGED', '-', '-'],
  [OPEN, 'changeMinOrder', OPEN, 'another minimum', 'operator', 'smallest order changed', '-', '-', '-'],

  [PENDING, 'castVote', PENDING, 'first of its model in the round', 'model', 'vote', '-', '-', 'vote'],
  [PENDING, 'castVote', RESOLVED, 'quorum of YES, NO or undecidable', 'panel', 'quorum reached', '-', '-', 'outcome'],
  [PENDING, 'castVote', CANCELLED, 'quorum of CANCELLED', 'panel', 'question invalid', '-', 'REFUND', 'outcome'],
  [PENDING, 'moveDate', OPEN, 'to the future', 'mover', 'too early to decide', '-', '-', 'resolutionDate'],
  [PENDING, 'due', FAILED, 'quorumTimeout', 'clock', 'no quorum in time', '-', '-', 'nothing'],
  [PENDING, 'voidMarket', CANCELLED, '', 'operator', 'voided', '-', 'REFUND', 'nothing'],

  [RESOLVED, 'dispute', RESOLVED, 'by a holder, once a decision', 'holder', 'disputed', '-', '-', 'reason'],
  [RESOLVED, 'upholdDispute', PENDING, 'the decision is disputed', 'operator', 'dispute upheld', '-', '-', 'nothing'],
  [RESOLVED, 'due', REPORT_PAYOUT, 'disputeWindow', 'clock', 'dispute window over', '-', '-', 'nothing'],

  [REPORT_PAYOUT, 'chainConfirmed', 'RESOLVED_YES', 'YES pays', 'chain', 'payout reported', '-', 'PAYOUT', 'outcome'],
  [REPORT_PAYOUT, 'chainConfirmed', 'RESOLVED_NO', 'NO pays', 'chain', 'payout reported', '-', 'PAYOUT', 'outcome'],
  [REPORT_PAYOUT, 'chainConfirmed', UNCERTAIN, 'both pay half', 'chain', 'payout reported', '-', 'PAYOUT', 'outcome'],
  [REPORT_PAYOUT, 'chainFailed', REPORT_PAYOUT, 'not permanent', 'chain', 'requested again', '-', '-', '-'],
  [REPORT_PAYOUT, 'chainFailed', FAILED, 'permanent', 'chain', 'payout failed', '-', '-', 'nothing'],
  [REPORT_PAYOUT, 'due', FAILED, 'chainTimeout', 'clock', 'payout timed out', '-', '-', 'nothing'],

  [FAILED, 'retryResolution', PENDING, '', 'operator', 'tried again', '-', '-', 'nothing'],
  [FAILED, 'decideManually', RESOLVED, 'safetyPeriod over', 'operator', 'decided by hand', '-', '-', 'outcome'],
  [FAILED, 'voidMarket', CANCELLED, '', 'operator', 'given up', '-', 'REFUND', 'nothing'],
];

export const TRANSITIONS: readonly Transition[] = ROWS.map((row) => {
  const [from, trigger, to, when, actor, note, orders, positions, data] = row;
  return { from, trigger, to, when, actor, note, orders, positions, data };
});

/** Returns the rows of a trigger in a state. The list is empty if the trigger is not allowed. */
export function transitionsFrom(from: LifecycleState | undefined, trigger: Trigger): readonly Transition[] {
  return TRANSITIONS.filter((row) => row.from === from && row.trigger === trigger);
}

/** @throws RangeError if the trigger cannot lead from one state to the other */
export function transition(from: LifecycleState | undefined, trigger: Trigger, to: LifecycleState): Transition {
  const row = TRANSITIONS.find((each) => each.from === from && each.trigger === trigger && each.to === to);
  if (row === undefined) throw new RangeError(`Invariant: ${trigger} cannot lead from ${from ?? 'nothing'} to ${to}`);
  return row;
}

export function requiresOpen(trigger: Trigger): boolean {
  const rows = TRANSITIONS.filter((row) => row.trigger === trigger);
  return rows.length > 0 && rows.every((row) => row.from === OPEN);
}
