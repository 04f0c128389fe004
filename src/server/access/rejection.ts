/** A typed refusal of this room (schema.graphql `Rejection`). */
import type { RejectReason } from '../../domain/index.ts';
import { type LimitUnit, MODE_RETRY_MS } from '../../protocol/index.ts';

/** As it is answered. */
export interface Rejection {
  readonly reason: RejectReason;
  readonly message: string;
  readonly field: string | null;
  readonly limit: number | null;
  readonly value: number | null;
  readonly unit: LimitUnit | null;
  readonly retryAfterMs: number | null;
}

/** What is compared, in `unit`. */
export interface Compared {
  readonly limit: number;
  readonly value: number;
  readonly unit: LimitUnit;
}

export function rejected(reason: RejectReason, message: string, field?: string, compared?: Compared): Rejection {
  const { limit = null, value = null, unit = null } = compared ?? {};
  const retryAfterMs = reason === 'VENUE_MODE' ? MODE_RETRY_MS : null;
  return { reason, message, field: field ?? null, limit, value, unit, retryAfterMs };
}
