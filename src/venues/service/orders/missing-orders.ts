/**
 * Reads accepted orders that the venue did not find for a later cancel, reduce or replace (NOT_FOUND).
 *
 * The command is not repeated. The order is read by its hash. Its end is reported once the own stream has reached that
 * end, so that fills come first. An order that the venue does not know stays open here, and no later command names the
 * order. The account must then be compared.
 */
import type { RejectReason } from '../../../domain/index.ts';
import { OPERATIONS, parseSafeUint } from '../../../protocol/index.ts';
import { Backoff, type VenueOrder } from '../../base/index.ts';
import { reportState } from '../own-stream/gap-recovery.ts';
import type { OwnStream } from '../own-stream/own-stream.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import { toOutcome } from './requests.ts';

interface MissingOrdersDeps extends ExecutionDeps {
  readonly stream: Pick<OwnStream, 'seq' | 'catchUp'>;
}

export class MissingOrders {
  readonly #deps: MissingOrdersDeps;
  readonly #running = new Map<VenueOrder, Promise<boolean>>();

  constructor(deps: MissingOrdersDeps) {
    this.#deps = deps;
  }

  /**
   * Searches for an order, or joins the search that is running.
   * @param onResult receives whether the order is open at the venue
   */
  search(order: VenueOrder, onResult: (isOpen: boolean) => void): void {
    let running = this.#running.get(order);
    if (running === undefined) {
      if (order.life.hasEnded || order.isMissing) {
        onResult(false);
        return;
      }
      order.isMissing = true;
      running = this.#search(order).finally(() => this.#running.delete(order));
      this.#running.set(order, running);
    }
    void running.then(onResult);
  }

  /** Reports a refused command of an order. If the venue did not find an accepted order, searches for it first. */
  onRefused(order: VenueOrder, reason: RejectReason): void {
    if (reason !== 'NOT_FOUND' || order.life.isUnconfirmed) {
      this.#deps.reporter.reportCancelRefused(order.record, reason);
      return;
    }
    this.search(order, (isOpen) => {
      if (isOpen) this.#deps.reporter.reportCancelRefused(order.record, reason);
    });
  }

  /** Returns whether the order is open. */
  async #search(order: VenueOrder): Promise<boolean> {
    const { timers, transport, reporter, stream } = this.#deps;
    const backoff = new Backoff();
    while (!timers.isClosed && !order.life.hasEnded && order.isMissing) {
      const answer = await transport.query(OPERATIONS.order, { orderHash: order.hash });
      if (timers.isClosed || order.life.hasEnded || !order.isMissing) break;
      const outcome = toOutcome(answer, OPERATIONS.order, this.#deps);
      if (outcome.type === 'done') {
        const { order: found } = outcome.payload;
        if (found === null) {
          this.#reportUnknown(order);
          return false;
        }
        if (parseSafeUint('order.seq', found.seq) <= stream.seq) {
          order.isMissing = false;
          reportState(reporter, order, found, stream.seq);
          return !order.life.hasEnded;
        }
        stream.catchUp();
      }
      await timers.pause(backoff.next());
    }
    // The comparison of the account may have found the order meanwhile.
    return !timers.isClosed && !order.life.hasEnded;
  }

  #reportUnknown(order: VenueOrder): void {
    const { record, hash } = order;
    if (order.isUnreported) {
      // The order has ended for both the core and the venue.
      this.#deps.orders.remove(order);
      this.#deps.orders.dropFromBook(order);
      return;
    }
    this.#deps.log.error({ order: record.order, hash }, 'the venue does not know an order that it had accepted');
    this.#deps.onProblem({ type: 'unknownOrder', order: record.order });
  }
}
