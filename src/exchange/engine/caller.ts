/** Checks common to the commands of accounts. */
import type { Accounts } from '../accounts/accounts.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { Book } from '../matching/book.ts';
import type { AccountCommand } from '../order-terms.ts';
import { type Refusal, refused } from '../refusal.ts';
import type { Credentials } from './credentials.ts';

/** The market of an order: an existing one, or a new one without a book. */
export interface OrderMarket
  extends Readonly<
    Pick<MarketRecord, 'no' | 'status' | 'halted' | 'tickBps' | 'feeRateBps' | 'minOrderShares' | 'volume'>
  > {
  readonly book: Book | undefined;
}

export function isAccount(accounts: Accounts, account: number): boolean {
  return typeof account === 'number' && account >= 1 && account <= accounts.count && (account | 0) === account;
}

/** Checks the account and credential of a command: SIGNER_NOT_ALLOWED, NOT_FOUND. */
export function callerRefusal(
  { account, credential }: AccountCommand,
  { accounts, credentials }: { readonly accounts: Accounts; readonly credentials: Credentials },
): Refusal | undefined {
  if (credentials.isRevoked(credential)) return refused('SIGNER_NOT_ALLOWED');
  if (typeof credential !== 'number' || credential < 0 || (credential | 0) !== credential)
    return refused('NOT_FOUND', 'credential');
  return isAccount(accounts, account) ? undefined : refused('NOT_FOUND', 'account');
}
