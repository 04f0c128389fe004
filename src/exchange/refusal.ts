/** Why the exchange refuses something, with the numbers compared (docs/api/types.md#rejection). */
import type { RejectReason } from '../domain/index.ts';

/** Units of the numbers in a refusal. */
export const LIMIT_UNITS = ['BPS', 'MICRO_USD', 'MICRO_SHARES', 'MILLISECONDS', 'COUNT'] as const;
/** A name of `LIMIT_UNITS`. */
export type LimitUnit = (typeof LIMIT_UNITS)[number];

/** A refusal: the first failed check, in the order of `REJECT_REASONS`. It changes nothing. */
export interface Refusal {
  readonly reason: RejectReason;
  /**
   * The wire's name of the argument it is about; undefined where it is about none. Of an ABOVE_MAX it may be what of the
   * whole exchange is full: a name of `ExchangeLimits`.
   */
  readonly field?: string;
  /** The compared numbers, in `unit`; all three or none. */
  readonly limit?: number;
  readonly value?: number;
  readonly unit?: LimitUnit;
}

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
