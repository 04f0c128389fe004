/** Interprets the answers to requests about the account. */
import { Fault, type RejectReason } from '../../../domain/index.ts';
import { boundedWait } from '../../../network/index.ts';
import { type Operation, UNAUTHORIZED, type WireError } from '../../../protocol/index.ts';
import type { Answer } from '../transport/answer.ts';
import { findRetryAfterMs } from '../transport/answer-codec.ts';
import type { Json } from '../transport/client-frame.ts';
import type { ExecutionDeps } from './execution-deps.ts';

/** The outcome of a request: done, certainly not done, or unknown. */
export type RequestOutcome<Payload> =
  | { readonly type: 'done'; readonly payload: Payload }
  /** Nothing was executed. */
  | { readonly type: 'refused'; readonly reason: RejectReason; readonly problem: string; readonly retryAfterMs: number }
  /** `isSent` is false if the venue cannot have received the request. */
  | { readonly type: 'unknown'; readonly problem: string; readonly isSent: boolean };

/**
 * Error messages which show that nothing was executed: those of the API (docs/spec/venue.md#errors-and-transport), and
 * those of graphql-js for an invalid document.
 */
const REFUSED_BEFORE_EXECUTION =
  /^(invalid [\w ]+: |forbidden: |Syntax Error: |Variable "\$|Cannot query field |Unknown (argument|type|fragment) |Field ")/;

/** Value of an operation's only root field. */
type Payload<Data> = NonNullable<Data[keyof Data]>;

/** Sends a mutation and passes on its outcome. `OrderSender` sends new orders directly, to copy fewer bytes. */
export function sendRequest<Data, Variables>(
  deps: Pick<ExecutionDeps, 'transport' | 'timers' | 'onProblem'>,
  operation: Operation<Data, Variables>,
  variables: Json,
  onOutcome: (outcome: RequestOutcome<Payload<Data>>) => void,
): void {
  deps.transport.send(operation, variables, outcomeHandler(deps, operation, onOutcome));
}

/** Returns a function that passes on the outcome of a mutation's first answer, unless the timers are closed. */
export function outcomeHandler<Data, Variables>(
  deps: Pick<ExecutionDeps, 'timers' | 'onProblem'>,
  operation: Operation<Data, Variables>,
  onOutcome: (outcome: RequestOutcome<Payload<Data>>) => void,
): (answer: Answer<Data>) => void {
  let isAnswered = false;
  return (answer) => {
    if (isAnswered || deps.timers.isClosed) return;
    isAnswered = true;
    onOutcome(toOutcome(answer, operation, deps));
  };
}

export async function queryOutcome<Data, Variables>(
  deps: Pick<ExecutionDeps, 'transport' | 'onProblem'>,
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<RequestOutcome<Payload<Data>>> {
  return toOutcome(await deps.transport.query(operation, variables), operation, deps);
}

/** Reads a query's payload. @throws Fault `LINK` without an answer, `VENUE` for a refusal or an invalid answer */
export async function readPayload<Data, Variables>(
  deps: Pick<ExecutionDeps, 'transport' | 'onProblem'>,
  operation: Operation<Data, Variables>,
  variables: Variables,
): Promise<Payload<Data>> {
  const answer = await deps.transport.query(operation, variables);
  const outcome = toOutcome(answer, operation, deps);
  if (outcome.type === 'done') return outcome.payload;
  const { field } = operation;
  const { problem } = outcome;
  if (outcome.type === 'refused')
    throw new Fault('VENUE', `the venue refuses ${field}: ${problem}`, {
      retryable: outcome.reason === 'RATE_LIMITED',
    });
  if (answer.type === 'malformed')
    throw new Fault('VENUE', `the venue's answer does not match the API contract: ${problem}`, { retryable: true });
  if (answer.type === 'errors' || answer.type === 'data')
    throw new Fault('VENUE', `the venue cannot answer ${field}: ${problem}`, { retryable: true });
  throw new Fault('LINK', `no answer to ${field}: ${problem}. Check the URL and the network`, { retryable: true });
}

/** Converts an answer to an outcome: refused or unknown if the root field has no value. */
export function toOutcome<Data, Variables>(
  answer: Answer<Data>,
  { field }: Operation<Data, Variables>,
  { onProblem }: Pick<ExecutionDeps, 'onProblem'>,
): RequestOutcome<Payload<Data>> {
  if (answer.type === 'errors') return interpretErrors(answer.errors, answer.retryAfterMs, onProblem);
  if (answer.type === 'data') {
    const payload: Payload<Data> | null | undefined = Reflect.get(Object(answer.data), field);
    return payload === null || payload === undefined
      ? interpretErrors(answer.errors, undefined, onProblem)
      : { type: 'done', payload };
  }
  const { type, problem } = answer;
  if (type === 'blocked') onProblem({ type, problem });
  return { type: 'unknown', problem, isSent: type !== 'lost' || answer.isSent };
}

/**
 * Only `UNAUTHORIZED` is a code. Other errors are recognised by the texts of the API
 * (docs/spec/venue.md#errors-and-transport). With any other text, the venue may have executed the request.
 */
function interpretErrors(
  errors: readonly WireError[],
  retryAfterMs: number | undefined,
  onProblem: ExecutionDeps['onProblem'],
): RequestOutcome<never> {
  const problem = errors.map(({ message }) => message).join('; ');
  const refused = { type: 'refused', problem, retryAfterMs: boundedWait(retryAfterMs ?? 0) } as const;
  if (errors.some(({ message }) => message === UNAUTHORIZED)) {
    onProblem({ type: 'unauthorized' });
    return { ...refused, reason: 'SIGNER_NOT_ALLOWED' };
  }
  const statedMs = findRetryAfterMs(errors);
  if (statedMs !== undefined) return { ...refused, reason: 'RATE_LIMITED', retryAfterMs: statedMs };
  // HTTP 429 without a rate-limit error comes from the venue or from a proxy in front of it.
  if (retryAfterMs !== undefined) return { ...refused, reason: 'RATE_LIMITED' };
  const isUnexecuted = errors.length > 0 && errors.every(({ message }) => REFUSED_BEFORE_EXECUTION.test(message));
  if (isUnexecuted) return { ...refused, reason: 'INVALID_ORDER' };
  return { type: 'unknown', problem: problem || 'an answer without data', isSent: true };
}
