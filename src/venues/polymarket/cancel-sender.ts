/**
 * Repeats cancels until the venue has answered them. A repeated cancel is harmless, so lost, rate-limited and
 * temporarily refused cancels are repeated, after growing waits. After many failures, a cancel is reported as stuck.
 *
 * A cancelled order is reported as ended, after its fills, when the user channel shows its end. If the channel is late,
 * the account is read.
 */
import { lotsOf, thrownText } from '../../domain/index.ts';
import { tryRead } from '../../network/index.ts';
import { readPolymarketCancelAnswer } from '../../protocol/polymarket/index.ts';
import { Backoff, batches, type VenueOrder } from '../base/index.ts';
import type { PollingDeps } from './account-poller.ts';
import { reportVenueRefusal } from './deps.ts';
import type { RestOutcome } from './rest-client.ts';

/** Time within which the user channel must show a cancelled order's end, ms. Then the account is read. */
const CHANNEL_WAIT_MS = 1_500;
/** Time between an accepted cancel of all orders and the next read of the account, ms. */
const ACCEPTED_WAIT_MS = 100;
const MAX_IDS_PER_REQUEST = 1_000;
const CANCEL_ALL_FAILED = 'cancelling all orders of the account failed; retrying';

export class CancelSender {
  readonly #deps: PollingDeps;
  readonly #batchSize: number;
  readonly #pending = new Set<VenueOrder>();
  readonly #backoff = new Backoff();
  #stopRepeatTimer: (() => void) | undefined;
  #isCancelAllPending = false;

  constructor(deps: PollingDeps) {
    this.#deps = deps;
    this.#batchSize = Math.min(MAX_IDS_PER_REQUEST, deps.maxCancels);
  }

