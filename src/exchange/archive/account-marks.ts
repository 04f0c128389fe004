/** What is counted of each account. */
import type { EpochMs } from '../../domain/index.ts';
import type { RowWriter } from './row-batch.ts';
import type { AccountRow } from './rows.ts';

interface Mark {
  readonly account: number;
  readonly address: string;
  readonly unlimited: boolean;
  readonly openedAt: EpochMs;
  orders: number;
  fills: number;
  entries: number;
  lastEvent: number;
  isDirty: boolean;
}

/** All accounts, by number. */
export class AccountMarks {
  readonly #marks: (Mark | undefined)[] = [];
  #dirty: Mark[] = [];

  constructor(rows: readonly AccountRow[] = []) {
    for (const row of rows) this.#marks[row.account] = { ...row, isDirty: false };
  }

  open(opened: Pick<AccountRow, 'account' | 'address' | 'unlimited' | 'openedAt'>): void {
    const none = { orders: 0, fills: 0, entries: 0, lastEvent: 0, isDirty: false };
    this.#marks[opened.account] = { ...opened, ...none };
    this.change(opened.account);
  }

  /** The account, to be changed. @throws RangeError when it was never opened */
  change(account: number): Mark {
    const mark = this.#marks[account];
    if (mark === undefined) throw new RangeError(`Invariant: account ${account} was never told of`);
    if (!mark.isDirty) {
      mark.isDirty = true;
      this.#dirty.push(mark);
    }
    return mark;
  }

  flush(rows: RowWriter): void {
    for (const mark of this.#dirty) {
      mark.isDirty = false;
      const { account, address, unlimited, openedAt, orders, fills, entries, lastEvent } = mark;
      rows.add('account', [account, unlimited ? 1 : 0, openedAt, orders, fills, entries, lastEvent], [address]);
    }
    this.#dirty = [];
  }
}
