/**
 * Sends reduces. A reduce with a lost answer is never repeated, because a repeat would reduce twice. The remaining size
 * is read from the venue, and the core decides again.
 */
import type { MicroShares, RejectReason } from '../../../domain/index.ts';
import { type CancelPayloadFieldsFragment, OPERATIONS, parseMicroShares } from '../../../protocol/index.ts';
import type { VenueOrder } from '../../base/index.ts';
import type { CancelDeps } from './cancel-sender.ts';
import { queryOutcome, type RequestOutcome, sendRequest } from './requests.ts';

const PAUSE_MS = 250;

export class ReduceSender {
  readonly #deps: CancelDeps;

  constructor(deps: CancelDeps) {
    this.#deps = deps;
  }

  send(order: VenueOrder, by: MicroShares): void {
    const reducesBefore = order.reduces;
    this.#deps.orders.markLeaving(order);
    const variables = `{"id":"${order.hash}","byShares":"${by}"}`;
    const onOutcome = (outcome: RequestOutcome<CancelPayloadFieldsFragment>) =>
      this.#onOutcome(order, reducesBefore, outcome);
    sendRequest(this.#deps, OPERATIONS.reduceOrder, variables, onOutcome);
  }

  #onOutcome(order: VenueOrder, reducesBefore: number, outcome: RequestOutcome<CancelPayloadFieldsFragment>): void {
    if (outcome.type === 'unknown' && outcome.isSent) {
      const deadline = this.#deps.clock.now() + this.#deps.settleMs;
      this.#deps.timers.after(PAUSE_MS, () => void this.#readUntilSettled(order, reducesBefore, deadline));
      return;
    }
    if (outcome.type !== 'done') {
      this.#onRefused(order, outcome.type === 'refused' ? outcome.reason : 'NOT_FOUND');
      return;
    }
    const [result] = outcome.payload.results;
    if (result === undefined || result.rejection === null) return;
    const { reason, retryAfterMs } = result.rejection;
    if (reason === 'RATE_LIMITED')
      this.#deps.onProblem({ type: 'limited', bucket: 'cancel', retryAfterMs: retryAfterMs ?? 0 });
    if (reason === 'NOT_FOUND' && !order.life.isUnconfirmed) this.#search(order);
    else this.#deps.heldRefusals.hold([[order, result]], () => this.#onRefused(order, reason));
  }

  /** Reads the order until an event reports the reduce. Reports a reduce that can no longer happen as refused. */
  async #readUntilSettled(order: VenueOrder, reducesBefore: number, deadline: number): Promise<void> {
    if (order.life.hasEnded || order.reduces > reducesBefore || this.#deps.timers.isClosed) return;
    const isLast = this.#deps.clock.now() >= deadline;
    const outcome = await queryOutcome(this.#deps, OPERATIONS.order, { orderHash: order.hash });
    if (order.life.hasEnded || order.reduces > reducesBefore) return;
    const found = outcome.type === 'done' ? outcome.payload.order : undefined;
    const remaining = found && parseMicroShares('remainingShares', found.remainingShares);
    const isSmaller = typeof remaining === 'number' && remaining < order.life.remaining;
    // A smaller or unknown size needs another read, unless the stream reports the reduce.
    if (found === null && order.life.isLive) this.#search(order);
    else if (isLast && found !== undefined && !isSmaller) this.#onRefused(order, 'NOT_FOUND');
    else this.#deps.timers.after(PAUSE_MS, () => void this.#readUntilSettled(order, reducesBefore, deadline));
  }

  #search(order: VenueOrder): void {
    this.#deps.missing.search(order, (isOpen) => {
      if (isOpen) this.#onRefused(order, 'NOT_FOUND');
    });
  }

  #onRefused(order: VenueOrder, reason: RejectReason): void {
    if (!order.isUnreported) this.#deps.reporter.reportCancelRefused(order.record, reason);
  }
}
