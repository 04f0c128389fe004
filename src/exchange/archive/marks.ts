/** Counters of accounts and last changes of positions; each commit writes only the changed ones. */
import { column, type EpochMs, type Outcome } from '../../domain/index.ts';
import type { RowWriter } from './row-batch.ts';
import type { AccountRow, HoldingRow } from './rows.ts';

/** A mutable row, and whether it changed since the last commit. */
type Mark<Row> = { -readonly [Key in keyof Row]: Row[Key] } & { isDirty: boolean };
type AccountMark = Mark<AccountRow>;
type HoldingMark = Mark<HoldingRow>;

/** Counters of all accounts, by number. */
export class AccountMarks {
  readonly #marks: (AccountMark | undefined)[] = [];
  #dirty: AccountMark[] = [];

  constructor(rows: readonly AccountRow[] = []) {
    for (const row of rows) this.#marks[row.account] = { ...row, isDirty: false };
  }

  open(opened: Pick<AccountRow, 'account' | 'address' | 'unlimited' | 'openedAt'>): void {
    const none = { orders: 0, fills: 0, entries: 0, lastEvent: 0, isDirty: false };
    this.#marks[opened.account] = { ...opened, ...none };
    this.change(opened.account);
  }

  /** Returns an account's counters for a change. @throws RangeError if it was never opened */
  change(account: number): AccountMark {
    const mark = this.#marks[account];
    if (mark === undefined) throw new RangeError(`Invariant: account ${account} was never opened`);
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

/** A key is `account * MARKETS + market`, exact for markets below 2^22 and accounts below 2^31. */
const MARKETS = 4_194_304;

/** The last change of each position, by account and market. */
export class HoldingMarks {
  readonly #marks = new Map<number, HoldingMark>();
  #dirty: HoldingMark[] = [];

  constructor(rows: readonly HoldingRow[] = []) {
    for (const row of rows) this.#marks.set(row.account * MARKETS + row.market, { ...row, isDirty: false });
  }

  /** Marks a position, or both if `outcome` is undefined, as changed by an event. */
  touch(account: number, market: number, outcome: Outcome | undefined, seq: number, now: EpochMs): void {
    const mark = this.#mark(account, market);
    if (outcome !== 'NO') {
      mark.yesSeq = seq;
      mark.yesAt = now;
    }
    if (outcome !== 'YES') {
      mark.noSeq = seq;
      mark.noAt = now;
    }
    if (mark.isDirty) return;
    mark.isDirty = true;
    this.#dirty.push(mark);
  }

  flush(rows: RowWriter): void {
    for (const mark of this.#dirty) {
      mark.isDirty = false;
      rows.add('holding', [mark.account, mark.market, mark.yesSeq, mark.yesAt, mark.noSeq, mark.noAt]);
    }
    this.#dirty = [];
  }

  #mark(account: number, market: number): HoldingMark {
    const key = account * MARKETS + market;
    const found = this.#marks.get(key);
    if (found !== undefined) return found;
    const noTime = column.time(0);
    const mark = { account, market, yesSeq: 0, yesAt: noTime, noSeq: 0, noAt: noTime, isDirty: false };
    this.#marks.set(key, mark);
    return mark;
  }
}
