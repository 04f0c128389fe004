/**
 * Resolves orders without an answer by reading the venue until their outcome is known.
 *
 * - If the venue has the order, the stream reports its later events.
 * - A resting order that is still wanted is sent again with the same bytes, which the venue knows by hash. A refusal
 *   of the repeat proves nothing about the first request, which may still be in flight.
 * - For a replace, the orders that it should cancel are cancelled. Once one of them is final, it can never happen
 *   (docs/spec/venue.md#replace).
 * - Otherwise an order that the venue does not have can never appear once its epoch is over, or its timestamp has left
 *   the clock window (docs/spec/venue.md#signed-messages).
 */
import { OPERATIONS } from '../../../protocol/index.ts';
import type { VenueOrder } from '../../base/index.ts';
import type { CancelSender } from './cancel-sender.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import { queryOutcome, sendRequest } from './requests.ts';

/** Margin after the clock window for errors of clocks and delays, ms. */
const MARGIN_MS = 1_000;
/** First and longest pause between two reads, ms. */
const RETRY_MS = 100;
const MAX_RETRY_MS = 2_000;
/** Number of times that an order's bytes are sent again. */
const MAX_REPEATS = 3;

interface PendingOrder {
  retryMs: number;
  repeats: number;
}

interface ResolverDeps extends ExecutionDeps {
  readonly cancels: Pick<CancelSender, 'cancel'>;
}

export class UnknownOrderResolver {
  readonly #deps: ResolverDeps;
  readonly #pending = new Map<VenueOrder, PendingOrder>();

  constructor(deps: ResolverDeps) {
    this.#deps = deps;
  }

  get size(): number {
    for (const order of this.#pending.keys()) if (hasKnownOutcome(order)) this.#pending.delete(order);
    return this.#pending.size;
  }

  resolve(order: VenueOrder): void {
    if (hasKnownOutcome(order) || this.#pending.has(order)) return;
    this.#pending.set(order, { retryMs: RETRY_MS, repeats: 0 });
    this.#deps.reporter.reportUncertain(order);
    void this.#readUntilKnown(order);
  }

  /** Resolves an order that can no longer appear at the venue. Does nothing for other orders. */
  resolveOverdue(order: VenueOrder): void {
    if (this.#canNoLongerAppear(order)) this.resolve(order);
  }

  async #readUntilKnown(order: VenueOrder): Promise<void> {
    const pending = this.#pending.get(order);
    if (pending === undefined || this.#deps.timers.isClosed) return;
    if (hasKnownOutcome(order)) {
      this.#pending.delete(order);
      return;
    }
    // Check before the read, because an order that arrives during the read can be missing in the answer.
    const canNoLongerAppear = this.#canNoLongerAppear(order);
    const isAtVenue = await this.#isAtVenue(order);
    if (hasKnownOutcome(order) || this.#deps.timers.isClosed) {
      this.#pending.delete(order);
      return;
    }
    if (isAtVenue === true) {
      this.#pending.delete(order);
      order.life.onFoundAtVenue();
      if (order.isUnwanted) this.#deps.cancels.cancel([order], { isRequested: false });
      return;
    }
    if (isAtVenue === false) {
      if (canNoLongerAppear) {
        this.#pending.delete(order);
        this.#reportRefusedCancels(order);
        this.#deps.reporter.reportRejected(order, 'NOT_FOUND');
        return;
      }
      this.#cancelOrSendAgain(order, pending);
    }
    const wait = pending.retryMs;
    pending.retryMs = Math.min(2 * pending.retryMs, MAX_RETRY_MS);
    this.#deps.timers.after(wait, () => void this.#readUntilKnown(order));
  }

  /** Returns whether an order that the venue does not have now can never appear. */
  #canNoLongerAppear({ record, placingReplace }: VenueOrder): boolean {
    const { clock, records, transport, terms } = this.#deps;
    const isReplaceOver =
      placingReplace?.isCommitted === false && placingReplace.cancels.some(({ life }) => life.hasEnded);
    const serverNow = clock.now() + transport.offset.offsetMs;
    const isTooLate = serverNow > record.timestampMs + terms().maxClockSkew + MARGIN_MS;
    return record.epoch < records.epoch || isReplaceOver || isTooLate;
  }

  /** Reports a refused cancel for each order of a failed replace that is still open and has no other cancel. */
  #reportRefusedCancels({ placingReplace }: VenueOrder): void {
    if (placingReplace === undefined || placingReplace.isCommitted) return;
    for (const order of placingReplace.cancels) {
      if (order.cancellingReplace !== placingReplace) continue;
      order.cancellingReplace = undefined;
      if (!order.life.hasEnded && order.cancel === undefined)
        this.#deps.reporter.reportCancelRefused(order.record, 'CONFLICT');
    }
  }

  #cancelOrSendAgain(order: VenueOrder, pending: PendingOrder): void {
    const { placingReplace } = order;
    if (placingReplace !== undefined && placingReplace.cancels.length > 0) {
      this.#deps.cancels.cancel(placingReplace.cancels, { isRequested: false });
      return;
    }
    const { clock, terms } = this.#deps;
    const isFresh = clock.now() < order.record.timestampMs + terms().maxClockSkew / 2;
    if (!order.canRest || order.isUnwanted || !isFresh || pending.repeats >= MAX_REPEATS) return;
    pending.repeats += 1;
    this.#deps.onProblem({ type: 'commandResent', command: 'placeOrder', problem: 'no answer' });
    const variables = `{"input":{"order":${order.record.wire}}}`;
    sendRequest(this.#deps, OPERATIONS.placeOrder, variables, (outcome) => {
      if (outcome.type !== 'done') return;
      const { accepted, rejection } = outcome.payload;
      if (accepted) order.life.onFoundAtVenue();
      else {
        const fields = { order: order.record.order, reason: rejection?.reason };
        this.#deps.log.info(fields, 'the venue refused the repeated order');
      }
    });
  }

  /** Returns whether the venue has the order; undefined without an answer. */
  async #isAtVenue({ hash }: VenueOrder): Promise<boolean | undefined> {
    const outcome = await queryOutcome(this.#deps, OPERATIONS.order, { orderHash: hash });
    return outcome.type === 'done' ? outcome.payload.found : undefined;
  }
}

/** Returns whether the stream or an answer has reported the order's outcome. */
function hasKnownOutcome({ life }: VenueOrder): boolean {
  return !life.isUnconfirmed;
}
