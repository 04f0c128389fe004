/** Limits the request rate of each signer with Polymarket's costs and headers (docs/spec/polymarket.md#rate-limits). */
import type { Clock } from '../../clock/index.ts';
import { type PolymarketTier, polymarketBuckets } from '../../protocol/polymarket/index.ts';
import { TokenBucket, UNITS_PER_TOKEN } from '../access/buckets.ts';
import { tooManyRequests } from './request.ts';

const MAX_SIGNERS = 100_000;

export type PolymarketRates = ReturnType<typeof createPolymarketRates>;

/** @param tier undefined for no limits */
export function createPolymarketRates(clock: Clock, tier: PolymarketTier | undefined) {
  const bucketsByAddress = new Map<string, { readonly order: TokenBucket; readonly cancel: TokenBucket }>();
  return {
    /**
     * Consumes all of the tokens or none. Always refuses a cost above the capacity.
     * @returns headers of the answer
     * @throws PolymarketRefusal 429
     */
    consume(address: string, kind: 'order' | 'cancel', cost: number): Readonly<Record<string, string>> {
      if (tier === undefined) return {};
      const sizes = polymarketBuckets(tier);
      const size = sizes[kind];
      const now = clock.now();
      const buckets = bucketsByAddress.get(address) ?? {
        order: new TokenBucket(sizes.order, now),
        cancel: new TokenBucket(sizes.cancel, now),
      };
      // The map's order is that of the last use.
      bucketsByAddress.delete(address);
      bucketsByAddress.set(address, buckets);
      const [oldest] = bucketsByAddress.keys();
      if (bucketsByAddress.size > MAX_SIGNERS && oldest !== undefined) bucketsByAddress.delete(oldest);
      const bucket = buckets[kind];
      const isTooLarge = cost > size.capacity;
      const waitMs = isTooLarge ? 0 : bucket.consume(cost, now);
      const tokens = bucket.refill(now) / UNITS_PER_TOKEN;
      const headers = {
        'poly-ratelimit-remaining': String(Math.floor(Math.max(0, tokens))),
        'poly-ratelimit-reset': String(Math.ceil((size.capacity - tokens) / size.perSecond)),
        'poly-ratelimit-tier': tier,
      };
      if (waitMs === 0 && !isTooLarge) return headers;
      const detail = isTooLarge ? `: a cost of ${cost} is above the burst of ${size.capacity}` : '';
      throw tooManyRequests(`rate limit exceeded${detail}`, Math.max(1, Math.ceil(waitMs / 1_000)), headers);
    },
  };
}
