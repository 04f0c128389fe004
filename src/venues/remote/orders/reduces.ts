/**
 * Reduces: taking size off twice is another wish than taking it off once, so one whose answer was lost is never sent again. The
 * venue is asked what the order has left; what the core still wishes it then wishes anew.
 */
import type { MicroShares } from '../../../domain/index.ts';
import { type CancelFieldsFragment, microSharesOf, OPERATIONS } from '../../../protocol/index.ts';
import { change } from './change.ts';
import type { Facts } from './facts.ts';
import type { HeldRefusals } from './held-refusals.ts';
import type { MissingOrders } from './missing-orders.ts';
import type { OrdersOf } from './orders-of.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { SentOrder } from './sent-orders.ts';

/** Between two questions, ms. */
const PAUSE_MS = 250;

export class Reduces {
  readonly #of: OrdersOf;
  readonly #facts: Facts;
  readonly #held: HeldRefusals;
  readonly #missing: MissingOrders;

  constructor(of: OrdersOf, facts: Facts, held: HeldRefusals, missing: MissingOrders) {
    this.#of = of;
    this.#facts = facts;
    this.#held = held;
    this.#missing = missing;
  }

  send(order: SentOrder, by: MicroShares): void {
    const told = order.reduces;
    this.#of.own.cancelling(order.hash);
    change(
      this.#of,
      OPERATIONS.reduceOrder,
      `{"id":"${order.hash}","byShares":"${by}"}`,
      (data) => data.reduceOrder,
      (outcome) => this.#answered(order, told, outcome),
    );
  }

  #answered(order: SentOrder, told: number, outcome: Outcome<CancelFieldsFragment>): void {
    if (outcome.type === 'unknown' && outcome.sent) {
      const end = this.#of.clock.now() + this.#of.settleMs;
      this.#of.timers.after(PAUSE_MS, () => void this.#settle(order, told, end));
      return;
    }
    if (outcome.type !== 'done') {
      this.#refused(order, outcome.type === 'refused' ? outcome.reason : 'NOT_FOUND');
      return;
    }
    const [result] = outcome.payload.results;
    if (result === undefined || result.rejection === null) return;
    const { reason, retryAfterMs } = result.rejection;
    if (reason === 'RATE_LIMITED')
      this.#of.trouble({ type: 'limited', bucket: 'cancel', retryAfterMs: retryAfterMs ?? 0 });
    if (reason === 'NOT_FOUND' && order.accepted) this.#look(order);
    else this.#held.hold([[order, result]], () => this.#refused(order, reason));
  }

  /** Until it is told, or cannot come any more: the order is as it was after all that time. */
  async #settle(order: SentOrder, told: number, end: number): Promise<void> {
    if (order.gone || order.reduces > told || this.#of.timers.isClosed) return;
    const isLast = this.#of.clock.now() >= end;
    const answer = await this.#of.transport.query(OPERATIONS.order, { orderHash: order.hash });
    const outcome = outcomeOf(answer, (data) => data.order, this.#of);
    if (order.gone || order.reduces > told) return;
    const found = outcome.type === 'done' ? outcome.payload.order : undefined;
    if (found === null && order.accepted) {
      this.#look(order);
      return;
    }
    const hasLess = found !== null && found !== undefined && remainingOf(found) !== order.remaining;
    // Less, or nobody can say: the stream will tell, or the next question.
    if (isLast && found !== undefined && !hasLess) this.#refused(order, 'NOT_FOUND');
    else this.#of.timers.after(PAUSE_MS, () => void this.#settle(order, told, end));
  }

  #look(order: SentOrder): void {
    this.#missing.look(order, (stands) => {
      if (stands) this.#refused(order, 'NOT_FOUND');
    });
  }

  #refused(order: SentOrder, reason: Parameters<Facts['cancelRefused']>[1]): void {
    if (!order.revenant) this.#facts.cancelRefused(order, reason);
  }
}

function remainingOf({ remainingShares }: { readonly remainingShares: number }): number {
  return microSharesOf('remainingShares', remainingShares);
}
