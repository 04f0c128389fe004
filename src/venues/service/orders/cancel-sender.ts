/**
 * Sends cancels, and repeats them until the venue has answered. A lost, rate-limited or temporarily refused cancel is
 * repeated, because a second cancel does no harm. The pauses between repeats grow. A cancel that keeps failing is
 * reported as stuck, and repeated slowly as long as the order is open.
 *
 * After the answer NOT_FOUND, `MissingOrders` searches for the order. The cancel is repeated only if the order is open.
 */
import type { RejectReason } from '../../../domain/index.ts';
import {
  type CancelPayloadFieldsFragment,
  type CancelResultFieldsFragment,
  OPERATIONS,
} from '../../../protocol/index.ts';
import { Backoff, batches, type VenueOrder } from '../../base/index.ts';
import { storeEpoch } from '../account/order-epoch.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import type { HeldRefusals } from './held-refusals.ts';
import type { MissingOrders } from './missing-orders.ts';
import { type RequestOutcome, sendRequest } from './requests.ts';

/** Temporary refusals, after which a cancel is repeated. */
const TEMPORARY: ReadonlySet<RejectReason> = new Set(['RATE_LIMITED', 'VENUE_MODE']);

export interface CancelDeps extends ExecutionDeps {
  readonly heldRefusals: HeldRefusals;
  readonly missing: MissingOrders;
}

export class CancelSender {
  readonly #deps: CancelDeps;
  readonly #pending = new Set<VenueOrder>();
  /** Orders that a cancel did not find, while `MissingOrders` searches for them. */
  readonly #searched = new Set<VenueOrder>();
  readonly #backoff = new Backoff();
  #isRepeatScheduled = false;
  #cancelRepeat = (): void => {};
  #isCancelAllPending = false;
  readonly #cancelAllBackoff = new Backoff();

  constructor(deps: CancelDeps) {
    this.#deps = deps;
  }

  /**
   * Cancels orders. An order that the venue does not know yet is cancelled at its first event. A cancel that waits for
   * its repeat keeps waiting.
   * @param isRequested whether the core requested the cancels and receives refusals
   */
  cancel(orders: readonly VenueOrder[], { isRequested }: { readonly isRequested: boolean }): void {
    for (const { cancel } of orders) if (cancel !== undefined && isRequested) cancel.isRequested = true;
    const toSend = orders.filter(
      (order) => !order.life.hasEnded && order.cancel?.isInFlight !== true && !this.#isWaiting(order),
    );
    for (const order of toSend) {
      order.cancelIfAtVenue();
      const { cancel } = order;
      order.cancel = {
        isRequested: isRequested || cancel?.isRequested === true,
        isInFlight: false,
        attempts: cancel?.attempts ?? 0,
      };
      this.#deps.orders.markLeaving(order);
      this.#pending.add(order);
    }
    this.#send(toSend);
  }

