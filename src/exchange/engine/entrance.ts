/**
 * Tests before an order is looked at: who asks, and whether venue and market take orders.
 *
 * HOT: every order passes here. Timed as part of bench/exchange.ts.
 */
import type { Accounts } from '../accounts/accounts.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { MatchingBook } from '../matching/matching-book.ts';
import type { Asked, OrderTerms } from '../order-terms.ts';
import type { Refusal } from '../refusal.ts';
import type { Company } from './company.ts';
import type { Conditions } from './conditions.ts';
import type { Credentials } from './credentials.ts';
import type { Identities } from './identities.ts';
import type { OrderGroups } from './order-groups.ts';
import { refused } from './refused.ts';

/** What an order meets: a market, or one that is to be and has no book. */
export interface Venue
  extends Readonly<Pick<MarketRecord, 'no' | 'status' | 'halted' | 'tickBps' | 'feeRateBps' | 'volume'>> {
  readonly book: MatchingBook | undefined;
}

/** What the tests look at. */
export interface EntranceOf {
  readonly accounts: Accounts;
  readonly conditions: Conditions;
  readonly credentials: Credentials;
  readonly groups: OrderGroups;
  readonly identities: Identities;
}

/** Whether it is the number of an account. */
export function isAccount(accounts: Accounts, account: number): boolean {
  return account >= 1 && account <= accounts.count && (account | 0) === account;
}

/** SIGNER_NOT_ALLOWED and NOT_FOUND, for every command of an account. */
export function callerRefusal(
  { account, credential }: Asked,
  { accounts, credentials }: Pick<EntranceOf, 'accounts' | 'credentials'>,
): Refusal | undefined {
  if (credential !== 0) {
    if (credentials.isRevoked(credential)) return refused('SIGNER_NOT_ALLOWED');
    const isNumber = credential > 0 && (credential | 0) === credential;
    if (!isNumber || credentials.isForeign(credential, account)) return refused('NOT_FOUND', 'credential');
  }
  return isAccount(accounts, account) ? undefined : refused('NOT_FOUND', 'account');
}

/** From NOT_FOUND to MARKET_HALTED, for an order. */
export function entranceRefusal(
  { account }: Asked,
  terms: OrderTerms,
  market: Venue | undefined,
  company: Company | undefined,
  rooms: EntranceOf,
): Refusal | undefined {
  const { group, clientOrderId, replaces, restriction } = terms;
  if (market === undefined) return refused('NOT_FOUND', 'marketId');
  if (group !== 0 && rooms.groups.find(group, account) === undefined) return refused('NOT_FOUND', 'groupId');
  if (company === undefined ? replaces !== 0 : !company.mayReplace(replaces)) return refused('CONFLICT', 'replaces');
  if (company !== undefined && market.no !== company.market) return refused('CONFLICT', 'marketId');
  if (clientOrderId !== undefined && rooms.identities.orderOfClientId(account, clientOrderId) !== 0) {
    return refused('CONFLICT', 'clientOrderId');
  }
  if (restriction !== undefined) {
    if (restriction === 'EMAIL_NOT_VERIFIED') return refused('EMAIL_NOT_VERIFIED');
    if (restriction === 'GEO_BLOCKED' || terms.side !== 'SELL') return refused('GEO_BLOCKED');
  }
  const { mode } = rooms.conditions;
  if (mode !== 'NORMAL' && !(mode === 'POST_ONLY' && terms.postOnly)) return refused('VENUE_MODE');
  if (company?.isInitial === true) return undefined;
  if (market.status !== 'OPEN') return refused('MARKET_NOT_OPEN', 'marketId');
  return market.halted ? refused('MARKET_HALTED', 'marketId') : undefined;
}
