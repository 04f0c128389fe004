/** The types that resolvers, executors and transports share: request context, answer and log. */
import type { IncomingMessage } from 'node:http';
import { type EpochMs, Fault } from '../../domain/index.ts';
import { type ApiScope, rateLimited, type WireError, wireError } from '../../protocol/index.ts';

/** Coerced arguments or variables by name; omitted ones are missing. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Returns whether an argument has a value: neither null nor omitted. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

export interface Viewer {
  /** Address of the account, lower case. */
  readonly account: string;
  /** Id of the session (stable across refreshes) or of the API key. */
  readonly credential: string;
  readonly kind: 'session' | 'key';
  /** Scopes of the credential; a session has all. */
  readonly scopes: readonly ApiScope[];
}

export interface OperationContext {
  /** Undefined without valid credentials. */
  readonly viewer: Viewer | undefined;
  /** Appears in logs and in messages of internal errors. */
  readonly requestId: string;
  /** The client's IP address; behind trusted proxies, the address they report. */
  readonly ip: string;
  /** Arrival time of the whole request. */
  readonly now: EpochMs;
  /** A request header by its lower-case name; on a socket, a header of its handshake. */
  header(name: string): string | undefined;
}

/** `OperationContext` over a request of `node:http`. */
export class RequestContext implements OperationContext {
  readonly viewer: Viewer | undefined;
  readonly requestId: string;
  readonly ip: string;
  readonly now: EpochMs;
  readonly #request: IncomingMessage;

  constructor({ viewer, requestId, ip, now }: Omit<OperationContext, 'header'>, request: IncomingMessage) {
    this.viewer = viewer;
    this.requestId = requestId;
    this.ip = ip;
    this.now = now;
    this.#request = request;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }
}

/** Fields by response key; null when nothing was executed or a non-null field failed. */
export type Data = Readonly<Record<string, unknown>> | null;

/** The body of an answer: always `data`, and `errors` when something failed (docs/spec/venue.md#errors-and-transport). */
export interface Answer {
  readonly data: Data;
  readonly errors?: readonly WireError[];
}

/** An answer with data for the transport. */
export interface Reply {
  readonly answer: Answer;
  /** Whole milliseconds; set only when the rate limit refused the request. */
  readonly retryAfterMs?: number;
}

/** An answer without data; each message concerns the whole request. */
export function requestFailed(...messages: readonly string[]): Reply {
  return { answer: { data: null, errors: messages.map((message) => wireError(message)) } };
}

/** The answer for an empty bucket. @param wait whole milliseconds until it has a token again */
export function rateLimitedReply(wait: number): Reply {
  return { ...requestFailed(rateLimited(wait).message), retryAfterMs: wait };
}

/** The server's log. A pino logger implements it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Faults of every request after the exchange stopped. The stop itself was logged with its stack. */
const STOPPED_CODES: ReadonlySet<string> = new Set(['EXCHANGE_STOPPED', 'EXCHANGE_CLOSING']);

/** Log fields of an error. Includes the stack unless every request gets the same error. */
export function logged(error: unknown): object {
  return error instanceof Fault && STOPPED_CODES.has(error.code)
    ? { code: error.code, problem: error.message }
    : { err: error };
}
