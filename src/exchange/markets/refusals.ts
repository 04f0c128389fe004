/**
 * Refusals of market commands (docs/spec/venue.md#refusals): the first failed check in the order of `REJECT_REASONS`.
 */
import { REJECT_REASONS } from '../../domain/index.ts';
import type { LimitUnit, Refusal } from '../refusal.ts';
import { isLast, type LifeState } from './life-state.ts';
import { needsOpen, type Trigger, transitionsFrom } from './transitions.ts';

/** Returns the first refusal by its reason in `REJECT_REASONS`, then in the given order. */
export function firstRefusal(refusals: readonly (Refusal | undefined)[]): Refusal | undefined {
  let first: Refusal | undefined;
  for (const refusal of refusals) {
    if (refusal !== undefined && (first === undefined || rankOf(refusal) < rankOf(first))) first = refusal;
  }
  return first;
}

/**
 * Returns why a state refuses a command, by the transition table: MARKET_NOT_OPEN if it requires OPEN, ALREADY_FINAL if the
 * state is final, otherwise CONFLICT.
 */
export function stateRefusal(state: LifeState, trigger: Trigger): Refusal | undefined {
  if (transitionsFrom(state, trigger).length > 0) return undefined;
  if (needsOpen(trigger)) return { reason: 'MARKET_NOT_OPEN', field: 'marketId' };
  return { reason: isLast(state) ? 'ALREADY_FINAL' : 'CONFLICT', field: 'marketId' };
}

/** Refuses a number that is not an integer from `min` to `max`. */
export function outOfRange(
  field: string,
  value: number,
  { min, max, unit }: { readonly min: number; readonly max: number; readonly unit: LimitUnit },
): Refusal | undefined {
  if (!Number.isSafeInteger(value)) return { reason: 'INVALID_ORDER', field };
  if (value < min) return { reason: 'BELOW_MIN', field, limit: min, value, unit };
  if (value > max) return { reason: 'ABOVE_MAX', field, limit: max, value, unit };
  return undefined;
}

function rankOf(refusal: Refusal): number {
  return REJECT_REASONS.indexOf(refusal.reason);
}
