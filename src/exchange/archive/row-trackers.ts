/** Counters of accounts and last changes of positions. Each commit writes only changed rows. */
import { type EpochMs, type Outcome, unchecked } from '../../domain/index.ts';
import type { RowWriter } from './row-batch.ts';
import type { AccountRow, HoldingRow } from './rows.ts';

/** A mutable row, and whether it changed since the last commit. */
type Tracked<Row> = { -readonly [Key in keyof Row]: Row[Key] } & { isDirty: boolean };
type TrackedAccount = Tracked<AccountRow>;
type TrackedHolding = Tracked<HoldingRow>;

/** Counters of all accounts, by number. */
export class AccountTracker {
  readonly #accounts: (TrackedAccount | undefined)[] = [];
  #dirty: TrackedAccount[] = [];

  constructor(rows: readonly AccountRow[] = []) {
    for (const row of rows) this.#accounts[row.account] = { ...row, isDirty: false };
  }

  open(opened: Pick<AccountRow, 'account' | 'address' | 'unlimited' | 'openedAt'>): void {
    const none = { orders: 0, fills: 0, entries: 0, lastEvent: 0, isDirty: false };
    this.#accounts[opened.account] = { ...opened, ...none };
    this.change(opened.account);
  }

  /** Returns an account's counters for a change. @throws RangeError if the account was never opened */
  change(account: number): TrackedAccount {
    const tracked = this.#accounts[account];
    if (tracked === undefined) throw new RangeError(`Invariant: account ${account} was never opened`);
    if (!tracked.isDirty) {
      tracked.isDirty = true;
      this.#dirty.push(tracked);
    }
    return tracked;
  }

  flush(rows: RowWriter): void {
    for (const tracked of this.#dirty) {
      tracked.isDirty = false;
      const { account, address, unlimited, openedAt, orders, fills, entries, lastEvent } = tracked;
      rows.add('account', [account, unlimited ? 1 : 0, openedAt, orders, fills, entries, lastEvent], [address]);
    }
    this.#dirty = [];
  }
}

/** A key is `account * MARKETS + market`, exact for markets below 2^22 and accounts below 2^31. */
const MARKETS = 4_194_304;

/** The last change of each position, by account and market. */
export class HoldingTracker {
  readonly #holdings = new Map<number, TrackedHolding>();
  #dirty: TrackedHolding[] = [];

  constructor(rows: readonly HoldingRow[] = []) {
    for (const row of rows) this.#holdings.set(row.account * MARKETS + row.market, { ...row, isDirty: false });
  }

  /** Marks a position, or both if `outcome` is undefined, as changed by an event. */
  touch(account: number, market: number, outcome: Outcome | undefined, seq: number, now: EpochMs): void {
    const holding = this.#holding(account, market);
    if (outcome !== 'NO') {
      holding.yesSeq = seq;
      holding.yesAt = now;
    }
    if (outcome !== 'YES') {
      holding.noSeq = seq;
      holding.noAt = now;
    }
    if (holding.isDirty) return;
    holding.isDirty = true;
    this.#dirty.push(holding);
  }

  flush(rows: RowWriter): void {
    for (const holding of this.#dirty) {
      holding.isDirty = false;
      const { account, market, yesSeq, yesAt, noSeq, noAt } = holding;
      rows.add('holding', [account, market, yesSeq, yesAt, noSeq, noAt]);
    }
    this.#dirty = [];
  }

  #holding(account: number, market: number): TrackedHolding {
    const key = account * MARKETS + market;
    const found = this.#holdings.get(key);
    if (found !== undefined) return found;
    const noTime = unchecked.time(0);
    const holding = { account, market, yesSeq: 0, yesAt: noTime, noSeq: 0, noAt: noTime, isDirty: false };
    this.#holdings.set(key, holding);
    return holding;
  }
}
