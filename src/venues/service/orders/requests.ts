/** Requests about the account: what an answer means for what was requested, and reads that must succeed. */
import { Fault, type RejectReason } from '../../../domain/index.ts';
import { boundedWait } from '../../../network/index.ts';
import { type Operation, UNAUTHORIZED, type WireError } from '../../../protocol/index.ts';
import type { Backoff, StuckCommand } from '../../base/index.ts';
import type { Answer } from '../transport/index.ts';
import type { ExecutionDeps } from './execution-deps.ts';

/** Done, surely not done, or unknown. */
export type Outcome<Payload> =
  | { readonly type: 'done'; readonly payload: Payload }
  /** Nothing was carried out. */
  | { readonly type: 'refused'; readonly reason: RejectReason; readonly problem: string; readonly retryAfterMs: number }
  /** @param sent false when the venue cannot have seen it */
  | { readonly type: 'unknown'; readonly problem: string; readonly sent: boolean };

const READ_LIMIT = /^rate limited: retry in (\d{1,9}) ms$/;
/**
 * Refused before anything is carried out, by the contract (docs/spec/venue.md#errors-and-transport) or by graphql-js for a
 * document that does not fit.
 */
const BEFOREHAND =
  /^(invalid [\w ]+: |forbidden: |Syntax Error: |Variable "\$|Cannot query field |Unknown (argument|type|fragment) |Field ")/;

/** The value of an operation's only root field. */
type Payload<Data> = NonNullable<Data[keyof Data]>;

/** Receives the answer to a mutation: one outcome, and never after the end, whatever the network repeats. */
export function takeOutcome<Data, Variables>(
  deps: Pick<ExecutionDeps, 'timers' | 'trouble'>,
  operation: Operation<Data, Variables>,
  take: (outcome: Outcome<Payload<Data>>) => void,
): (answer: Answer<Data>) => void {
  let isAnswered = false;
  return (answer) => {
    if (isAnswered || deps.timers.isClosed) return;
    isAnswered = true;
    take(outcomeOf(answer, operation, deps));
  };
}

/** @throws Fault `LINK` when no answer comes, `VENUE` when the venue refuses */
export async function read<Data, Variables>(
  deps: Pick<ExecutionDeps, 'transport' | 'trouble'>,
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<Payload<Data>> {
  const answer = await deps.transport.query(operation, variables);
  const outcome = outcomeOf(answer, operation, deps);
  if (outcome.type === 'done') return outcome.payload;
  if (outcome.type === 'refused') {
    throw new Fault('VENUE', `the venue refuses ${operation.field}: ${outcome.problem}`, {
      retryable: outcome.reason === 'RATE_LIMITED',
    });
  }
  if (answer.type === 'malformed') {
    throw new Fault('VENUE', `the venue's answer is not as the contract has it: ${outcome.problem}`, {
      retryable: true,
    });
  }
  if (answer.type === 'errors' || answer.type === 'data') {
    throw new Fault('VENUE', `the venue cannot answer ${operation.field}: ${outcome.problem}`, { retryable: true });
  }
  throw new Fault('LINK', `no answer to ${operation.field}: ${outcome.problem}. Check the URL and the network`, {
    retryable: true,
  });
}

/** Meaning of an answer. If the venue could not answer the root field, the command is refused or unknown. */
export function outcomeOf<Data, Variables>(
  answer: Answer<Data>,
  { field }: Operation<Data, Variables>,
  { trouble }: Pick<ExecutionDeps, 'trouble'>,
): Outcome<Payload<Data>> {
  switch (answer.type) {
    case 'data': {
      const payload: Payload<Data> | null | undefined = Reflect.get(Object(answer.data), field);
      return payload === null || payload === undefined
        ? refusedBy(answer.errors, undefined, trouble)
        : { type: 'done', payload };
    }
    case 'errors':
      return refusedBy(answer.errors, answer.retryAfterMs, trouble);
    case 'blocked':
      trouble({ type: 'blocked', problem: answer.problem });
      return { type: 'unknown', problem: answer.problem, sent: true };
    case 'malformed':
      return { type: 'unknown', problem: answer.problem, sent: true };
    case 'lost':
      return { type: 'unknown', problem: answer.problem, sent: answer.sent };
  }
}

/**
 * Only `UNAUTHORIZED` is a code; other errors are recognised by the texts of the contract
 * (docs/spec/venue.md#errors-and-transport). Any other text may mean anything: the venue may have carried it out all the same.
 */
function refusedBy(
  errors: readonly WireError[],
  retryAfterMs: number | undefined,
  trouble: ExecutionDeps['trouble'],
): Outcome<never> {
  const problem = errors.map(({ message }) => message).join('; ');
  const refused = { type: 'refused', problem, retryAfterMs: boundedWait(retryAfterMs ?? 0) } as const;
  if (errors.some(({ message }) => message === UNAUTHORIZED)) {
    trouble({ type: 'unauthorized' });
    return { ...refused, reason: 'SIGNER_NOT_ALLOWED' };
  }
  const limit = errors.map(({ message }) => READ_LIMIT.exec(message)?.[1]).find((ms) => ms !== undefined);
  if (limit !== undefined) return { ...refused, reason: 'RATE_LIMITED', retryAfterMs: boundedWait(Number(limit)) };
  // Without that text: HTTP 429, of the venue or of something before it.
  if (retryAfterMs !== undefined) return { ...refused, reason: 'RATE_LIMITED' };
  const isBeforehand = errors.length > 0 && errors.every(({ message }) => BEFOREHAND.test(message));
  if (isBeforehand) return { ...refused, reason: 'INVALID_ORDER' };
  return { type: 'unknown', problem: problem || 'an answer without data', sent: true };
}

/** Reports a command that failed, and as stuck one that does not get through. @returns how long to wait before the repeat, ms */
export function waitToRepeat(
  backoff: Backoff,
  failed: StuckCommand,
  { trouble }: Pick<ExecutionDeps, 'trouble'>,
  leastMs = 0,
): number {
  const wait = backoff.next(leastMs);
  const { command, problem } = failed;
  trouble({ type: 'repeated', command, problem });
  if (backoff.isStuck) trouble({ type: 'stuck', ...failed });
  return wait;
}

/**
 * A list cut into batches, in order.
 *
 * @param most entries of a batch; less than 1, or no number, counts as 1, so that every entry is in a batch
 */
export function batches<T>(list: readonly T[], most: number): readonly (readonly T[])[] {
  if (list.length === 0) return [];
  if (list.length <= most) return [list];
  const size = most >= 1 ? Math.floor(most) : 1;
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
