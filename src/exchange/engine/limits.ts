/**
 * The capacity of an exchange; a command that needs more is refused (ABOVE_MAX).
 *
 * Counts come from the state, so that a replay gives the same result. The exception is `holdings`: a restored exchange omits
 * empty ones.
 */
import { MAX_ACCOUNTS } from '../accounts/accounts.ts';
import { MAX_HOLDINGS } from '../accounts/holdings.ts';
import { MAX_OPEN_ORDERS } from '../matching/lengths.ts';
import { type Refusal, refused } from '../refusal.ts';

/** Maximum number of entries of a `Map`. */
const MAX_IN_A_MAP = 1 << 24;

/** The technical maximum of each kind of entry, apart from memory. Limits are fixed for the lifetime of a journal. */
export const CAPACITY_LIMITS = {
  /** Open orders in all markets, including waiting initial orders. */
  openOrders: MAX_OPEN_ORDERS,
  /** Pairs of account and market that ever had an order or shares. */
  holdings: MAX_HOLDINGS,
  accounts: MAX_ACCOUNTS,
  markets: MAX_IN_A_MAP,
  orderGroups: MAX_IN_A_MAP,
  /** Credentials with an armed or lapsed dead-man's switch. */
  credentials: MAX_IN_A_MAP / 2,
  /** Revoked credentials. A separate limit, so that armed switches cannot prevent a revocation. */
  revocations: MAX_IN_A_MAP / 2,
};
export type ExchangeLimits = Readonly<typeof CAPACITY_LIMITS>;

/** Returns the refusal of an entry beyond the limit; undefined if there is room. @param count present number of entries */
export function fullRefusal(limits: ExchangeLimits, name: keyof ExchangeLimits, count: number): Refusal | undefined {
  const max = limits[name];
  return count < max ? undefined : refused('ABOVE_MAX', name, max, count + 1, 'COUNT');
}
