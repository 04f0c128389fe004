/**
 * Orders without an answer: the venue is read until it is known what became of them (docs/spec/polymarket.md#order-life).
 *
 * The same bytes may be sent again: the venue knows them by their hash and refuses a second time. Nothing is signed anew while an
 * order is unknown, and nothing is sent again at a price of long ago. One that is given up is cancelled by its hash until the venue
 * has answered that, and believed to be absent only when two sweeps, at least `CLEAN_MS` apart, have neither it nor a trade of it.
 */
import { tryRead } from '../../network/index.ts';
import {
  readPolymarketCancelAnswer,
  readPolymarketOrderRecord,
  readPolymarketPlaceAnswer,
} from '../../protocol/polymarket/index.ts';
import type { ExecutionReporter, VenueOrder } from '../base/index.ts';
import { noteRefusal, type PolymarketDeps } from './deps.ts';
import type { OrderRecord, OwnFacts } from './own-facts.ts';
import { endOf, type Sweeps } from './sweep.ts';

const CLEAN_MS = 5_000;
/** Between two questions, ms: the first, and at most. */
const [RETRY_MS, MAX_RETRY_MS] = [100, 2_000];
const MAX_SENDINGS = 3;
/** An order is sent again so long after it was signed, ms. */
const SEND_AGAIN_MS = 10_000;

interface Case {
  retryMs: number;
  sendings: number;
  /** The venue has said that it knows these bytes. */
  hasLanded: boolean;
  /** When a sweep had nothing of it and the venue answered its cancel, our time. */
  cleanSince: number | undefined;
}

export class UnknownOrders {
  readonly #deps: PolymarketDeps;
  readonly #facts: OwnFacts;
  readonly #reporter: ExecutionReporter;
  readonly #sweeps: Sweeps;
  readonly #cases = new Map<VenueOrder, Case>();

  constructor(deps: PolymarketDeps, facts: OwnFacts, reporter: ExecutionReporter, sweeps: Sweeps) {
    this.#deps = deps;
    this.#facts = facts;
    this.#reporter = reporter;
    this.#sweeps = sweeps;
  }

  get size(): number {
    for (const { life } of this.#cases.keys()) if (!life.isUnconfirmed) this.#forgetSettled();
    return this.#cases.size;
  }

  /** Reports it as uncertain, and reads the venue. */
  open(order: VenueOrder): void {
    if (!order.life.isUnconfirmed || this.#cases.has(order)) return;
    this.#cases.set(order, { retryMs: RETRY_MS, sendings: 0, hasLanded: false, cleanSince: undefined });
    this.#reporter.uncertain(order);
    void this.#settle(order);
  }

  /** The venue's record of an order; undefined without one, as it has only those of live orders, and without an answer. */
  async find(hash: string): Promise<OrderRecord | undefined> {
    const outcome = await this.#deps.rest.askPrivate({ path: `/data/order/${hash}` });
    if (outcome.type !== 'done') return undefined;
    // A gone order may be answered by something empty.
    const record = tryRead(readPolymarketOrderRecord, outcome.json);
    return record?.id === hash ? record : undefined;
  }

  async #settle(order: VenueOrder): Promise<void> {
    const { timers, log } = this.#deps;
    const one = this.#cases.get(order);
    while (one !== undefined && order.life.isUnconfirmed && !timers.isClosed) {
      try {
        await this.#ask(order, one);
      } catch (error) {
        one.cleanSince = undefined;
        log.warn(
          { order: order.record.order, err: error },
          'polymarket: an order without an answer could not be looked for',
        );
      }
      if (!order.life.isUnconfirmed || timers.isClosed) break;
      await timers.pause(one.retryMs);
      one.retryMs = Math.min(2 * one.retryMs, MAX_RETRY_MS);
    }
    this.#cases.delete(order);
    if (order.isUnwanted && order.life.isLive) this.#reporter.onUnwanted(order);
  }

  async #ask(order: VenueOrder, one: Case): Promise<void> {
    const found = await this.find(order.hash);
    const now = this.#deps.clock.now();
    if (found !== undefined) {
      this.#facts.order(found, now, endOf(order));
      return;
    }
    const { orders } = await this.#sweeps.run();
    if (!order.life.isUnconfirmed || orders.some(({ id }) => id === order.hash)) return;
    if (this.#maySendAgain(order, one)) {
      await this.#sendAgain(order, one);
      return;
    }
    if (one.cleanSince === undefined) {
      if (await this.#cancel(order, one)) one.cleanSince = this.#deps.clock.now();
      return;
    }
    if (now - one.cleanSince < CLEAN_MS) return;
    if (one.hasLanded) {
      this.#facts.accepted(order, now);
      this.#facts.ended(order, { matched: order.filled, reason: endOf(order), at: now });
    } else this.#reporter.rejected(order, 'NOT_FOUND');
  }

  /** Whether a resting order is still wanted. Whether a killed one counts as known is not documented: it is only looked for. */
  #maySendAgain(order: VenueOrder, { sendings, hasLanded }: Case): boolean {
    const isRecent = this.#deps.clock.now() - order.record.timestampMs < SEND_AGAIN_MS;
    return isRecent && order.canRest && !order.isUnwanted && !hasLanded && sendings < MAX_SENDINGS;
  }

  /** @returns whether the venue has answered */
  async #cancel({ hash }: VenueOrder, one: Case): Promise<boolean> {
    const body = JSON.stringify({ orderID: hash });
    const outcome = await this.#deps.rest.askPrivate({ method: 'DELETE', path: '/order', body });
    if (outcome.type === 'refused') return !noteRefusal(this.#deps, outcome.error, 'cancel');
    const answer = outcome.type === 'done' ? tryRead(readPolymarketCancelAnswer, outcome.json) : undefined;
    if (answer?.canceled.includes(hash) === true) one.hasLanded = true;
    return answer !== undefined;
  }

  async #sendAgain(order: VenueOrder, one: Case): Promise<void> {
    const { rest, trouble, log } = this.#deps;
    one.sendings += 1;
    trouble({ type: 'repeated', command: 'order', problem: 'no answer' });
    const outcome = await rest.askPrivate({ method: 'POST', path: '/order', body: order.record.wire });
    if (outcome.type === 'done') {
      const answer = tryRead(readPolymarketPlaceAnswer, outcome.json);
      if (answer?.order === order.hash && answer.status !== 'DELAYED' && answer.status !== 'UNKNOWN')
        this.#facts.accepted(order, this.#deps.clock.now());
    } else if (outcome.type === 'refused') {
      if (outcome.error.kind === 'DUPLICATE') one.hasLanded = true;
      else one.sendings = MAX_SENDINGS;
      // It may be signed in an older version than new orders.
      if (outcome.error.kind !== 'VERSION_MISMATCH') noteRefusal(this.#deps, outcome.error, 'order');
      log.info({ order: order.record.order, said: outcome.error.text }, 'polymarket: refused when it was sent again');
    }
  }

  #forgetSettled(): void {
    for (const order of [...this.#cases.keys()]) if (!order.life.isUnconfirmed) this.#cases.delete(order);
  }
}
