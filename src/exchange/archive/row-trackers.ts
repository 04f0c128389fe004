/**
 * Counters of accounts, rows of their two streams (movements of cash, events of orders), and last changes of positions.
 * Each commit writes only changed counters and positions.
 *
 * HOT: called for every event of an order (bench/journal.ts).
 */
import { type EpochMs, type Outcome, unchecked } from '../../domain/index.ts';
import { MAX_MAP_ENTRIES } from '../accounts/columns.ts';
import type { ExchangeView } from '../engine/view.ts';
import type { OpenOrder } from './open-order.ts';
import type { RowWriter } from './row-batch.ts';
import { cancelReasonCode, eventKindCode, ledgerKindCode, orderStatusCode } from './row-codes.ts';
import type { AccountRow, HoldingRow, LedgerKind, OrderEventKind } from './rows.ts';

/** A mutable row, and whether it changed since the last commit. */
type Tracked<Row> = { -readonly [Key in keyof Row]: Row[Key] } & { isDirty: boolean };
type TrackedAccount = Tracked<AccountRow>;
type TrackedHolding = Tracked<HoldingRow>;

export class AccountTracker {
  readonly #accounts: (TrackedAccount | undefined)[] = [];
  #dirty: TrackedAccount[] = [];

  constructor(rows: readonly AccountRow[] = []) {
    for (const row of rows) this.#accounts[row.account] = { ...row, isDirty: false };
  }

  open(
    { account, address, unlimited }: Pick<AccountRow, 'account' | 'address' | 'unlimited'>,
    openedAt: EpochMs,
  ): void {
    const zeros = { orders: 0, fills: 0, entries: 0, lastEvent: 0, isDirty: false };
    this.#accounts[account] = { account, address, unlimited, openedAt, ...zeros };
    this.markChanged(account);
  }

  /** Marks an account whose counters change, and returns them. @throws RangeError if the account was never opened */
  markChanged(account: number): TrackedAccount {
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

interface CashMovement {
  readonly account: number;
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly market?: number;
  readonly order?: number;
  readonly fill?: number;
}

export class AccountRows {
  readonly #view: ExchangeView;
  readonly #rows: RowWriter;
  readonly #accounts: AccountTracker;
  #lastEntrySeq = 0;
  /** Index of the last ledger entry among the entries of its event. */
  #lastEntryIndex = 0;

  constructor(view: ExchangeView, rows: RowWriter, accounts: AccountTracker) {
    this.#view = view;
    this.#rows = rows;
    this.#accounts = accounts;
  }

  addEntry({ account, kind, amount, market = -1, order = -1, fill = -1 }: CashMovement, seq: number): void {
    this.#lastEntryIndex = seq === this.#lastEntrySeq ? this.#lastEntryIndex + 1 : 0;
    this.#lastEntrySeq = seq;
    const id = 4 * seq + this.#lastEntryIndex;
    const code = ledgerKindCode(kind);
    this.#rows.add('entry', [account, id, code, amount, market, order, fill, this.#view.now]);
    this.#accounts.markChanged(account).entries += 1;
  }

  /** @param id twice the event's number, plus 1 for a taker */
  addEvent({ row }: OpenOrder, kind: OrderEventKind, id: number): void {
    const { account, market, order, shares, filled, amount, fee } = row;
    const tracked = this.#accounts.markChanged(account);
    const status = orderStatusCode(row.status);
    const reason = cancelReasonCode(row.cancelReason);
    const code = eventKindCode(kind);
    const { now } = this.#view;
    // biome-ignore format: in the order of ROW
    this.#rows.add('event', [
      id, tracked.lastEvent, account, market, order, code, shares, filled, amount, fee, status, reason, now,
    ]);
    tracked.lastEvent = id;
  }
}

export class HoldingTracker {
  readonly #holdings = new Map<number, TrackedHolding>();
  #dirty: TrackedHolding[] = [];

  constructor(rows: readonly HoldingRow[] = []) {
    for (const row of rows) this.#holdings.set(toKey(row.account, row.market), { ...row, isDirty: false });
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
    const key = toKey(account, market);
    const found = this.#holdings.get(key);
    if (found !== undefined) return found;
    const noTime = unchecked.time(0);
    const holding = { account, market, yesSeq: 0, yesAt: noTime, noSeq: 0, noAt: noTime, isDirty: false };
    this.#holdings.set(key, holding);
    return holding;
  }
}

/** Returns a unique number, because accounts and markets are at most MAX_MAP_ENTRIES, 2^24. */
function toKey(account: number, market: number): number {
  return account * MAX_MAP_ENTRIES + market;
}
