/**
 * Orders that the venue had accepted and then did not find for a cancel, reduce or replace (NOT_FOUND).
 *
 * The command is not repeated. The venue is asked for the order by its hash: an end is told as the venue has it, once the
 * account's stream is as far, so that fills come first. An order of which the venue knows nothing stays open here and is never
 * named in a command again: the account has to be compared, as the venue has another one than ours.
 */
import type { RejectReason } from '../../../domain/index.ts';
import { OPERATIONS, parseSafeUint } from '../../../protocol/index.ts';
import { tellState } from '../own-stream/gap-recovery.ts';
import { Backoff } from './backoff.ts';
import type { Facts } from './facts.ts';
import type { OrdersOf } from './orders-of.ts';
import { outcomeOf } from './outcome.ts';
import type { SentOrder, SentOrders } from './sent-orders.ts';

/** What is needed of the account's own stream. */
export interface StreamPosition {
  /** Number of the last event that was told. */
  readonly seq: number;
  /** Asks for the stream anew from there. */
  catchUp(): void;
}

export class MissingOrders {
  readonly #of: OrdersOf;
  readonly #sent: SentOrders;
  readonly #facts: Facts;
  readonly #stream: StreamPosition;

  constructor(of: OrdersOf, sent: SentOrders, facts: Facts, stream: StreamPosition) {
    this.#of = of;
    this.#sent = sent;
    this.#facts = facts;
    this.#stream = stream;
  }

  /**
   * Looks for an order, once at a time.
   * @param found called when it is known whether the venue has it open after all
   */
  look(order: SentOrder, found: (stands: boolean) => void): void {
    if (order.gone || order.isMissing) {
      found(false);
      return;
    }
    order.isMissing = true;
    void this.#look(order).then(found);
  }

  /** The venue refused a command about an order: told at once, unless it did not find what it had accepted. */
  refused(order: SentOrder, reason: RejectReason): void {
    if (reason !== 'NOT_FOUND' || !order.accepted) {
      this.#facts.cancelRefused(order, reason);
      return;
    }
    this.look(order, (stands) => {
      if (stands) this.#facts.cancelRefused(order, reason);
    });
  }

  /** @returns whether it stands */
  async #look(order: SentOrder): Promise<boolean> {
    const { timers, transport } = this.#of;
    const backoff = new Backoff();
    while (!timers.isClosed && !order.gone && order.isMissing) {
      const answer = await transport.query(OPERATIONS.order, { orderHash: order.hash });
      if (timers.isClosed || order.gone || !order.isMissing) return false;
      const outcome = outcomeOf(answer, (data) => data.order, this.#of);
      if (outcome.type === 'done') {
        const { order: found } = outcome.payload;
        if (found === null) {
          this.#unknown(order);
          return false;
        }
        if (parseSafeUint('order.seq', found.seq) <= this.#stream.seq) {
          order.isMissing = false;
          tellState(this.#facts, order, found, this.#stream.seq);
          return !order.gone;
        }
        this.#stream.catchUp();
      }
      await timers.pause(backoff.next());
    }
    return false;
  }

  #unknown(order: SentOrder): void {
    const { record, hash } = order;
    if (order.revenant) {
      // The core holds it for over, and so does the venue.
      this.#sent.end(order);
      this.#of.own.never(hash);
      return;
    }
    this.#of.log.error({ order: record.order, hash }, 'the venue does not know an order that it had accepted');
    this.#of.trouble({ type: 'unknownOrder', order: record.order });
  }
}
