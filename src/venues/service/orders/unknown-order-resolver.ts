/**
 * Orders without an answer: reads the venue until it is known what became of them. Nothing is guessed.
 *
 * - Found: the stream reports the rest.
 * - A resting order that is still wanted is sent again, the same bytes: the venue knows them by their hash. A refusal
 *   of the second sending says nothing about the first, which may still be on its way.
 * - A replace has a shorter way: once the orders that it was to cancel are final it can never happen
 *   (docs/spec/venue.md#replace), so they are cancelled, and then the venue is read again.
 * - Otherwise an order that is not there once its timestamp has left the clock window can never appear
 *   (docs/spec/venue.md#signed-messages); the same holds for one that was signed for an epoch that is over.
 */
import { OPERATIONS, type PlaceOrderPayloadFieldsFragment } from '../../../protocol/index.ts';
import type { ExecutionReporter, VenueOrder } from '../../base/index.ts';
import type { ExecutionDeps } from './execution-deps.ts';
import { type Outcome, outcomeOf, takeOutcome } from './requests.ts';

/** Beyond the clock window, ms: for what clocks and ways may differ. */
const MARGIN_MS = 1_000;
/** Between two questions, ms: the first, and at most. */
const RETRY_MS = 100;
const MOST_RETRY_MS = 2_000;
/** Number of times that the same bytes are sent again. */
const MOST_SENDINGS = 3;

interface Case {
  readonly order: VenueOrder;
  retryMs: number;
  sendings: number;
}

export class UnknownOrderResolver {
  readonly #deps: ExecutionDeps;
  readonly #reporter: ExecutionReporter;
  readonly #cases = new Map<VenueOrder, Case>();
  /** Cancels unwanted orders. */
  readonly #cancel: (orders: readonly VenueOrder[]) => void;

  constructor(deps: ExecutionDeps, reporter: ExecutionReporter, cancel: (orders: readonly VenueOrder[]) => void) {
    this.#deps = deps;
    this.#reporter = reporter;
    this.#cancel = cancel;
  }

  get size(): number {
    for (const order of this.#cases.keys()) if (isSettled(order)) this.#cases.delete(order);
    return this.#cases.size;
  }

  /** Reports it as uncertain, and reads the venue. */
  open(order: VenueOrder): void {
    if (isSettled(order) || this.#cases.has(order)) return;
    this.#cases.set(order, { order, retryMs: RETRY_MS, sendings: 0 });
    this.#reporter.uncertain(order);
    void this.#settle(order);
  }

  /** The same, for an order that the venue does not have and that came too long ago to come in still. */
  openOverdue(order: VenueOrder): void {
    if (this.#isOver(order)) this.open(order);
  }

  async #settle(order: VenueOrder): Promise<void> {
    const one = this.#cases.get(order);
    if (one === undefined || this.#deps.timers.isClosed) return;
    if (isSettled(order)) {
      this.#cases.delete(order);
      return;
    }
    // Before the question: what arrives later than this is refused for its timestamp.
    const isOver = this.#isOver(order);
    const found = await this.#ask(order);
    if (isSettled(order) || this.#deps.timers.isClosed) {
      this.#cases.delete(order);
      return;
    }
    if (found === true) {
      this.#cases.delete(order);
      order.life.answered();
      if (order.isUnwanted) this.#cancel([order]);
      return;
    }
    if (found === false) {
      if (isOver) {
        this.#cases.delete(order);
        this.#stopReplace(order);
        this.#reporter.rejected(order, 'NOT_FOUND');
        return;
      }
      this.#moveOn(one);
    }
    const wait = one.retryMs;
    one.retryMs = Math.min(2 * one.retryMs, MOST_RETRY_MS);
    this.#deps.timers.after(wait, () => void this.#settle(order));
  }

  /** Whether an order that is not there by now can never come in. */
  #isOver({ record, arrivesWith }: VenueOrder): boolean {
    const { clock, records, transport, terms } = this.#deps;
    if (record.epoch < records.epoch) return true;
    if (arrivesWith !== undefined && !arrivesWith.committed && arrivesWith.cancels.some(({ life }) => life.hasEnded))
      return true;
    const serverNow = clock.now() + transport.offset.offsetMs;
    return serverNow > record.timestampMs + terms().maxClockSkewMs + MARGIN_MS;
  }

  /**
   * The replace that an order was to come by will never happen: what it was to cancel still stands, unless it went
   * otherwise.
   */
  #stopReplace({ arrivesWith }: VenueOrder): void {
    if (arrivesWith === undefined || arrivesWith.committed) return;
    for (const order of arrivesWith.cancels) {
      if (order.leavesWith !== arrivesWith) continue;
      order.leavesWith = undefined;
      if (!order.life.hasEnded && order.cancel === undefined) this.#reporter.cancelRefused(order.record, 'CONFLICT');
    }
  }

  #moveOn(one: Case): void {
    const { order } = one;
    const { arrivesWith } = order;
    if (arrivesWith !== undefined && arrivesWith.cancels.length > 0) {
      this.#cancel(arrivesWith.cancels);
      return;
    }
    const { clock, terms } = this.#deps;
    const isFresh = clock.now() < order.record.timestampMs + terms().maxClockSkewMs / 2;
    if (!order.canRest || order.isUnwanted || !isFresh || one.sendings >= MOST_SENDINGS) return;
    one.sendings += 1;
    this.#deps.trouble({ type: 'repeated', command: 'placeOrder', problem: 'no answer' });
    const take = (outcome: Outcome<PlaceOrderPayloadFieldsFragment>): void => {
      if (outcome.type !== 'done') return;
      const { accepted, rejection } = outcome.payload;
      if (accepted) order.life.answered();
      else {
        const fields = { order: order.record.order, reason: rejection?.reason };
        this.#deps.log.info(fields, 'refused when it was sent again');
      }
    };
    this.#deps.transport.send(
      OPERATIONS.placeOrder,
      `{"input":{"order":${order.record.wire}}}`,
      takeOutcome(this.#deps, OPERATIONS.placeOrder, take),
    );
  }

  /** Undefined when the venue cannot say. */
  async #ask({ hash }: VenueOrder): Promise<boolean | undefined> {
    const answer = await this.#deps.transport.query(OPERATIONS.order, { orderHash: hash });
    const outcome = outcomeOf(answer, OPERATIONS.order, this.#deps);
    return outcome.type === 'done' ? outcome.payload.found : undefined;
  }
}

/** The stream or an answer has reported the order's outcome. */
function isSettled({ life }: VenueOrder): boolean {
  return !life.isUnconfirmed;
}
