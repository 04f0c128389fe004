import { type AccountNo, unchecked } from '../../domain/index.ts';
import type { AccountCommand } from '../../exchange/index.ts';
import { type HexText, rawText, readHex, unauthorized } from '../../protocol/index.ts';
import type { OperationContext, Viewer } from '../graphql/context.ts';
import type { Refused } from '../rejection.ts';
import type { ResolverDeps } from './deps.ts';

/** A number that no market, order or group has: the exchange refuses it as NOT_FOUND. */
export const UNKNOWN = -1;

/** The account that sends a request. */
export interface Caller {
  readonly viewer: Viewer;
  readonly account: AccountNo;
  /** Lower case. */
  readonly address: HexText;
}

/** @throws WireFault UNAUTHORIZED without credentials */
export function callerOf({ viewer }: OperationContext, { ids }: ResolverDeps): Caller {
  if (viewer === undefined) throw unauthorized();
  const account = ids.account(viewer.account);
  if (account === undefined) throw new RangeError(`Invariant: the account of ${viewer.account} was never opened`);
  return { viewer, account, address: readHex('account', rawText<'Hex'>(viewer.account), 20) };
}

/** The common fields of an account's commands. Call it in the command's turn. */
export function callerFields({ viewer, account }: Caller, { queue, callers }: ResolverDeps): AccountCommand {
  return { time: queue.now, account: unchecked.account(account), credential: callers.credentialNo(viewer) };
}

/** Consumes tokens for orders or cancels. @returns a refusal if there are too few */
export function takeTokens(
  bucket: 'order' | 'cancel',
  count: number,
  context: OperationContext,
  { buckets }: ResolverDeps,
): Refused | undefined {
  return rateRefusal(count === 0 ? 0 : buckets.take(context, bucket, count));
}

/** @param retryAfterMs 0 for none */
export function rateRefusal(retryAfterMs: number): Refused | undefined {
  return retryAfterMs === 0 ? undefined : { reason: 'RATE_LIMITED', retryAfterMs };
}
