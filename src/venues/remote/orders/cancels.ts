/**
 * Cancels are wanted until the venue has answered them: what is lost, limited or refused for the moment is asked again, as a
 * cancel that comes twice does no harm. Each repeat is counted and waits longer than the one before; a cancel that does not get
 * through is told as stuck and goes on slowly, as the order stands as long as it is not cancelled.
 *
 * NOT_FOUND is an answer: the order is looked for (`MissingOrders`), and no cancel names it again.
 */
import type { RejectReason } from '../../../domain/index.ts';
import { type CancelFieldsFragment, type CancelResultFieldsFragment, OPERATIONS } from '../../../protocol/index.ts';
import { Backoff, MOST_TRIES } from './backoff.ts';
import { change } from './change.ts';
import type { Facts } from './facts.ts';
import type { HeldRefusals } from './held-refusals.ts';
import type { MissingOrders } from './missing-orders.ts';
import type { OrdersOf } from './orders-of.ts';
import type { Outcome } from './outcome.ts';
import type { SentOrder } from './sent-orders.ts';

/** For the moment: asked again. */
const PASSING: ReadonlySet<RejectReason> = new Set(['RATE_LIMITED', 'VENUE_MODE']);

export class Cancels {
  readonly #of: OrdersOf;
  readonly #facts: Facts;
  readonly #held: HeldRefusals;
  readonly #missing: MissingOrders;
  readonly #wanted = new Set<SentOrder>();
  /** Not found by a cancel, and the venue is being asked for them. */
  readonly #looking = new Set<SentOrder>();
  readonly #backoff = new Backoff();
  #isArmed = false;
  #cancelRepeat = (): void => {};

  constructor(of: OrdersOf, facts: Facts, held: HeldRefusals, missing: MissingOrders) {
    this.#of = of;
    this.#facts = facts;
    this.#held = held;
    this.#missing = missing;
  }

  /**
   * Cancels orders; those that the venue does not know yet, when it does. One whose cancel is to be repeated waits for that.
   * @param isAsked whether the core asked for it and is to be told that it could not be done
   */
  want(orders: readonly SentOrder[], isAsked: boolean): void {
    for (const { cancel } of orders) if (cancel !== undefined && isAsked) cancel.isAsked = true;
    const fresh = orders.filter((order) => !order.gone && order.cancel?.inFlight !== true && !this.#waits(order));
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

  /** The venue is heard again: what waits to be repeated goes out at once. */
  connected(): void {
    if (!this.#isArmed) return;
    this.#backoff.reset();
    this.#repeat();
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
      const { results } = outcome.payload;
      const again = batch.map((order, at) => this.#result(order, results[at])).filter((each) => each !== undefined);
      const [first] = again;
      if (first !== undefined) this.#again(first.reason, Math.max(...again.map(({ retryAfterMs }) => retryAfterMs)));
      else if (this.#looking.size === 0 && ![...this.#wanted].some(isRepeated)) this.#backoff.reset();
      return;
    }
    // A cancel that is given up leaves an order standing that the core holds for leaving: it is asked for as long as it is there.
    if (outcome.type === 'refused' && outcome.reason === 'INVALID_ORDER') {
      this.#of.log.error({ problem: outcome.problem }, 'the venue cannot read a cancel: it is asked again');
    }
    this.#again(outcome.problem, outcome.type === 'refused' ? outcome.retryAfterMs : 0);
  }

  /** @returns why it has to be asked again; undefined where it has not */
  #result(order: SentOrder, result: CancelResultFieldsFragment | undefined): Passing | undefined {
    if (order.gone) {
      this.#wanted.delete(order);
      return undefined;
    }
    if (result === undefined) return { reason: 'an answer without its result', retryAfterMs: 0 };
    if (result.rejection === null) {
      // The stream tells the end; the wish is fulfilled.
      this.#wanted.delete(order);
      return undefined;
    }
    const { reason, retryAfterMs } = result.rejection;
    if (PASSING.has(reason)) {
      const wait = retryAfterMs ?? 0;
      if (reason === 'RATE_LIMITED') this.#of.trouble({ type: 'limited', bucket: 'cancel', retryAfterMs: wait });
      return { reason, retryAfterMs: wait };
    }
    if (reason === 'NOT_FOUND') {
      this.#wanted.delete(order);
      // One that was never heard of is cancelled when the stream tells of it, or settled as never seen.
      if (order.accepted) this.#look(order);
      else order.cancel = undefined;
      return undefined;
    }
    this.#held.hold([[order, result]], () => this.#refused(order, reason));
    return undefined;
  }

  #look(order: SentOrder): void {
    this.#looking.add(order);
    this.#missing.look(order, (stands) => {
      this.#looking.delete(order);
      if (!stands) return;
      this.#wanted.add(order);
      this.#again('NOT_FOUND of an order that stands', 0);
    });
  }

  #refused(order: SentOrder, reason: RejectReason): void {
    const { cancel } = order;
    const isDone = reason === 'ALREADY_FINAL' && cancel !== undefined && cancel.sendings > 1;
    const isAsked = cancel?.isAsked === true && !isDone;
    order.cancel = undefined;
    this.#wanted.delete(order);
    if (isAsked && !order.revenant) this.#facts.cancelRefused(order, reason);
  }

  #again(problem: string, afterMs: number): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#of.trouble({ type: 'repeated', command: 'cancelOrders', problem });
    const wait = this.#backoff.next(afterMs);
    if (this.#backoff.tries === MOST_TRIES) {
      const markets = [...new Set([...this.#wanted].map(({ record }) => record.market))];
      this.#of.trouble({ type: 'stuck', command: 'cancelOrders', problem, markets });
    }
    this.#cancelRepeat = this.#of.timers.after(wait, () => this.#repeat());
  }

  #repeat(): void {
    this.#cancelRepeat();
    this.#isArmed = false;
    const left = [...this.#wanted].filter(({ gone, cancel }) => !gone && cancel?.inFlight === false);
    if (this.waiting > 0) this.#send(left);
  }

  /** Whether its cancel goes out later: with the next repeat, or when the venue was asked for it. */
  #waits(order: SentOrder): boolean {
    return order.isMissing || this.#looking.has(order) || (this.#isArmed && this.#wanted.has(order));
  }
}

function isRepeated({ gone, cancel }: SentOrder): boolean {
  return !gone && cancel !== undefined && cancel.sendings > 1;
}

/** A refusal for the moment. */
interface Passing {
  readonly reason: string;
  readonly retryAfterMs: number;
}
