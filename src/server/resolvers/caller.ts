import { type AccountNo, counted } from '../../domain/index.ts';
import type { Asked } from '../../exchange/index.ts';
import { type HexText, rawText, readHex, unauthorized } from '../../protocol/index.ts';
import type { OperationContext, Viewer } from '../graphql/context.ts';
import type { ResolverDeps } from './deps.ts';

/** The account that asks. */
export interface Caller {
  readonly viewer: Viewer;
  readonly account: AccountNo;
  /** Lower case. */
  readonly address: HexText;
}

/** @throws WireFault UNAUTHORIZED without credentials */
export function callerOf({ viewer }: OperationContext, { ids }: Pick<ResolverDeps, 'ids'>): Caller {
  if (viewer === undefined) throw unauthorized();
  const account = ids.account(viewer.account);
  if (account === undefined) throw new RangeError(`Invariant: the account of ${viewer.account} was never opened`);
  return { viewer, account, address: readHex('account', rawText<'Hex'>(viewer.account), 20) };
}

/** What each command of an account carries; made in its turn. */
export function callerFields({ viewer, account }: Caller, { queue, callers }: ResolverDeps): Asked {
  return { time: queue.now, account: counted.account(account), credential: callers.credentialNo(viewer) };
}
