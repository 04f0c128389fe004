/** What an answer to a change means for what was asked: done, surely not done, or nobody knows. */
import type { RejectReason } from '../../../domain/index.ts';
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
const INTERNAL = /^internal error\b/;

/** @param payloadOf the root field's value; null when the venue could not answer it */
export function outcomeOf<Data, Payload>(
  answer: Answer<Data>,
  payloadOf: (data: Data) => Payload | null,
  { trouble }: Pick<OrdersOf, 'trouble'>,
): Outcome<Payload> {
  switch (answer.type) {
    case 'data': {
      const payload = payloadOf(answer.data);
      return payload === null ? refusedBy(answer.errors, 0, trouble) : { type: 'done', payload };
    }
    case 'errors':
      return refusedBy(answer.errors, answer.retryAfterMs ?? 0, trouble);
    case 'blocked':
      trouble({ type: 'blocked', problem: answer.problem });
      return { type: 'unknown', problem: answer.problem, sent: true };
    case 'lost':
      return { type: 'unknown', problem: answer.problem, sent: answer.sent };
  }
}

/** Only `UNAUTHORIZED` is for programs; of the others the words say how the contract makes them (venue.md 6). */
function refusedBy(errors: readonly WireError[], retryAfterMs: number, trouble: OrdersOf['trouble']): Outcome<never> {
  const problem = errors.map(({ message }) => message).join('; ');
  const refused = { type: 'refused', problem, retryAfterMs } as const;
  if (errors.some(({ message }) => message === UNAUTHORIZED)) {
    trouble({ type: 'unauthorized' });
    return { ...refused, reason: 'SIGNER_NOT_ALLOWED' };
  }
  const limit = errors.map(({ message }) => READ_LIMIT.exec(message)?.[1]).find((ms) => ms !== undefined);
  if (limit !== undefined) return { ...refused, reason: 'RATE_LIMITED', retryAfterMs: Number(limit) };
  // Whoever failed inside may have done it all the same.
  const isInternal = errors.length === 0 || errors.some(({ message }) => INTERNAL.test(message));
  if (isInternal) return { type: 'unknown', problem: problem || 'an answer without data', sent: true };
  return { ...refused, reason: 'INVALID_ORDER' };
}