  get pendingCount(): number {
    for (const order of this.#pending) if (order.life.hasEnded) this.#pending.delete(order);
    return this.#pending.size + Number(this.#isCancelAllPending);
  }

  /** Cancels orders. @param isRequested whether the core requested the cancels and receives refusals */
  cancel(orders: readonly VenueOrder[], { isRequested }: { readonly isRequested: boolean }): void {
    const toSend: VenueOrder[] = [];
    for (const order of orders) {
      if (order.life.hasEnded) continue;
      order.cancelIfAtVenue();
      if (order.cancel === undefined) toSend.push(order);
      order.cancel ??= { isRequested, isInFlight: false, attempts: 0 };
      order.cancel.isRequested ||= isRequested;
      this.#deps.orders.markLeaving(order);
      this.#pending.add(order);
    }
    this.#send(toSend.toSorted((first, second) => remainingNotional(second) - remainingNotional(first)));
  }

  /** Cancels all own orders. @param isAccountWide whether to cancel the account's other orders too */
  cancelAll({ isAccountWide = false }: { readonly isAccountWide?: boolean }): void {
    this.cancel(this.#deps.orders.open(), { isRequested: false });
    if (!isAccountWide || this.#isCancelAllPending) return;
    this.#isCancelAllPending = true;
    void this.#cancelAccount();
  }

  /** Sends waiting repeats at once, because the connection is back. */
  onConnected(): void {
    if (this.#stopRepeatTimer === undefined) return;
    this.#backoff.reset();
    this.#repeat();
  }

  /** Sends batches that fit the rate limit, because the venue refuses a larger batch as a whole. */
  #send(orders: readonly VenueOrder[]): void {
    for (const batch of batches(orders, this.#batchSize)) void this.#sendBatch(batch);
  }

  async #sendBatch(batch: readonly VenueOrder[]): Promise<void> {
    const { rest, timers } = this.#deps;
    for (const { cancel } of batch) {
      if (cancel === undefined) continue;
      cancel.isInFlight = true;
      cancel.attempts += 1;
    }
    const hashes = batch.map(({ hash }) => hash);
    const isSingle = hashes.length === 1;
    const body = JSON.stringify(isSingle ? { orderID: hashes[0] } : hashes);
    const outcome = await rest.sendPrivate({ method: 'DELETE', path: isSingle ? '/order' : '/orders', body });
    if (!timers.isClosed) this.#onAnswer(batch, outcome);
  }

  #onAnswer(batch: readonly VenueOrder[], outcome: RestOutcome): void {
    for (const { cancel } of batch) if (cancel !== undefined) cancel.isInFlight = false;
    const answer = outcome.type === 'done' ? tryRead(readPolymarketCancelAnswer, outcome.json) : undefined;
    if (answer === undefined) {
      if (outcome.type === 'refused') reportVenueRefusal(this.#deps, outcome.error, 'cancel');
      this.#repeatLater(describeProblem(outcome), outcome.type === 'refused' ? (outcome.error.retryAfterMs ?? 0) : 0);
      return;
    }
    this.#backoff.reset();
    const awaitingEnd = batch.filter((order) => {
      if (order.life.hasEnded) return false;
      if (answer.canceled.includes(order.hash)) return true;
      if (answer.notCanceled.has(order.hash)) void this.#onNotCanceled(order);
      else this.#repeatLater('an answer without its result', 0);
      return false;
    });
    if (awaitingEnd.length > 0) this.#scheduleEndCheck(awaitingEnd);
  }

  #scheduleEndCheck(orders: readonly VenueOrder[]): void {
    this.#deps.timers.after(CHANNEL_WAIT_MS, () => void this.#endCancelledOrders(orders));
  }

  /** Reads the account and ends cancelled orders whose end the user channel has not shown. */
  async #endCancelledOrders(orders: readonly VenueOrder[]): Promise<void> {
    const stillOpen = orders.filter(({ life }) => !life.hasEnded);
    if (stillOpen.length === 0) return;
    if (!(await this.#read())) {
      this.#scheduleEndCheck(stillOpen);
      return;
    }
    const at = this.#deps.venueTime(this.#deps.clock.now());
    for (const order of stillOpen) this.#deps.translator.onEnded(order, { matched: order.filled, reason: 'USER', at });
  }

  /** Finds out why the venue did not cancel an order: the order has ended, or the venue does not know it. */
  async #onNotCanceled(order: VenueOrder): Promise<void> {
    await this.#read();
    if (order.life.hasEnded) return;
    // The poller ends an order when two polls in a row do not list it.
    await this.#deps.timers.pause(CHANNEL_WAIT_MS);
    if (order.life.hasEnded || this.#deps.timers.isClosed) return;
    await this.#read();
    if (order.life.hasEnded) return;
    if (order.life.isLive) this.#repeatLater('not cancelled', 0);
    else {
      // `UnknownOrders` resolves the order, because the venue never showed it.
      this.#pending.delete(order);
      const { cancel, record } = order;
      order.cancel = undefined;
      if (cancel?.isRequested === true) this.#deps.reporter.reportCancelRefused(record, 'NOT_FOUND');
    }
  }

  /** Reads orders and trades. Returns whether the read succeeded. */
  async #read(): Promise<boolean> {
    try {
      await this.#deps.poller.poll();
      return true;
    } catch (error) {
      if (!this.#deps.timers.isClosed)
        this.#deps.log.warn({ err: error }, 'polymarket: the account could not be read after a cancel');
      return false;
    }
  }

  /** Cancels the account's open orders until a read shows none. An accepted request that ends none is a failure. */
  async #cancelAccount(): Promise<void> {
    const { rest, timers, log, maxCancels, onProblem } = this.#deps;
    const backoff = new Backoff();
    let openCount = Number.POSITIVE_INFINITY;
    let wasAccepted = false;
    while (!timers.isClosed) {
      let problem: string | undefined;
      let minWaitMs = 0;
      try {
        const orders = await this.#deps.poller.poll();
        if (orders.length === 0) break;
        const hasProgress = orders.length < openCount;
        openCount = orders.length;
        if (hasProgress) backoff.reset();
        // `/cancel-all` costs a token per order and one more. The venue refuses a request above a full bucket.
        const hashes = orders.slice(0, this.#batchSize).map(({ id }) => id);
        const outcome = await rest.sendPrivate(
          orders.length < maxCancels
            ? { method: 'DELETE', path: '/cancel-all' }
            : { method: 'DELETE', path: '/orders', body: JSON.stringify(hashes) },
        );
        if (outcome.type === 'refused') {
          reportVenueRefusal(this.#deps, outcome.error, 'cancel');
          minWaitMs = outcome.error.retryAfterMs ?? 0;
        }
        if (outcome.type !== 'done') problem = describeProblem(outcome);
        else if (wasAccepted && !hasProgress) problem = 'its orders stay open';
        wasAccepted = outcome.type === 'done';
        if (problem !== undefined) log.warn({ problem }, CANCEL_ALL_FAILED);
      } catch (error) {
        problem = thrownText(error);
        log.warn({ err: error }, CANCEL_ALL_FAILED);
      }
      if (timers.isClosed) break;
      if (problem === undefined) await timers.pause(ACCEPTED_WAIT_MS);
      else await timers.pause(backoff.onFailure({ command: 'cancel-all', problem, markets: [] }, onProblem, minWaitMs));
    }
    this.#isCancelAllPending = false;
  }

  #repeatLater(problem: string, minWaitMs: number): void {
    if (this.#stopRepeatTimer !== undefined) return;
    const { timers, onProblem } = this.#deps;
    const markets = [...new Set([...this.#pending].map(({ record }) => record.market))];
    const wait = this.#backoff.onFailure({ command: 'cancel', problem, markets }, onProblem, minWaitMs);
    this.#stopRepeatTimer = timers.after(wait, () => this.#repeat());
  }

  #repeat(): void {
    this.#stopRepeatTimer?.();
    this.#stopRepeatTimer = undefined;
    if (this.pendingCount === 0) return;
    this.#send([...this.#pending].filter(({ life, cancel }) => !life.hasEnded && cancel?.isInFlight === false));
  }
}

/** Computes the notional of an order's remaining shares, micro-USD. */
function remainingNotional({ record: { command }, life }: VenueOrder): number {
  return lotsOf(life.remaining) * command.price;
}

function describeProblem(outcome: RestOutcome): string {
  if (outcome.type === 'done') return 'an answer that cannot be read';
  return outcome.type === 'refused' ? outcome.error.text : outcome.problem;
}
