/** Open orders of an account and their cancels, independent of any bot: for the kill switch and the last cancel of a run. */
import { type Clock, sleep } from '../../clock/index.ts';
import { readPolymarketOrderRecord } from '../../protocol/polymarket/index.ts';
import { Backoff } from '../base/index.ts';
import type { OrderRecord } from './own-facts.ts';
import { faultOf, type RestClient } from './rest-client.ts';
import { readList } from './sweep.ts';

/** Ids in one request: what the lowest rate limit lets through at once. */
const MAX_CANCELS = 100;

export class CancelClient {
  readonly #rest: RestClient;
  readonly #clock: Clock;

  /** @param rest with the credentials of the account */
  constructor(rest: RestClient, clock: Clock) {
    this.#rest = rest;
    this.#clock = clock;
  }

  /** All that are open. @throws Fault LINK, VENUE, LOGIN, BLOCKED; likewise below */
  orders(): Promise<readonly OrderRecord[]> {
    return readList({ rest: this.#rest, clock: this.#clock }, '/data/orders', {}, readPolymarketOrderRecord);
  }

  async openOrders(): Promise<number> {
    return (await this.#open()).length;
  }

  /** In parts that the rate limit lets through, until none is open that was at first. @returns how many are gone */
  async cancelAll(): Promise<number> {
    const open = await this.#open();
    return open.length - (await this.cancelThese(open));
  }

  /** @returns how many of them are still open */
  async cancelThese(hashes: readonly string[]): Promise<number> {
    for (let at = 0; at < hashes.length; at += MAX_CANCELS) await this.#cancel(hashes.slice(at, at + MAX_CANCELS));
    const open = new Set(await this.#open());
    return hashes.filter((hash) => open.has(hash)).length;
  }

  /** Waits where the rate limit lets no more through for the moment. */
  async #cancel(hashes: readonly string[]): Promise<void> {
    const backoff = new Backoff();
    for (;;) {
      const outcome = await this.#rest.askPrivate({ method: 'DELETE', path: '/orders', body: JSON.stringify(hashes) });
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