  /**
   * Cancels all orders, and repeats the cancel until the venue answers.
   * @param isAccountWide whether to cancel the account's orders of other programs, too. This raises the epoch, so that
   *   the venue refuses signed orders in flight
   */
  cancelAll({ isAccountWide = false }: { readonly isAccountWide?: boolean }): void {
    const orders = this.#deps.orders.open();
    for (const order of orders) order.cancelIfAtVenue();
    if (!isAccountWide) {
      // This includes orders without an event, because requests keep their order.
      this.cancel(orders, { isRequested: false });
      return;
    }
    for (const order of orders) this.#deps.orders.markLeaving(order);
    if (this.#isCancelAllPending) return;
    this.#isCancelAllPending = true;
    this.#cancelAllBackoff.reset();
    this.#sendCancelAll();
  }

  /** Sends the waiting repeats at once, after a reconnect. */
  onConnected(): void {
    if (!this.#isRepeatScheduled) return;
    this.#backoff.reset();
    this.#repeat();
  }

  /** Whether no cancel waits for its answer. */
  get isQuiet(): boolean {
    return this.pendingCount === 0 && !this.#isCancelAllPending;
  }

  get pendingCount(): number {
    for (const order of this.#pending) if (order.life.hasEnded) this.#pending.delete(order);
    return this.#pending.size;
  }

  #send(orders: readonly VenueOrder[]): void {
    for (const batch of batches(orders, this.#deps.terms().maxCancels)) this.#sendBatch(batch);
  }

  #sendBatch(batch: readonly VenueOrder[]): void {
    for (const { cancel } of batch) {
      if (cancel === undefined) continue;
      cancel.isInFlight = true;
      cancel.attempts += 1;
    }
    const ids = batch.map(({ hash }) => `"${hash}"`).join(',');
    sendRequest(this.#deps, OPERATIONS.cancelOrders, `{"ids":[${ids}]}`, (outcome) => this.#onAnswer(batch, outcome));
  }

  #onAnswer(batch: readonly VenueOrder[], outcome: RequestOutcome<CancelPayloadFieldsFragment>): void {
    for (const order of batch) if (order.cancel !== undefined) order.cancel.isInFlight = false;
    if (outcome.type === 'done') {
      const { results } = outcome.payload;
      const repeats = batch.map((order, at) => this.#onResult(order, results[at])).filter((each) => each !== undefined);
      const [first] = repeats;
      if (first !== undefined)
        this.#scheduleRepeat(first.reason, Math.max(...repeats.map(({ retryAfterMs }) => retryAfterMs)));
      else if (this.#searched.size === 0 && ![...this.#pending].some(wasRepeated)) this.#backoff.reset();
      return;
    }
    // Giving up would leave the order open, while the core expects its end.
    if (outcome.type === 'refused' && outcome.reason === 'INVALID_ORDER')
      this.#deps.log.error({ problem: outcome.problem }, 'the venue cannot read a cancel; retrying');
    this.#scheduleRepeat(outcome.problem, outcome.type === 'refused' ? outcome.retryAfterMs : 0);
  }

  #sendCancelAll(): void {
    const operation = OPERATIONS.cancelAllOrders;
    sendRequest(this.#deps, operation, '{}', (outcome) => {
      if (outcome.type === 'done') {
        this.#isCancelAllPending = false;
        // Another cancel of all orders may have raised the epoch further.
        storeEpoch(this.#deps.records, outcome.payload.newEpoch, this.#deps.log);
        return;
      }
      const { problem } = outcome;
      this.#deps.log.warn({ problem }, 'cancelling all orders of the account failed; retrying');
      const minMs = outcome.type === 'refused' ? outcome.retryAfterMs : 0;
      const failed = { command: operation.field, problem, markets: [] };
      const wait = this.#cancelAllBackoff.onFailure(failed, this.#deps.onProblem, minMs);
      this.#deps.timers.after(wait, () => this.#sendCancelAll());
    });
  }

  /** Handles one result of a batch. Returns why the cancel must be repeated; undefined for no repeat. */
  #onResult(order: VenueOrder, result: CancelResultFieldsFragment | undefined): TemporaryRefusal | undefined {
    if (order.life.hasEnded || result?.rejection === null) {
      // The stream reports the end.
      this.#pending.delete(order);
      return undefined;
    }
    if (result === undefined) return { reason: 'an answer without its result', retryAfterMs: 0 };
    const { reason, retryAfterMs } = result.rejection;
    if (TEMPORARY.has(reason)) {
      const wait = retryAfterMs ?? 0;
      if (reason === 'RATE_LIMITED') this.#deps.onProblem({ type: 'limited', bucket: 'cancel', retryAfterMs: wait });
      return { reason, retryAfterMs: wait };
    }
    if (reason === 'NOT_FOUND') {
      this.#pending.delete(order);
      // An order without an event is cancelled at its first event, or reported as not found.
      if (order.life.isLive) this.#search(order);
      else order.cancel = undefined;
      return undefined;
    }
    this.#deps.heldRefusals.hold([[order, result]], () => this.#onRefused(order, reason));
    return undefined;
  }

  #search(order: VenueOrder): void {
    this.#searched.add(order);
    this.#deps.missing.search(order, (isOpen) => {
      this.#searched.delete(order);
      if (!isOpen) return;
      this.#pending.add(order);
      this.#scheduleRepeat('NOT_FOUND of an open order', 0);
    });
  }

  #onRefused(order: VenueOrder, reason: RejectReason): void {
    const { cancel } = order;
    const isDone = reason === 'ALREADY_FINAL' && cancel !== undefined && cancel.attempts > 1;
    order.cancel = undefined;
    this.#pending.delete(order);
    if (cancel?.isRequested === true && !isDone && !order.isUnreported)
      this.#deps.reporter.reportCancelRefused(order.record, reason);
  }

  #scheduleRepeat(problem: string, minWaitMs: number): void {
    if (this.#isRepeatScheduled) return;
    this.#isRepeatScheduled = true;
    const markets = [...new Set([...this.#pending].map(({ record }) => record.market))];
    const failed = { command: 'cancelOrders', problem, markets };
    const wait = this.#backoff.onFailure(failed, this.#deps.onProblem, minWaitMs);
    this.#cancelRepeat = this.#deps.timers.after(wait, () => this.#repeat());
  }

  #repeat(): void {
    this.#cancelRepeat();
    this.#isRepeatScheduled = false;
    const waiting = [...this.#pending].filter(({ life, cancel }) => !life.hasEnded && cancel?.isInFlight === false);
    if (this.pendingCount > 0) this.#send(waiting);
  }

  /** Returns whether the cancel is sent later: with the next repeat, or after a search for the order. */
  #isWaiting(order: VenueOrder): boolean {
    return order.isMissing || this.#searched.has(order) || (this.#isRepeatScheduled && this.#pending.has(order));
  }
}

function wasRepeated({ life, cancel }: VenueOrder): boolean {
  return !life.hasEnded && cancel !== undefined && cancel.attempts > 1;
}

interface TemporaryRefusal {
  readonly reason: string;
  readonly retryAfterMs: number;
}
