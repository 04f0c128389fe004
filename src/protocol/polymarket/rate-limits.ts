/** Token buckets of a signer (docs/spec/polymarket.md#rate-limits). */

/** Orders a second by tier. Cancels have twice as many, both a burst of one and a half seconds. */
export const POLYMARKET_TIERS = {
  Standard: 40,
  Copper: 60,
  Bronze: 80,
  Silver: 200,
  Gold: 400,
  Platinum: 450,
  Diamond: 525,
  Elite: 600,
} as const;
export type PolymarketTier = keyof typeof POLYMARKET_TIERS;

/** Capacity of a bucket, and the tokens that it gains per second. */
interface PolymarketBucket {
  readonly capacity: number;
  readonly perSecond: number;
}

/** Both buckets of a tier. An order and a cancelled id cost one token each; a cancel of all or of a market costs one more than it cancels. */
export function polymarketBuckets(tier: PolymarketTier): {
  readonly order: PolymarketBucket;
  readonly cancel: PolymarketBucket;
} {
  const orders = POLYMARKET_TIERS[tier];
  return {
    order: { capacity: (orders * 3) / 2, perSecond: orders },
    cancel: { capacity: orders * 3, perSecond: 2 * orders },
  };
}
