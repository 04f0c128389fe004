/**
 * Errors for clients (docs/spec/venue.md#authentication, docs/spec/venue.md#errors-and-transport), which have only a message
 * and a path.
 *
 * Programs match only the message `UNAUTHORIZED`. Any thrown value other than a `WireFault` is an internal fault and is sent
 * as `internal error <request id>`.
 */
import { Fault } from '../domain/index.ts';
import type { ApiScope } from './generated/schema-types.ts';

/** The message of a protected field that is requested without credentials. */
export const UNAUTHORIZED = 'UNAUTHORIZED';

/** `retryAfterMs` of a `VENUE_MODE`; `venueStatusChanged` reports it sooner. */
export const MODE_RETRY_MS = 1_000;

/** An element of `errors`. `path` has response keys, and is empty for an error of the whole request. */
export interface WireError {
  readonly message: string;
  readonly path: readonly string[];
}

export type IdKind = 'market' | 'order' | 'wallet' | 'topic' | 'key' | 'group' | 'withdrawal';

/** Kind of a wire fault. It is not sent. */
export type WireFaultCode = 'UNAUTHORIZED' | 'FORBIDDEN' | 'INVALID' | 'RATE_LIMITED' | 'INTERNAL';

/** A fault whose message is sent to the client unchanged. */
export class WireFault extends Fault {
  declare readonly code: WireFaultCode;

  constructor(code: WireFaultCode, message: string, cause?: unknown) {
    super(code, message, { cause, retryable: code === 'RATE_LIMITED' });
    this.name = 'WireFault';
  }
}

/** Credentials are missing or invalid: expired, revoked, or used from a forbidden address. */
export function unauthorized(): WireFault {
  return new WireFault('UNAUTHORIZED', UNAUTHORIZED);
}

/** Credentials lack a scope. `SESSION` needs a login, whatever the scopes of a key. */
export function forbidden(scope: ApiScope | 'SESSION'): WireFault {
  return new WireFault('FORBIDDEN', `forbidden: needs scope ${scope}`);
}

/** A malformed id: `invalid market ID: <reason>`. */
export function invalidId(kind: IdKind, reason: string): WireFault {
  return new WireFault('INVALID', `invalid ${kind} ID: ${reason}`);
}

/** A foreign cursor, or a cursor of another list or order. */
export function invalidCursor(reason: string): WireFault {
  return new WireFault('INVALID', `invalid cursor: ${reason}`);
}

/** Any other invalid argument. The reason begins with its name. */
export function invalidArgument(reason: string): WireFault {
  return new WireFault('INVALID', `invalid argument: ${reason}`);
}

/** The `read` bucket is empty: the whole request is refused. @param retryAfterMs whole milliseconds */
export function rateLimited(retryAfterMs: number): WireFault {
  return new WireFault('RATE_LIMITED', `rate limited: retry in ${retryAfterMs} ms`);
}

/** An internal fault. Only the log has details. */
export function internalError(requestId: string, cause?: unknown): WireFault {
  return new WireFault('INTERNAL', `internal error ${requestId}`, cause);
}

/** Creates an element of `errors`. Drops list indexes from the GraphQL path. */
export function wireError(message: string, path: readonly (string | number)[] = []): WireError {
  return { message, path: path.filter((key) => typeof key === 'string') };
}
