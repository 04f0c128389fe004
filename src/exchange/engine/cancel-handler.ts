/** HOT: half of all commands are cancels, mostly of a single order (bench/exchange.ts). */
import { LOT } from '../../domain/index.ts';
import type { Holdings } from '../accounts/holdings.ts';
import type { Cancel, CancelMarketOrders, Reduce } from '../command.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import { CLOSE, outcomeAndSide } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { AccountCommand } from '../order-terms.ts';
import { type Refusal, refused } from '../refusal.ts';
import { isAccount } from './credentials.ts';
import { WHOLE_COMMAND } from './event-sequencer.ts';
import type { Conditions, ExchangeState } from './exchange-state.ts';
import type { MatchHandler } from './match-handler.ts';
import { isWholeLots } from './order-form.ts';

const { user: USER } = CLOSE;
const OUTCOMES = ['YES', 'NO'];
const SIDES = ['BUY', 'SELL'];

type CancelHandlerDeps = ExchangeState & { readonly matchHandler: MatchHandler };

/** Cancels and reduces orders, also for revoked credentials, because both commands only remove risk. */
export class CancelHandler {
  readonly #context: CancelHandlerDeps;
  // Fields of the fast path; declared for speed: docs/decisions/0017.
  declare private readonly slots: OrderSlots;
  declare private readonly holdings: Holdings;
  declare private readonly conditions: Conditions;
  declare private readonly records: readonly MarketRecord[];

  constructor(context: CancelHandlerDeps) {
    this.#context = context;
    this.slots = context.slots;
    this.holdings = context.clearing.holdings;
    this.conditions = context.conditions;
    this.records = context.records;
  }

  cancel(command: Cancel): void {
    if (!this.cancelSingle(command)) this.#cancelList(command);
  }

  /** Cancels a single open order of the account. @returns false, with nothing changed, if `cancel` must decide */
  cancelSingle(command: Cancel): boolean {
    const { orders } = command;
    return Array.isArray(orders) && orders.length === 1 && this.#closeSingle(command, orders[0]!);
  }

  #closeSingle({ account, credential }: AccountCommand, order: number): boolean {
    const { slots, conditions } = this;
    if (typeof order !== 'number' || typeof credential !== 'number') return false;
    if (conditions.mode !== 'NORMAL' || conditions.config.maxBatchCancels < 1) return false;
    const slot = slots.find(order);
    if (slot === 0 || this.holdings.accountOf(slots.holding(slot)) !== account) return false;
    this.records[slots.book(slot)]!.book.close(slot, USER);
    return true;
  }

  #cancelList(command: Cancel): void {
    const { slots, conditions, clearing, orderCloser, sequencer } = this.#context;
    const { orders, account } = command;
    const max = conditions.config.maxBatchCancels;
    const refusal =
      (Array.isArray(orders) ? undefined : refused('INVALID_ORDER', 'ids')) ??
      this.#callerRefusal(command) ??
      (orders.length > max ? refused('INVALID_ORDER', 'ids', max, orders.length, 'COUNT') : undefined);
    if (refusal !== undefined) {
      sequencer.sink.refused(WHOLE_COMMAND, refusal);
      return;
    }
    for (let entry = 0; entry < orders.length; entry++) {
      const order = orders[entry]!;
      const slot = typeof order === 'number' ? slots.find(order) : 0;
      if (slot !== 0 && clearing.holdings.accountOf(slots.holding(slot)) === account) orderCloser.closeSlot(slot, USER);
      else sequencer.sink.refused(entry, this.#notOpen(account, order));
    }
  }

  reduce({ account, credential, time, order, by }: Reduce): void {
    const { slots, clearing, orderCloser, matchHandler, sequencer } = this.#context;
    const slot = typeof order === 'number' ? slots.find(order) : 0;
    const isOpen = slot !== 0 && clearing.holdings.accountOf(slots.holding(slot)) === account;
    const notOpen = isOpen ? undefined : this.#notOpen(account, order);
    const refusal =
      (notOpen?.reason === 'NOT_FOUND' ? notOpen : undefined) ??
      this.#callerRefusal({ account, credential, time }) ??
      notOpen ??
      (isWholeLots(by) ? undefined : refused('INVALID_LOT', 'byShares', LOT, by, 'MICRO_SHARES'));
    if (refusal !== undefined) {
      sequencer.sink.refused(0, refusal);
      return;
    }
    matchHandler.reduction = by;
    orderCloser.marketOf(slot).book.reduce(slot, by);
  }

  cancelMarketOrders(command: CancelMarketOrders): Refusal | undefined {
    const { slots, clearing, orderCloser, records } = this.#context;
    const { account, market, outcome, side } = command;
    const refusal =
      (isAccount(clearing.accounts, account) ? undefined : refused('NOT_FOUND', 'account')) ??
      (records[market] === undefined ? refused('NOT_FOUND', 'marketId') : undefined) ??
      this.#callerRefusal(command) ??
      (isUndefinedOrOneOf(outcome, OUTCOMES) ? undefined : refused('INVALID_ORDER', 'outcome')) ??
      (isUndefinedOrOneOf(side, SIDES) ? undefined : refused('INVALID_ORDER', 'side'));
    if (refusal !== undefined) return refusal;
    for (const slot of orderCloser.slotsOf(clearing.holdings.find(account, market))) {
      const order = outcomeAndSide(slots.kind(slot));
      const matchesOutcome = outcome === undefined || order.outcome === outcome;
      const matchesSide = side === undefined || order.side === side;
      if (matchesOutcome && matchesSide) orderCloser.closeSlot(slot, USER);
    }
    return undefined;
  }

  /** Cancels all orders and raises the epoch, so that orders signed for the previous epoch are refused. */
  cancelAllOrders(command: AccountCommand): Refusal | undefined {
    const { clearing, orderCloser, sequencer } = this.#context;
    const { account } = command;
    const refusal = this.#callerRefusal(command);
    if (refusal !== undefined) return refusal;
    const epoch = (clearing.accounts.epoch[account] ?? 0) + 1;
    clearing.accounts.epoch[account] = epoch;
    sequencer.emit({ type: 'epochRaised', account, epoch });
    orderCloser.closeAccountOrders(account, USER);
    return undefined;
  }

  #callerRefusal({ account, credential }: AccountCommand): Refusal | undefined {
    if (typeof credential !== 'number') return refused('INVALID_ORDER', 'credential');
    if (!isAccount(this.#context.clearing.accounts, account)) return refused('NOT_FOUND', 'account');
    return this.#context.conditions.mode === 'HALTED' ? refused('VENUE_MODE') : undefined;
  }

  /** Returns the refusal for an order that is not open or belongs to another account. */
  #notOpen(account: number, order: number): Refusal {
    return refused(this.#context.owners.accountOf(order) === account ? 'ALREADY_FINAL' : 'NOT_FOUND', 'id');
  }
}

function isUndefinedOrOneOf(value: string | undefined, values: readonly string[]): boolean {
  return value === undefined || values.includes(value);
}
