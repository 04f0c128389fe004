import { type AccountNo, unchecked } from '../../domain/index.ts';
import type { AccountCommand } from '../../exchange/index.ts';
import { type HexText, readHex, unauthorized, wrapRaw } from '../../protocol/index.ts';
import type { OperationContext, Viewer } from '../graphql/context.ts';
import type { ApiRefusal } from '../rejection.ts';
import type { ResolverDeps } from './deps.ts';

/** No market, order or group has this number, so the exchange answers NOT_FOUND. */
export const UNKNOWN_NUMBER = -1;

export interface Caller {
  readonly viewer: Viewer;
  readonly account: AccountNo;
  /** Lower case. */
  readonly address: HexText;
}

/** @throws WireFault UNAUTHORIZED without credentials */
export function requireCaller({ viewer }: OperationContext, { ids }: ResolverDeps): Caller {
  if (viewer === undefined) throw unauthorized();
  const account = ids.accountNo(viewer.account);
  if (account === undefined) throw new RangeError(`Invariant: the account of ${viewer.account} was never opened`);
  return { viewer, account, address: readHex('account', wrapRaw<'Hex'>(viewer.account), 20) };
}

/** Returns the common fields of an account's commands. Call this in `Task.command`. */
export function callerFields({ viewer, account }: Caller, { queue, access }: ResolverDeps): AccountCommand {
  return { time: queue.now, account: unchecked.account(account), credential: access.credentialNo(viewer) };
}

/** Consumes tokens. Returns a refusal if the bucket has too few. */
export function consumeTokens(
  bucket: 'order' | 'cancel',
  count: number,
  context: OperationContext,
  { buckets }: ResolverDeps,
): ApiRefusal | undefined {
  return toRateRefusal(count === 0 ? 0 : buckets.consume(context, bucket, count));
}

/** Returns undefined for 0 ms. */
export function toRateRefusal(retryAfterMs: number): ApiRefusal | undefined {
  return retryAfterMs === 0 ? undefined : { reason: 'RATE_LIMITED', retryAfterMs };
}
