/** What an answer to a change means for what was asked: done, surely not done, or nobody knows. */
import type { RejectReason } from '../../../domain/index.ts';
import { boundedWait } from '../../../network/index.ts';
import { UNAUTHORIZED, type WireError } from '../../../protocol/index.ts';
import type { Answer } from '../transport/index.ts';
import type { OrdersOf } from './orders-of.ts';

export type Outcome<Payload> =
  | { readonly type: 'done'; readonly payload: Payload }
  /** Nothing was carried out. */
  | { readonly type: 'refused'; readonly reason: RejectReason; readonly problem: string; readonly retryAfterMs: number }
  /** @param sent false when the venue cannot have seen it */
  | { readonly type: 'unknown'; readonly problem: string; readonly sent: boolean };

const READ_LIMIT = /^rate limited: retry in (\d{1,9}) ms$/;
/**
 * Told before anything is carried out, by the contract (docs/spec/venue.md#errors-and-transport) or by graphql-js for a
 * document that does not fit.
 */
const BEFOREHAND =
  /^(invalid [\w ]+: |forbidden: |Syntax Error: |Variable "\$|Cannot query field |Unknown (argument|type|fragment) |Field ")/;

/** @param payloadOf the root field's value; null when the venue could not answer it */
export function outcomeOf<Data, Payload>(
  answer: Answer<Data>,
  payloadOf: (data: Data) => Payload | null,
  { trouble }: Pick<OrdersOf, 'trouble'>,
): Outcome<Payload> {
  switch (answer.type) {
    case 'data': {
      const payload = payloadOf(answer.data);
      return payload === null ? refusedBy(answer.errors, undefined, trouble) : { type: 'done', payload };
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
 * Only `UNAUTHORIZED` is for programs; of the others the words say how the contract makes them
 * (docs/spec/venue.md#errors-and-transport). Words that it does not have may stand for anything: whoever failed inside
 * may have done it all the same.
 */
function refusedBy(
  errors: readonly WireError[],
  retryAfterMs: number | undefined,
  trouble: OrdersOf['trouble'],
): Outcome<never> {
  const problem = errors.map(({ message }) => message).join('; ');
  const refused = { type: 'refused', problem, retryAfterMs: boundedWait(retryAfterMs ?? 0) } as const;
  if (errors.some(({ message }) => message === UNAUTHORIZED)) {
    trouble({ type: 'unauthorized' });
    return { ...refused, reason: 'SIGNER_NOT_ALLOWED' };
  }
  const limit = errors.map(({ message }) => READ_LIMIT.exec(message)?.[1]).find((ms) => ms !== undefined);
  if (limit !== undefined) return { ...refused, reason: 'RATE_LIMITED', retryAfterMs: boundedWait(Number(limit)) };
  // Without those words: HTTP 429, of the venue or of something before it.
  if (retryAfterMs !== undefined) return { ...refused, reason: 'RATE_LIMITED' };
  const isBeforehand = errors.length > 0 && errors.every(({ message }) => BEFOREHAND.test(message));
  if (isBeforehand) return { ...refused, reason: 'INVALID_ORDER' };
  return { type: 'unknown', problem: problem || 'an answer without data', sent: true };
}
