/**
 * The errors that a client gets (docs/spec/venue.md#authentication, docs/spec/venue.md#errors-and-transport): a message
 * and a path, nothing else.
 *
 * Programs match one message, `UNAUTHORIZED`; all others are for people. Any other thrown value than a `WireFault` is
 * an internal fault and is sent as `internal error <request id>`.
 */
import { Fault } from '../domain/index.ts';
import type { ApiScope } from './generated/schema-types.ts';

/** The message of a protected field that is requested without credentials. */
export const UNAUTHORIZED = 'UNAUTHORIZED';

/** `retryAfterMs` of a `VENUE_MODE`; `venueStatusChanged` reports it sooner. */
export const MODE_RETRY_MS = 1_000;

/** An element of `errors`. `path` holds response keys, empty for what concerns the whole request. */
export interface WireError {
  readonly message: string;
  readonly path: readonly string[];
}

export type IdKind = 'market' | 'order' | 'wallet' | 'topic' | 'key' | 'group' | 'withdrawal';

/** What a fault of the wire is about; never on the wire itself. */
export type WireFaultCode = 'UNAUTHORIZED' | 'FORBIDDEN' | 'INVALID' | 'RATE_LIMITED' | 'INTERNAL';

/** A fault whose message is sent to the client unchanged. */
export class WireFault extends Fault {
  declare readonly code: WireFaultCode;

  constructor(code: WireFaultCode, message: string, cause?: unknown) {
    super(code, message, { cause, retryable: code === 'RATE_LIMITED' });
    this.name = 'WireFault';
  }
}

/** No credentials, or none that hold: expired, revoked, from another address than allowed. */
export function unauthorized(): WireFault {
  return new WireFault('UNAUTHORIZED', UNAUTHORIZED);
}

/** Credentials that do not reach so far. `SESSION` is what no key has, whatever its scopes. */
export function forbidden(scope: ApiScope | 'SESSION'): WireFault {
  return new WireFault('FORBIDDEN', `forbidden: needs scope ${scope}`);
}

/** An id that cannot be one, whether or not something has it: `invalid market ID: <reason>`. */
export function invalidId(kind: IdKind, reason: string): WireFault {
  return new WireFault('INVALID', `invalid ${kind} ID: ${reason}`);
}

/** A cursor that is not ours, or of another list or sort. */
export function invalidCursor(reason: string): WireFault {
  return new WireFault('INVALID', `invalid cursor: ${reason}`);
}

/** Any other argument whose value cannot be taken; the reason begins with its name. */
export function invalidArgument(reason: string): WireFault {
  return new WireFault('INVALID', `invalid argument: ${reason}`);
}

/** The `read` bucket is empty: the whole request is refused. @param retryAfterMs whole milliseconds */
export function rateLimited(retryAfterMs: number): WireFault {
  return new WireFault('RATE_LIMITED', `rate limited: retry in ${retryAfterMs} ms`);
}

/** An internal fault; only the log has its details. */
export function internalError(requestId: string, cause?: unknown): WireFault {
  return new WireFault('INTERNAL', `internal error ${requestId}`, cause);
}

/** An element of `errors`: of a GraphQL path the response keys are kept, indexes of lists go. */
export function wireError(message: string, path: readonly (string | number)[] = []): WireError {
  return { message, path: path.filter((key) => typeof key === 'string') };
}
