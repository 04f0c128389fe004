/** Conversion between values of the domain and codes of a book. */
import type { RejectReason, TimeInForce } from '../../../src/domain/index.ts';
import { FORCE } from '../../../src/exchange/index.ts';

const REASONS: readonly (RejectReason | undefined)[] = [
  undefined,
  'NOT_FOUND',
  'CONFLICT',
  'INVALID_ORDER',
  'INVALID_TICK',
  'INVALID_LOT',
  'ABOVE_MAX',
  'POST_ONLY_WOULD_CROSS',
  'FOK_NOT_FILLABLE',
];

/** The reason for a result code; undefined for `done`. */
export function rejectReason(code: number): RejectReason | undefined {
  return REASONS[code];
}

/** The code of a time in force; undefined for GTD, and for post-only without GTC. */
export function forceOf(timeInForce: TimeInForce, postOnly: boolean): number | undefined {
  if (timeInForce === 'GTC') return postOnly ? FORCE.postOnly : FORCE.gtc;
  if (postOnly || timeInForce === 'GTD') return undefined;
  return timeInForce === 'FAK' ? FORCE.fak : FORCE.fok;
}
