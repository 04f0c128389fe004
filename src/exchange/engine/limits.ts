/**
 * The capacity of an exchange: a command that needs more is refused (ABOVE_MAX).
 *
 * Counts come from the state, so that a replay gives the same result. The exception is `holdings`: a restored exchange
 * omits empty ones.
 */
import { MOST_ACCOUNTS } from '../accounts/accounts.ts';
import { MOST_HOLDINGS } from '../accounts/holdings.ts';
import { MOST_OPEN_ORDERS } from '../matching/lengths.ts';
import type { Refusal } from '../refusal.ts';
import { refused } from '../refusal.ts';

/** A `Map` takes no more. */
const MOST_IN_A_MAP = 1 << 24;

/** Most entries of each kind. The same for the lifetime of a journal. Capacity of columns and maps. Memory may be smaller. */
export const MOST = {
  /** In all markets, including initial orders that wait. */
  openOrders: MOST_OPEN_ORDERS,
  /** Pairs of account and market that have or had something. */
  holdings: MOST_HOLDINGS,
  accounts: MOST_ACCOUNTS,
  markets: MOST_IN_A_MAP,
  orderGroups: MOST_IN_A_MAP,
  /** With a dead-man's switch: armed or lapsed. */
  credentials: MOST_IN_A_MAP / 2,
  /** Revoked credentials. They have room of their own, so that many armed switches do not keep a key from being revoked. */
  revocations: MOST_IN_A_MAP / 2,
};
export type ExchangeLimits = Readonly<typeof MOST>;

/** The refusal of an entry beyond the limit; undefined while there is room. @param count how many there are */
export function fullRefusal(limits: ExchangeLimits, of: keyof ExchangeLimits, count: number): Refusal | undefined {
  const most = limits[of];
  return count < most ? undefined : refused('ABOVE_MAX', of, most, count + 1, 'COUNT');
}
