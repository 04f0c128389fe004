/**
 * What comes of a request to a venue. The outside is a value here, as every caller has to have a plan for each of
 * these.
 */
import { Fault, InputFault } from '../../../domain/index.ts';
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

/** The answer was lost: the outcome is unknown. */
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
 * The venue answered, but the answer does not fit the request: a field is missing, of another type, or out of its
 * range. The outcome of a mutation is unknown.
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

/**
 * The data of an answer that a start cannot do without.
 * @param what such as `bettingConfig`
 * @throws Fault LINK (retryable), BLOCKED, UNAUTHORIZED or REFUSED, each with what to do
 */
export function expectData<Data>(answer: Answer<Data>, what: string): Data {
  switch (answer.type) {
    case 'data':
      return answer.data;
    case 'lost':
      throw new Fault('LINK', `${what} could not be read: ${answer.problem}. Check url and the network.`, {
        retryable: true,
      });
    case 'malformed':
      throw new Fault(
        'VENUE',
        `${what} is not as the contract has it: ${answer.problem}. Run \`npx halfspread doctor <config.yaml>\` to compare the schemas`,
        { retryable: true },
      );
    case 'blocked':
      throw new Fault(
        'BLOCKED',
        `${what} could not be read: ${answer.problem}. Check url, headers, and whether this address may use the venue.`,
      );
    default: {
      if (isUnauthorized(answer)) {
        throw new Fault('UNAUTHORIZED', `${what} needs credentials that the venue accepts. Check the account's key.`);
      }
      const remedy =
        "Run `npx halfspread doctor <config.yaml>`: it compares the venue's schema with what the bot needs.";
      throw new Fault('REFUSED', `${what} was refused: ${problemOf(answer)}. ${remedy}`);
    }
  }
}

/** Turns an InputFault of any codec into a fault VENUE: the user did not cause what the venue sent. */
export function venueFault(error: unknown): Error {
  if (!(error instanceof InputFault)) return error instanceof Error ? error : new Error(String(error));
  const remedy = "Run `npx halfspread doctor <config.yaml>`: it compares the venue's schema with what the bot needs";
  return new Fault('VENUE', `what the venue sent cannot be used: ${error.message}. ${remedy}`, { cause: error });
}
