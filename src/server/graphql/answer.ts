/**
 * What goes back: `data` always, `errors` where something failed, nothing else
 * (docs/spec/venue.md#errors-and-transport).
 */
import { rateLimited, type WireError, wireError } from '../../protocol/index.ts';

/** Fields by response key; null where nothing was executed, or a field that cannot be null failed. */
export type Data = Readonly<Record<string, unknown>> | null;

/** The body of an answer. */
export interface Answer {
  readonly data: Data;
  readonly errors?: readonly WireError[];
}

/** An answer and what the transport has to know of it. */
export interface Reply {
  readonly answer: Answer;
  /** Whole milliseconds; only where the request was refused by its rate. */
  readonly retryAfterMs?: number;
}

/** Nothing was executed; each message concerns the whole request. */
export function requestFailed(...messages: readonly string[]): Reply {
  return { answer: { data: null, errors: messages.map((message) => wireError(message)) } };
}

/** The caller's bucket is empty. @param wait whole milliseconds until it is not */
export function rateLimitedReply(wait: number): Reply {
  return { ...requestFailed(rateLimited(wait).message), retryAfterMs: wait };
}
