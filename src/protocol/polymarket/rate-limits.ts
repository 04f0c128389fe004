/** Token buckets of a signer (docs/spec/polymarket.md#rate-limits). */

/** Orders per second by tier. The limit of cancels is twice as high. Both allow a burst of one and a half seconds. */
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

/**
 * Returns capacity and refill of a tier's buckets. An order and a cancelled id cost one token each. A cancel of all
 * orders or of a market costs one more token than its number of orders.
 */
export function polymarketBuckets(tier: PolymarketTier) {
  const orders = POLYMARKET_TIERS[tier];
  return {
    order: { capacity: (orders * 3) / 2, perSecond: orders },
    cancel: { capacity: orders * 3, perSecond: 2 * orders },
  };
}
