import type { IncomingMessage } from 'node:http';
import { type EpochMs, Fault } from '../../domain/index.ts';
import { type ApiScope, rateLimited, type WireError, wireError } from '../../protocol/index.ts';

/** Coerced arguments or variables by name. An omitted argument has no member. */
export type Arguments = Readonly<Record<string, unknown>>;

export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

export interface Viewer {
  /** The account's address in lower case. */
  readonly account: string;
  /** Id of the API key, or of the session, which keeps its id when refreshed. */
  readonly credential: string;
  readonly kind: 'session' | 'key';
  /** A session has all scopes. */
  readonly scopes: readonly ApiScope[];
}

export interface OperationContext {
  /** Undefined without valid credentials. */
  readonly viewer: Viewer | undefined;
  /** Appears in logs and in messages of internal errors. */
  readonly requestId: string;
  /** The client's IP address; behind trusted proxies, the address that the proxies report. */
  readonly ip: string;
  /** The time when the whole request had arrived. */
  readonly now: EpochMs;
  /** Returns a request header by its lower-case name. On a socket, reads the header of the handshake. */
  header(name: string): string | undefined;
}

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

/** The body of an answer. `errors` is present only after a failure (docs/spec/venue.md#errors-and-transport). */
export interface Answer {
  readonly data: Data;
  readonly errors?: readonly WireError[];
}

export interface Reply {
  readonly answer: Answer;
  /** Whole milliseconds. Present only when the rate limit refused the request. */
  readonly retryAfterMs?: number;
}

/** Returns a reply without data. Each message concerns the whole request. */
export function failedReply(...messages: readonly string[]): Reply {
  return { answer: { data: null, errors: messages.map((message) => wireError(message)) } };
}

/** @param retryAfterMs whole milliseconds until the bucket has enough tokens */
export function rateLimitedReply(retryAfterMs: number): Reply {
  return { ...failedReply(rateLimited(retryAfterMs).message), retryAfterMs };
}

/** The server's log. A pino logger implements this interface. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** After the exchange stopped, every request fails with one of these codes. The log already has the stack. */
const STOPPED_CODES: ReadonlySet<string> = new Set(['EXCHANGE_STOPPED', 'EXCHANGE_CLOSING']);

/** Returns the log fields of an error. Omits the stack of an error that every request gets. */
export function errorFields(error: unknown): object {
  return error instanceof Fault && STOPPED_CODES.has(error.code)
    ? { code: error.code, problem: error.message }
    : { err: error };
}
