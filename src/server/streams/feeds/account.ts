import type { ExchangeView } from '../../../exchange/index.ts';
import { unauthorized } from '../../../protocol/index.ts';
import type { Subscription } from '../subscription.ts';

/** Number of the subscriber's account. @throws WireFault UNAUTHORIZED without one */
export function accountOf({ viewer }: Subscription, view: ExchangeView): number {
  const account = viewer === undefined ? 0 : view.accountOf(viewer.account);
  if (account === 0) throw unauthorized();
  return account;
}
