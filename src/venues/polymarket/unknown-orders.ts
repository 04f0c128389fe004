/**
 * Resolves orders without an answer by reading the venue (docs/spec/polymarket.md#order-life).
 *
 * A recent order may be sent again, because the venue recognises the same bytes by their hash and refuses a duplicate.
 * An unknown order is never signed again. An order that is not sent again is cancelled by its hash until the venue has
 * answered. The order is absent if two polls, at least `ABSENT_MS` apart, find neither the order nor its trades.
 */
import { tryRead } from '../../network/index.ts';
import {
  readPolymarketCancelAnswer,
  readPolymarketOrderRecord,
  readPolymarketPlaceAnswer,
} from '../../protocol/polymarket/index.ts';
import type { VenueOrder } from '../base/index.ts';
import { guessCloseReason, type PollingDeps } from './account-poller.ts';
import { reportVenueRefusal } from './deps.ts';
import type { OrderRecord } from './own-event-translator.ts';

const ABSENT_MS = 5_000;
/** Wait between two attempts, ms: the first, and the longest. */
const [RETRY_MS, MAX_RETRY_MS] = [100, 2_000];
const MAX_REPEATS = 3;
/** Time after the signature within which an order may be sent again, ms. */
const SEND_AGAIN_MS = 10_000;

interface UnknownOrder {
  retryMs: number;
  repeats: number;
  /** Whether the venue has confirmed that it received the order. */
  wasReceived: boolean;
  /** Time, by this machine's clock, at which no poll had found the order and the venue had answered its cancel. */
  notFoundSince: number | undefined;
}

export class UnknownOrders {
  readonly #deps: PollingDeps;
  readonly #unknown = new Map<VenueOrder, UnknownOrder>();

  constructor(deps: PollingDeps) {
    this.#deps = deps;
  }

  get size(): number {
    for (const order of this.#unknown.keys()) if (!order.life.isUnconfirmed) this.#unknown.delete(order);
    return this.#unknown.size;
  }

  resolve(order: VenueOrder): void {
    if (!order.life.isUnconfirmed || this.#unknown.has(order)) return;
    this.#unknown.set(order, { retryMs: RETRY_MS, repeats: 0, wasReceived: false, notFoundSince: undefined });
    this.#deps.reporter.reportUncertain(order);
    void this.#readUntilKnown(order);
  }

  /** Reads the venue's record of an order; undefined without a record or an answer. Only live orders have records. */
  async find(hash: string): Promise<OrderRecord | undefined> {
    const outcome = await this.#deps.rest.sendPrivate({ path: `/data/order/${hash}` });
    if (outcome.type !== 'done') return undefined;
    // The answer for an ended order may be empty.
    const record = tryRead(readPolymarketOrderRecord, outcome.json);
    return record?.id === hash ? record : undefined;
  }

  async #readUntilKnown(order: VenueOrder): Promise<void> {
    const { timers, log } = this.#deps;
    const state = this.#unknown.get(order);
    while (state !== undefined && order.life.isUnconfirmed && !timers.isClosed) {
      try {
        await this.#attempt(order, state);
      } catch (error) {
        state.notFoundSince = undefined;
        const problem = 'polymarket: the search for an order without an answer failed; retrying';
        log.warn({ order: order.record.order, err: error }, problem);
      }
      if (!order.life.isUnconfirmed || timers.isClosed) break;
      await timers.pause(state.retryMs);
      state.retryMs = Math.min(2 * state.retryMs, MAX_RETRY_MS);
    }
    this.#unknown.delete(order);
    if (order.isUnwanted && order.life.isLive) this.#deps.reporter.onUnwanted(order);
  }

  async #attempt(order: VenueOrder, state: UnknownOrder): Promise<void> {
    const found = await this.find(order.hash);
    const now = this.#deps.clock.now();
    if (found !== undefined) {
      this.#deps.translator.onOrder(found, this.#deps.venueTime(now), guessCloseReason(order));
      return;
    }
    const orders = await this.#deps.poller.poll();
    if (!order.life.isUnconfirmed || orders.some(({ id }) => id === order.hash)) return;
    if (this.#maySendAgain(order, state)) {
      await this.#sendAgain(order, state);
      return;
    }
    if (state.notFoundSince === undefined) {
      if (await this.#cancel(order, state)) state.notFoundSince = this.#deps.clock.now();
      return;
    }
    if (now - state.notFoundSince < ABSENT_MS) return;
    if (state.wasReceived) {
      const at = this.#deps.venueTime(now);
      this.#deps.translator.onAccepted(order, at);
      this.#deps.translator.onEnded(order, { matched: order.filled, reason: guessCloseReason(order), at });
    } else this.#deps.reporter.reportRejected(order, 'NOT_FOUND');
  }

  /** Excludes orders that cannot rest, because the venue may not recognise a killed order as a duplicate. */
  #maySendAgain(order: VenueOrder, { repeats, wasReceived }: UnknownOrder): boolean {
    const isRecent = this.#deps.clock.now() - order.record.timestampMs < SEND_AGAIN_MS;
    return isRecent && order.canRest && !order.isUnwanted && !wasReceived && repeats < MAX_REPEATS;
  }

  /** Cancels an order. Returns whether the venue has answered. */
  async #cancel({ hash }: VenueOrder, state: UnknownOrder): Promise<boolean> {
    const body = JSON.stringify({ orderID: hash });
    const outcome = await this.#deps.rest.sendPrivate({ method: 'DELETE', path: '/order', body });
    if (outcome.type === 'refused') return !reportVenueRefusal(this.#deps, outcome.error, 'cancel');
    const answer = outcome.type === 'done' ? tryRead(readPolymarketCancelAnswer, outcome.json) : undefined;
    if (answer?.canceled.includes(hash) === true) state.wasReceived = true;
    return answer !== undefined;
  }

  async #sendAgain(order: VenueOrder, state: UnknownOrder): Promise<void> {
    const { rest, onProblem, log } = this.#deps;
    state.repeats += 1;
    onProblem({ type: 'commandResent', command: 'order', problem: 'no answer' });
    const outcome = await rest.sendPrivate({ method: 'POST', path: '/order', body: order.record.wire });
    if (outcome.type === 'done') {
      const answer = tryRead(readPolymarketPlaceAnswer, outcome.json);
      if (answer?.order === order.hash && answer.status !== 'DELAYED' && answer.status !== 'UNKNOWN')
        this.#deps.translator.onAccepted(order, this.#deps.venueTime(this.#deps.clock.now()));
    } else if (outcome.type === 'refused') {
      if (outcome.error.kind === 'DUPLICATE') state.wasReceived = true;
      else state.repeats = MAX_REPEATS;
      // The order may have been signed in an older version than new orders.
      if (outcome.error.kind !== 'VERSION_MISMATCH') reportVenueRefusal(this.#deps, outcome.error, 'order');
      const fields = { order: order.record.order, reason: outcome.error.text };
      log.info(fields, 'polymarket: the repeat of an order was refused');
    }
  }
}
