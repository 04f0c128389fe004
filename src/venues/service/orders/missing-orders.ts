/**
 * Orders that the venue accepted, and later did not find for a cancel, reduce or replace (NOT_FOUND).
 *
 * The command is not repeated. The order is read from the venue by its hash. Its end is reported when the account's
 * stream has reached it, so that fills come first. An order that the venue does not know stays open here, and no later
 * command names it. The account must then be reconciled, because the venue's state of it differs.
 */
import type { RejectReason } from '../../../domain/index.ts';
import { OPERATIONS, parseSafeUint } from '../../../protocol/index.ts';
import type { ExecutionReporter, VenueOrder } from '../../base/index.ts';
import { Backoff } from '../../base/index.ts';
import { reportState } from '../own-stream/gap-recovery.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import { outcomeOf } from './requests.ts';

/** The part of the account's own stream that is used here. */
export interface StreamPosition {
  /** Number of the last event that was processed. */
  readonly seq: number;
  /** Requests the stream again from there. */
  catchUp(): void;
}

export class MissingOrders {
  readonly #deps: ExecutionDeps;
  readonly #reporter: ExecutionReporter;
  readonly #stream: StreamPosition;

  constructor(deps: ExecutionDeps, reporter: ExecutionReporter, stream: StreamPosition) {
    this.#deps = deps;
    this.#reporter = reporter;
    this.#stream = stream;
  }

  /**
   * Looks for an order, once at a time.
   * @param found called when it is known whether the venue has it open after all
   */
  look(order: VenueOrder, found: (stands: boolean) => void): void {
    if (order.life.hasEnded || order.isMissing) {
      found(false);
      return;
    }
    order.isMissing = true;
    void this.#look(order).then(found);
  }

  /** The venue refused a command about an order: reported at once, unless it did not find what it had accepted. */
  refused(order: VenueOrder, reason: RejectReason): void {
    if (reason !== 'NOT_FOUND' || order.life.isUnconfirmed) {
      this.#reporter.cancelRefused(order.record, reason);
      return;
    }
    this.look(order, (stands) => {
      if (stands) this.#reporter.cancelRefused(order.record, reason);
    });
  }

  /** @returns whether it stands */
  async #look(order: VenueOrder): Promise<boolean> {
    const { timers, transport } = this.#deps;
    const backoff = new Backoff();
    while (!timers.isClosed && !order.life.hasEnded && order.isMissing) {
      const answer = await transport.query(OPERATIONS.order, { orderHash: order.hash });
      if (timers.isClosed || order.life.hasEnded || !order.isMissing) return false;
      const outcome = outcomeOf(answer, OPERATIONS.order, this.#deps);
      if (outcome.type === 'done') {
        const { order: found } = outcome.payload;
        if (found === null) {
          this.#unknown(order);
          return false;
        }
        if (parseSafeUint('order.seq', found.seq) <= this.#stream.seq) {
          order.isMissing = false;
          reportState(this.#reporter, order, found, this.#stream.seq);
          return !order.life.hasEnded;
        }
        this.#stream.catchUp();
      }
      await timers.pause(backoff.next());
    }
    return false;
  }

  #unknown(order: VenueOrder): void {
    const { record, hash } = order;
    if (order.isUnreported) {
      // The core takes it for ended, and so does the venue.
      this.#deps.orders.remove(order);
      this.#deps.orders.dropFromBook(order);
      return;
    }
    this.#deps.log.error({ order: record.order, hash }, 'the venue does not know an order that it had accepted');
    this.#deps.trouble({ type: 'unknownOrder', order: record.order });
  }
}
