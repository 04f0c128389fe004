/**
 * Errors for clients (docs/spec/venue.md#authentication, docs/spec/venue.md#errors-and-transport). An error has only a
 * message and a path. Programs should match only the message `UNAUTHORIZED`. For any thrown value except a `WireFault`,
 * the client receives `internal error <request id>`.
 */
import { Fault } from '../domain/index.ts';
import type { ApiScope } from './generated/schema-types.ts';

/** The message when a request without credentials selects a protected field. */
export const UNAUTHORIZED = 'UNAUTHORIZED';

/** `retryAfterMs` of a refusal with `VENUE_MODE`. The subscription `venueStatusChanged` reports a new mode sooner. */
export const MODE_RETRY_MS = 1_000;

export interface WireError {
  readonly message: string;
  /** Response keys; empty for an error of the whole request. */
  readonly path: readonly string[];
}

export type IdKind = 'market' | 'order' | 'wallet' | 'topic' | 'key' | 'group' | 'withdrawal';

/** Clients do not receive this code. */
export type WireFaultCode = 'UNAUTHORIZED' | 'FORBIDDEN' | 'INVALID' | 'RATE_LIMITED' | 'INTERNAL';

/** A fault whose message the client receives unchanged. */
export class WireFault extends Fault {
  declare readonly code: WireFaultCode;

  constructor(code: WireFaultCode, message: string, cause?: unknown) {
    super(code, message, { cause, retryable: code === 'RATE_LIMITED' });
    this.name = 'WireFault';
  }
}

/** Creates the fault for missing, expired or revoked credentials, or for their use from a forbidden IP address. */
export function unauthorized(): WireFault {
  return new WireFault('UNAUTHORIZED', UNAUTHORIZED);
}

/** Creates the fault for credentials that lack `scope`. No API key has `SESSION`. */
export function forbidden(scope: ApiScope | 'SESSION'): WireFault {
  return new WireFault('FORBIDDEN', `forbidden: needs scope ${scope}`);
}

export function invalidId(kind: IdKind, reason: string): WireFault {
  return new WireFault('INVALID', `invalid ${kind} ID: ${reason}`);
}

/** Creates the fault for a cursor of another venue, list or sort. */
export function invalidCursor(reason: string): WireFault {
  return new WireFault('INVALID', `invalid cursor: ${reason}`);
}

/** @param reason begins with the argument's name */
export function invalidArgument(reason: string): WireFault {
  return new WireFault('INVALID', `invalid argument: ${reason}`);
}

export function rateLimited(retryAfterMs: number): WireFault {
  return new WireFault('RATE_LIMITED', `rate limited: retry in ${retryAfterMs} ms`);
}

/** Only the log contains details. */
export function internalError(requestId: string, cause?: unknown): WireFault {
  return new WireFault('INTERNAL', `internal error ${requestId}`, cause);
}

/** Creates an element of `errors`. Removes list indexes from the GraphQL path. */
export function wireError(message: string, path: readonly (string | number)[] = []): WireError {
  return { message, path: path.filter((key) => typeof key === 'string') };
}
