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

/** A movement of cash. */
interface Movement {
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
  /** Event of the last ledger entry. */
  #entrySeq = 0;
  /** Index of the last ledger entry among the entries of its event. */
  #entryIndex = 0;

  constructor(view: ExchangeView, rows: RowWriter, accounts: AccountTracker) {
    this.#view = view;
    this.#rows = rows;
    this.#accounts = accounts;
  }

  addEntry({ account, kind, amount, market = -1, order = -1, fill = -1 }: Movement, seq: number): void {
    this.#entryIndex = seq === this.#entrySeq ? this.#entryIndex + 1 : 0;
    this.#entrySeq = seq;
    const id = 4 * seq + this.#entryIndex;
    const code = ledgerKindCode(kind);
    this.#rows.add('entry', [account, id, code, amount, market, order, fill, this.#view.now]);
    this.#accounts.change(account).entries += 1;
  }

  /** @param id twice the event's number, plus 1 for a taker */
  addEvent({ row }: OpenOrder, kind: OrderEventKind, id: number): void {
    const { account, market, order } = row;
    const tracked = this.#accounts.change(account);
    const { shares, filled, amount, fee } = row;
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
