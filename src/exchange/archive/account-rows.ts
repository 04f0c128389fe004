/**
 * Rows of an account's two streams: movements of its cash, and events of its orders.
 *
 * HOT: called for every event of an order (bench/journal.ts).
 */
import type { ExchangeView } from '../engine/view.ts';
import type { OpenOrder } from './open-order.ts';
import type { RowWriter } from './row-batch.ts';
import { eventKindCode, ledgerKindCode, orderStatusCode, reasonCode } from './row-codes.ts';
import type { AccountTracker } from './row-trackers.ts';
import type { LedgerKind, OrderEventKind } from './rows.ts';

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
    this.#accounts.change(account).entries += 1;
  }

  /** @param id twice the event's number, plus 1 for a taker */
  addEvent({ row }: OpenOrder, kind: OrderEventKind, id: number): void {
    const { account, market, order, shares, filled, amount, fee } = row;
    const tracked = this.#accounts.change(account);
    const status = orderStatusCode(row.status);
    const reason = reasonCode(row.cancelReason);
    const code = eventKindCode(kind);
    const { now } = this.#view;
    // biome-ignore format: in the order of ROW
    this.#rows.add('event', [
      id, tracked.lastEvent, account, market, order, code, shares, filled, amount, fee, status, reason, now,
    ]);
    tracked.lastEvent = id;
  }
}
