/** What comes of a request to a venue. The outside is a value here, as every caller has to have a plan for each of these. */
import type { WireError } from '../../../protocol/index.ts';

/** The venue answered. `data` may hold null for an id that does not exist. */
interface Answered<Data> {
  readonly type: 'data';
  readonly data: Data;
  /** Beside data: what concerns other fields. */
  readonly errors: readonly WireError[];
}

/** The venue refused the request, and has done nothing. */
export interface Refused {
  readonly type: 'errors';
  /** One at least. */
  readonly errors: readonly WireError[];
  /** ms after which it may be repeated, where the venue says so: a `read` bucket is empty. */
  readonly retryAfterMs?: number;
}

/** Nobody knows what became of it. */
export interface Lost {
  readonly type: 'lost';
  /** What happened, for people. */
  readonly problem: string;
  /** False when no byte has left: the venue cannot have seen it. */
  readonly sent: boolean;
}

/** Something that is no venue answered: a firewall, a country's border, a login page. Trying again does not help. */
export interface Blocked {
  readonly type: 'blocked';
  readonly problem: string;
  /** HTTP status. */
  readonly status: number;
}

/**
 * The venue answered, and the answer does not fit the request: a field is missing, of another type, or out of its range.
 * Nobody knows what became of a change.
 */
export interface Malformed {
  readonly type: 'malformed';
  /** Which operation and field, and what was there; for people. */
  readonly problem: string;
}

export type Answer<Data> = Answered<Data> | Refused | Lost | Blocked | Malformed;

/**
 * Whether a request was refused for want of credentials: the one message that programs match
 * (docs/spec/venue.md#errors-and-transport).
 */
export function isUnauthorized({ type, ...answer }: Answer<unknown>): boolean {
  return type === 'errors' && 'errors' in answer && answer.errors.some(({ message }) => message === 'UNAUTHORIZED');
}

/** What an answer without data says, in one line, for people. */
export function problemOf(answer: Refused | Lost | Blocked | Malformed): string {
  if (answer.type !== 'errors') return answer.problem;
  return answer.errors
    .map(({ message, path }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
