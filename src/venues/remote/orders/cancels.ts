/**
 * Cancels are wanted until the venue has answered them: what is lost, limited or refused for the moment is asked again, as a
 * cancel that comes twice does no harm.
 */
import type { RejectReason } from '../../../domain/index.ts';
import { type CancelFieldsFragment, type CancelResultFieldsFragment, OPERATIONS } from '../../../protocol/index.ts';
import { change } from './change.ts';
import type { Facts } from './facts.ts';
import type { HeldRefusals } from './held-refusals.ts';
import type { OrdersOf } from './orders-of.ts';
import type { Outcome } from './outcome.ts';
import type { SentOrder } from './sent-orders.ts';

/** Between two attempts, ms: the first, and at most. */
const RETRY_MS = 100;
const MOST_RETRY_MS = 2_000;
/** For the moment: asked again. */
const PASSING: ReadonlySet<RejectReason> = new Set(['RATE_LIMITED', 'VENUE_MODE']);

export class Cancels {
  readonly #of: OrdersOf;
  readonly #facts: Facts;
  readonly #held: HeldRefusals;
  readonly #wanted = new Set<SentOrder>();
  #retryMs = RETRY_MS;
  #isArmed = false;

  constructor(of: OrdersOf, facts: Facts, held: HeldRefusals) {
    this.#of = of;
    this.#facts = facts;
    this.#held = held;
  }

  /**
   * Cancels orders; those that the venue does not know yet, when it does.
   * @param isAsked whether the core asked for it and is to be told that it could not be done
   */
  want(orders: readonly SentOrder[], isAsked: boolean): void {
    for (const { cancel } of orders) if (cancel !== undefined && isAsked) cancel.isAsked = true;
    const fresh = orders.filter((order) => !order.gone && order.cancel?.inFlight !== true);
    for (const order of fresh) {
      order.unwanted = true;
      const { cancel } = order;
      order.cancel = {
        isAsked: isAsked || cancel?.isAsked === true,
        inFlight: false,
        sendings: cancel?.sendings ?? 0,
      };
      this.#of.own.cancelling(order.hash);
      this.#wanted.add(order);
    }
    this.#send(fresh);
  }

  /** Orders that are to go and have not gone. */
  get waiting(): number {
    for (const order of this.#wanted) if (order.gone) this.#wanted.delete(order);
    return this.#wanted.size;
  }

  #send(orders: readonly SentOrder[]): void {
    const { mostCancels } = this.#of.terms();
    for (let from = 0; from < orders.length; from += mostCancels) {
      this.#sendBatch(orders.slice(from, from + mostCancels));
    }
  }

  #sendBatch(batch: readonly SentOrder[]): void {
    for (const { cancel } of batch) {
      if (cancel === undefined) continue;
      cancel.inFlight = true;
      cancel.sendings += 1;
    }
    const ids = batch.map(({ hash }) => `"${hash}"`).join(',');
    change(
      this.#of,
      OPERATIONS.cancelOrders,
      `{"ids":[${ids}]}`,
      (data) => data.cancelOrders,
      (outcome) => this.#answered(batch, outcome),
    );
  }

  #answered(batch: readonly SentOrder[], outcome: Outcome<CancelFieldsFragment>): void {
    for (const order of batch) if (order.cancel !== undefined) order.cancel.inFlight = false;
    if (outcome.type === 'done') {
      this.#retryMs = RETRY_MS;
      for (const [at, order] of batch.entries()) this.#result(order, outcome.payload.results[at]);
      return;
    }
    // A cancel that is given up leaves an order standing that the core holds for leaving: it is asked for as long as it is there.
    if (outcome.type === 'refused' && outcome.reason === 'INVALID_ORDER') {
      this.#of.log.error({ problem: outcome.problem }, 'the venue cannot read a cancel: it is asked again');
    }
    this.#again(outcome.type === 'refused' ? outcome.retryAfterMs : 0);
  }

  #result(order: SentOrder, result: CancelResultFieldsFragment | undefined): void {
    const rejection = result?.rejection ?? undefined;
    if (order.gone) this.#wanted.delete(order);
    if (result === undefined || order.gone) return;
    if (rejection === undefined) {
      // The stream tells the end; the wish is fulfilled.
      this.#wanted.delete(order);
      return;
    }
    const { reason, retryAfterMs } = rejection;
    if (PASSING.has(reason)) {
      if (reason === 'RATE_LIMITED')
        this.#of.trouble({ type: 'limited', bucket: 'cancel', retryAfterMs: retryAfterMs ?? 0 });
      this.#again(retryAfterMs ?? 0);
      return;
    }
    // Not there yet, as far as anybody knows: it is cancelled when the stream tells of it, or settled as never seen.
    if (reason === 'NOT_FOUND' && !order.accepted) {
      order.cancel = undefined;
      this.#wanted.delete(order);
      return;
    }
    this.#held.hold([[order, result]], () => this.#refused(order, reason));
  }

  #refused(order: SentOrder, reason: RejectReason): void {
    const { cancel } = order;
    const isDone = reason === 'ALREADY_FINAL' && cancel !== undefined && cancel.sendings > 1;
    const isAsked = cancel?.isAsked === true && !isDone;
    order.cancel = undefined;
    this.#wanted.delete(order);
    if (isAsked && !order.revenant) this.#facts.cancelRefused(order, reason);
  }

  #again(afterMs: number): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    const wait = Math.max(afterMs, this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, MOST_RETRY_MS);
    this.#of.timers.after(wait, () => {
      this.#isArmed = false;
      const left = [...this.#wanted].filter(({ gone, cancel }) => !gone && cancel?.inFlight === false);
      if (this.waiting > 0) this.#send(left);
    });
  }
}
