/** Makes refusals. */
import type { RejectReason } from '../../domain/index.ts';
import type { LimitUnit, Refusal } from '../refusal.ts';

/**
 * A refusal. `field` is the wire's name of the argument; the numbers compared stand in it when both are safe integers:
 * what a client sent may be none.
 */
export function refused(
  reason: RejectReason,
  field?: string,
  limit?: number,
  value?: number,
  unit?: LimitUnit,
): Refusal {
  if (field === undefined) return { reason };
  const compared = unit !== undefined && isWhole(limit) && isWhole(value);
  return compared ? { reason, field, limit: limit + 0, value: value + 0, unit } : { reason, field };
}

function isWhole(value: number | undefined): value is number {
  return Number.isSafeInteger(value);
}
