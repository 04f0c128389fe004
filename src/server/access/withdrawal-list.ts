/** The list of an account's withdrawals, newest first. */
import { type Connection, connectionOf } from '../paging/connection.ts';
import type { Cursors } from '../paging/cursors.ts';
import { type PageArguments, readPage } from '../paging/page-request.ts';
import { comparePlaces } from '../paging/place.ts';
import { reversed, sortedPage } from '../paging/sorted-page.ts';
import { presentWithdrawal, type WithdrawalModel } from './account-presenter.ts';
import type { Withdrawal } from './withdrawal-codec.ts';
import type { Withdrawals } from './withdrawals.ts';

/** What the list stands on. */
export interface WithdrawalListDeps {
  readonly withdrawals: Withdrawals;
  readonly cursors: Cursors;
}

/** A page. @throws WireFault for arguments that are none */
export function listWithdrawals(
  { withdrawals, cursors }: WithdrawalListDeps,
  account: string,
  args: PageArguments,
): Connection<WithdrawalModel> {
  // Numbers follow the order of creation and, unlike times, never stand still or go back.
  const placeOf = ({ number }: Withdrawal) => ({ value: number, id: number });
  const list = { list: `withdrawals ${account}`, sort: 'CREATED_AT_DESC', placeOf };
  const request = readPage(args, (cursor) => cursors.open(list, cursor));
  const page = sortedPage(reversed(withdrawals.ofAccount(account)), request, (row, place) =>
    comparePlaces(placeOf(row), place, 'descending'),
  );
  return connectionOf(cursors, list, page, presentWithdrawal);
}
