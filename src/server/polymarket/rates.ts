/** Rate limits of signers, with Polymarket's costs, body and headers (docs/spec/polymarket.md#rate-limits). */
import type { Clock } from '../../clock/index.ts';
import { type PolymarketTier, polymarketBuckets } from '../../protocol/polymarket/index.ts';
import { TokenBucket } from '../access/buckets.ts';
import { tooManyRequests } from './request.ts';

const TOKEN = 1_000;
const MAX_SIGNERS = 100_000;

export class PolymarketRates {
  readonly #clock: Clock;
  readonly #tier: PolymarketTier | undefined;
  readonly #buckets = new Map<string, { readonly order: TokenBucket; readonly cancel: TokenBucket }>();

  /** @param tier undefined for no limits */
  constructor(clock: Clock, tier: PolymarketTier | undefined) {
    this.#clock = clock;
    this.#tier = tier;
  }

  /**
   * Consumes all tokens or none. A cost above the capacity is always refused.
   * @returns headers of the answer
   * @throws PolymarketRefusal 429
   */
  take(address: string, kind: 'order' | 'cancel', cost: number): Readonly<Record<string, string>> {
    if (this.#tier === undefined) return {};
    const sizes = polymarketBuckets(this.#tier);
    const size = sizes[kind];
    const now = this.#clock.now();
    const buckets = this.#buckets.get(address) ?? {
      order: new TokenBucket(sizes.order, now),
      cancel: new TokenBucket(sizes.cancel, now),
    };
    this.#buckets.set(address, buckets);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_SIGNERS && oldest !== undefined) this.#buckets.delete(oldest);
    const bucket = buckets[kind];
    const isTooLarge = cost > size.capacity;
    const wait = isTooLarge ? 0 : bucket.take(cost, now);
    const level = bucket.level(now);
    const full = Math.ceil((size.capacity * TOKEN - level) / size.perSecond / 1_000);
    const headers = {
      'poly-ratelimit-remaining': String(Math.floor(Math.max(0, level) / TOKEN)),
      'poly-ratelimit-reset': String(full),
      'poly-ratelimit-tier': this.#tier,
    };
    if (wait === 0 && !isTooLarge) return headers;
    const seconds = Math.max(1, Math.ceil(wait / 1_000));
    const error = isTooLarge
      ? `rate limit exceeded: a cost of ${cost} is above the burst of ${size.capacity}`
      : 'rate limit exceeded';
    throw tooManyRequests(error, seconds, headers);
  }
}
