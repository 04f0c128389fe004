/** Why the exchange refuses something, with the numbers compared (docs/api/types.md#rejection). */
import { REJECT_REASONS, type RejectReason } from '../domain/index.ts';

/** Units of the numbers in a refusal. */
export const LIMIT_UNITS = ['BPS', 'MICRO_USD', 'MICRO_SHARES', 'MILLISECONDS', 'COUNT'] as const;
export type LimitUnit = (typeof LIMIT_UNITS)[number];

/** The first failed check, in the order of `REJECT_REASONS`. A refused command changes nothing. */
export interface Refusal {
  readonly reason: RejectReason;
  /** API name of the refused argument. For ABOVE_MAX, sometimes the member of `ExchangeLimits` that was exceeded. */
  readonly field?: string;
  /** The compared numbers, in `unit`. Either all three fields are defined or none is. */
  readonly limit?: number;
  readonly value?: number;
  readonly unit?: LimitUnit;
}

/** Creates a refusal. Omits the compared numbers unless both are safe integers, because clients may send any number. */
export function refused(
  reason: RejectReason,
  field?: string,
  limit?: number,
  value?: number,
  unit?: LimitUnit,
): Refusal {
  if (field === undefined) return { reason };
  const isComparison = unit !== undefined && isWhole(limit) && isWhole(value);
  // `+ 0` turns -0 into 0.
  return isComparison ? { reason, field, limit: limit + 0, value: value + 0, unit } : { reason, field };
}

function isWhole(value: number | undefined): value is number {
  return Number.isSafeInteger(value);
}

/** Returns the first refusal by its reason in `REJECT_REASONS`, then in the given order. */
export function firstRefusal(refusals: readonly (Refusal | undefined)[]): Refusal | undefined {
  let first: Refusal | undefined;
  for (const refusal of refusals) {
    if (refusal !== undefined && (first === undefined || rank(refusal) < rank(first))) first = refusal;
  }
  return first;
}

/** Refuses a number that is not an integer from `min` to `max`. */
export function outOfRange(
  field: string,
  value: number,
  { min, max, unit }: { readonly min: number; readonly max: number; readonly unit: LimitUnit },
): Refusal | undefined {
  if (!Number.isSafeInteger(value)) return refused('INVALID_ORDER', field);
  if (value < min) return refused('BELOW_MIN', field, min, value, unit);
  return value > max ? refused('ABOVE_MAX', field, max, value, unit) : undefined;
}

function rank(refusal: Refusal): number {
  return REJECT_REASONS.indexOf(refusal.reason);
}
