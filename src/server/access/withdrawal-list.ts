/** The list of an account's withdrawals, newest first. */
import {
  type Connection,
  type Cursors,
  comparePlaces,
  connectionOf,
  type PageArguments,
  readPage,
  reversed,
  sortedPage,
} from '../paging/index.ts';
import { type ShownWithdrawal, showWithdrawal } from './shown.ts';
import type { Withdrawal } from './withdrawal-codec.ts';
import type { Withdrawals } from './withdrawals.ts';

/** What the list stands on. */
export interface WithdrawalListOf {
  readonly withdrawals: Withdrawals;
  readonly cursors: Cursors;
}

/** A page. @throws WireFault for arguments that are none */
export function listWithdrawals(
  { withdrawals, cursors }: WithdrawalListOf,
  account: string,
  args: PageArguments,
): Connection<ShownWithdrawal> {
  // Numbers follow the order of creation and, unlike times, never stand still or go back.
  const placeOf = ({ number }: Withdrawal) => ({ value: number, id: number });
  const list = { list: `withdrawals ${account}`, sort: 'CREATED_AT_DESC', placeOf };
  const request = readPage(args, (cursor) => cursors.open(list, cursor));
  const page = sortedPage(reversed(withdrawals.ofAccount(account)), request, (row, place) =>
    comparePlaces(placeOf(row), place, 'descending'),
  );
  return connectionOf(cursors, list, page, showWithdrawal);
}
