/** Results of a request to a venue. Failures are values, because every caller handles every failure. */
import { Fault, InputFault, toError } from '../../../domain/index.ts';
import { UNAUTHORIZED, type WireError } from '../../../protocol/index.ts';

/** The venue answered. `data` may hold null for an id that does not exist. */
interface DataAnswer<Data> {
  readonly type: 'data';
  readonly data: Data;
  /** Errors of fields that are null in `data`. */
  readonly errors: readonly WireError[];
}

/** The venue answered with errors and no data. `toOutcome` decides whether it may have executed the request. */
export interface ErrorAnswer {
  readonly type: 'errors';
  /** At least one. */
  readonly errors: readonly WireError[];
  /** Wait in ms before a repeat, after a rate-limit error or HTTP 429. */
  readonly retryAfterMs?: number;
}

/** The answer was lost, so the outcome is unknown. */
export interface LostAnswer {
  readonly type: 'lost';
  readonly problem: string;
  /** False when no byte was sent, so the venue cannot have received the request. */
  readonly isSent: boolean;
}

/** Something other than the venue answered, such as a firewall or a login page. A retry rarely helps. */
export interface BlockedAnswer {
  readonly type: 'blocked';
  readonly problem: string;
  readonly status: number;
}

/**
 * The answer does not match the request: a field is missing, of another type, or out of range. The outcome of a
 * mutation is unknown.
 */
export interface MalformedAnswer {
  readonly type: 'malformed';
  /** Operation, field and actual value, for messages. */
  readonly problem: string;
}

export type Answer<Data> = DataAnswer<Data> | ErrorAnswer | LostAnswer | BlockedAnswer | MalformedAnswer;

/** Returns whether a request was refused for missing credentials (docs/spec/venue.md#errors-and-transport). */
export function isUnauthorized(answer: Answer<unknown>): boolean {
  return answer.type === 'errors' && answer.errors.some(({ message }) => message === UNAUTHORIZED);
}

/** Describes an answer without data in one line. */
export function describeProblem(answer: ErrorAnswer | LostAnswer | BlockedAnswer | MalformedAnswer): string {
  if (answer.type !== 'errors') return answer.problem;
  return answer.errors
    .map(({ message, path }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}

const COMPARE_SCHEMAS =
  "Run `npx halfspread doctor <config.yaml>`: it compares the venue's schema with what the bot needs";

/**
 * Returns the data of an answer that startup requires.
 * @param subject what the answer contains, such as `bettingConfig`
 * @throws Fault LINK (retryable), BLOCKED, UNAUTHORIZED or REFUSED, with a remedy
 */
export function expectData<Data>(answer: Answer<Data>, subject: string): Data {
  if (answer.type === 'data') return answer.data;
  const problem = describeProblem(answer);
  if (answer.type === 'malformed') {
    const remedy = 'Run `npx halfspread doctor <config.yaml>` to compare the schemas';
    throw new Fault('VENUE', `${subject} does not match the API: ${problem}. ${remedy}`, { retryable: true });
  }
  const unread = `${subject} could not be read: ${problem}`;
  if (answer.type === 'lost') throw new Fault('LINK', `${unread}. Check url and the network.`, { retryable: true });
  if (answer.type === 'blocked')
    throw new Fault('BLOCKED', `${unread}. Check url, headers, and whether this address may use the venue.`);
  const remedy = "Check the account's key.";
  if (isUnauthorized(answer))
    throw new Fault('UNAUTHORIZED', `${subject} needs credentials that the venue accepts. ${remedy}`);
  throw new Fault('REFUSED', `${subject} was refused: ${problem}. ${COMPARE_SCHEMAS}.`);
}

/** Converts a codec's InputFault into a fault VENUE, because the venue caused the fault, not the user. */
export function venueFault(error: unknown): Error {
  if (!(error instanceof InputFault)) return toError(error);
  const problem = `an event or answer of the venue cannot be used: ${error.message}`;
  return new Fault('VENUE', `${problem}. ${COMPARE_SCHEMAS}`, { cause: error });
}
