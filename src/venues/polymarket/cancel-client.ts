/** Lists and cancels open orders of an account without a running bot: for the kill switch and the last cancel of a run. */
import { type Clock, sleep } from '../../clock/index.ts';
import { readPolymarketOrderRecord } from '../../protocol/polymarket/index.ts';
import { Backoff, batches } from '../base/index.ts';
import { readList } from './account-poller.ts';
import type { OrderRecord } from './own-event-translator.ts';
import { faultOf, type RestClient } from './rest-client.ts';

/** Largest number of orders in one request: the burst of the lowest rate limit. */
const MAX_CANCELS = 100;

export class CancelClient {
  readonly #rest: RestClient;
  readonly #clock: Clock;

  /** @param rest with the credentials of the account */
  constructor(rest: RestClient, clock: Clock) {
    this.#rest = rest;
    this.#clock = clock;
  }

  /** Reads all open orders. @throws Fault LINK, VENUE, LOGIN, BLOCKED, as the other methods */
  orders(): Promise<readonly OrderRecord[]> {
    return readList({ rest: this.#rest, clock: this.#clock }, '/data/orders', {}, readPolymarketOrderRecord);
  }

  async openOrders(): Promise<number> {
    return (await this.#open()).length;
  }

  /** Cancels all orders that are open now. @returns how many are not open any more */
  async cancelAll(): Promise<number> {
    const open = await this.#open();
    return open.length - (await this.cancelOrders(open));
  }

  /** Cancels orders in batches that fit the rate limit. @returns how many of them are still open */
  async cancelOrders(hashes: readonly string[]): Promise<number> {
    for (const batch of batches(hashes, MAX_CANCELS)) await this.#cancel(batch);
    const open = new Set(await this.#open());
    return hashes.filter((hash) => open.has(hash)).length;
  }

  /** Cancels one batch. Waits and retries while it is rate limited. */
  async #cancel(hashes: readonly string[]): Promise<void> {
    const backoff = new Backoff();
    for (;;) {
      const outcome = await this.#rest.sendPrivate({ method: 'DELETE', path: '/orders', body: JSON.stringify(hashes) });
      if (outcome.type === 'done') return;
      const isLimited = outcome.type === 'refused' && outcome.error.kind === 'RATE_LIMITED';
      if (!isLimited || backoff.isStuck) throw faultOf('a cancel', outcome);
      await sleep(this.#clock, backoff.next(outcome.error.retryAfterMs));
    }
  }

  async #open(): Promise<readonly string[]> {
    return (await this.orders()).map(({ id }) => id);
  }
}
