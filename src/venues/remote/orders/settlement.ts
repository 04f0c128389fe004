/**
 * Orders of which no answer came: the venue is asked until it is known what became of them. Nothing is guessed.
 *
 * - Found: the stream tells the rest.
 * - A resting order that is still wanted is sent again, the same bytes: the venue knows them by their hash. A refusal of the
 *   second sending says nothing about the first, which may still be on its way.
 * - A replace has a shorter way: once the orders that it was to cancel are final it can never happen
 *   (docs/spec/venue.md#replace), so they are cancelled, and then the venue is asked again.
 * - Otherwise an order that is not there once its timestamp has left the clock window can never appear
 *   (docs/spec/venue.md#signed-messages); the same holds for one that was signed for an epoch that is over.
 */
import { OPERATIONS } from '../../../protocol/index.ts';
import { change } from './change.ts';
import type { Facts } from './facts.ts';
import type { OrdersOf } from './orders-of.ts';
import { outcomeOf } from './outcome.ts';
import type { SentOrder } from './sent-orders.ts';

/** Beyond the clock window, ms: for what clocks and ways may differ. */
const MARGIN_MS = 1_000;
/** Between two questions, ms: the first, and at most. */
const RETRY_MS = 100;
const MOST_RETRY_MS = 2_000;
/** How often the same bytes are sent again. */
const MOST_SENDINGS = 3;

interface Case {
  readonly order: SentOrder;
  retryMs: number;
  sendings: number;
}

export class Settlement {
  readonly #of: OrdersOf;
  readonly #facts: Facts;
  readonly #cases = new Map<SentOrder, Case>();
  /** Cancels orders that nobody wants. */
  readonly #cancel: (orders: readonly SentOrder[]) => void;

  constructor(of: OrdersOf, facts: Facts, cancel: (orders: readonly SentOrder[]) => void) {
    this.#of = of;
    this.#facts = facts;
    this.#cancel = cancel;
  }

  /** How many are open. */
  get size(): number {
    for (const order of this.#cases.keys()) if (isSettled(order)) this.#cases.delete(order);
    return this.#cases.size;
  }

  /** The core is told, the venue is asked. */
  open(order: SentOrder): void {
    if (isSettled(order) || this.#cases.has(order)) return;
    this.#cases.set(order, { order, retryMs: RETRY_MS, sendings: 0 });
    this.#facts.uncertain(order);
    void this.#settle(order);
  }

  /** The same, for an order that the venue does not have and that came too long ago to come in still. */
  openOverdue(order: SentOrder): void {
    if (this.#isOver(order)) this.open(order);
  }

  async #settle(order: SentOrder): Promise<void> {
    const one = this.#cases.get(order);
    if (one === undefined || this.#of.timers.isClosed) return;
    if (isSettled(order)) {
      this.#cases.delete(order);
      return;
    }
    // Before the question: what arrives later than this is refused for its timestamp.
    const isOver = this.#isOver(order);
    const found = await this.#ask(order);
    if (isSettled(order) || this.#of.timers.isClosed) {
      this.#cases.delete(order);
      return;
    }
    if (found === true) {
      this.#cases.delete(order);
      order.uncertain = false;
      if (order.unwanted) this.#cancel([order]);
      return;
    }
    if (found === false) {
      if (isOver) {
        this.#cases.delete(order);
        this.#stopReplace(order);
        this.#facts.rejected(order, 'NOT_FOUND');
        return;
      }
      this.#moveOn(one);
    }
    const wait = one.retryMs;
    one.retryMs = Math.min(2 * one.retryMs, MOST_RETRY_MS);
    this.#of.timers.after(wait, () => void this.#settle(order));
  }

  /** Whether an order that is not there by now can never come in. */
  #isOver({ record, cameBy }: SentOrder): boolean {
    const { clock, records, transport, terms } = this.#of;
    if (record.epoch < records.epoch) return true;
    if (cameBy !== undefined && !cameBy.committed && cameBy.cancels.some(({ gone }) => gone)) return true;
    const serverNow = clock.now() + transport.offset.offsetMs;
    return serverNow > record.timestampMs + terms().maxClockSkewMs + MARGIN_MS;
  }

  /** The replace that an order was to come by will never happen: what it was to cancel still stands, unless it went otherwise. */
  #stopReplace({ cameBy }: SentOrder): void {
    if (cameBy === undefined || cameBy.committed) return;
    for (const order of cameBy.cancels) {
      if (order.leavesBy !== cameBy) continue;
      order.leavesBy = undefined;
      if (!order.gone && order.cancel === undefined) this.#facts.cancelRefused(order, 'CONFLICT');
    }
  }

  #moveOn(one: Case): void {
    const { order } = one;
    const { cameBy } = order;
    if (cameBy !== undefined && cameBy.cancels.length > 0) {
      this.#cancel(cameBy.cancels);
      return;
    }
    const { clock, terms } = this.#of;
    const isFresh = clock.now() < order.record.timestampMs + terms().maxClockSkewMs / 2;
    if (!order.rests || order.unwanted || !isFresh || one.sendings >= MOST_SENDINGS) return;
    one.sendings += 1;
    this.#of.trouble({ type: 'repeated', command: 'placeOrder', problem: 'no answer' });
    const variables = `{"input":{"order":${order.record.wire}}}`;
    change(
      this.#of,
      OPERATIONS.placeOrder,
      variables,
      (data) => data.placeOrder,
      (outcome) => {
        if (outcome.type !== 'done') return;
        const { accepted, rejection } = outcome.payload;
        if (accepted) order.uncertain = false;
        else
          this.#of.log.info({ order: order.record.order, reason: rejection?.reason }, 'refused when it was sent again');
      },
    );
  }

  /** Undefined when the venue cannot say. */
  async #ask({ hash }: SentOrder): Promise<boolean | undefined> {
    const answer = await this.#of.transport.query(OPERATIONS.order, { orderHash: hash });
    const outcome = outcomeOf(answer, (data) => data.order, this.#of);
    return outcome.type === 'done' ? outcome.payload.found : undefined;
  }
}

/** The stream, or an answer, has said what became of it. */
function isSettled({ gone, accepted }: SentOrder): boolean {
  return gone || accepted;
}
