import { type MicroShares, sharesFloor, toShares } from 'halfspread';

/** What the inventory skew is made from. Sizes in shares, signed where a position can be. */
export interface InventorySkew {
  /** YES minus NO held. */
  readonly net: number;
  /** The position at which both sides are quoted alike. */
  readonly target: number;
  /** Bids and asks together, before skewing. */
  readonly totalQuoted: number;
  /** `inventory_range_multiplier`: how many times the size quoted fills the range. */
  readonly rangeMultiplier: number;
}

/**
 * How far the position is from its target, -1..1: `clamp((net - target) / (rangeMultiplier * totalQuoted), -1, 1)`;
 * 0 when nothing is quoted (docs/spec/models.md#ladder-skew). At +1 the position is long by the whole range: no bid, and
 * asks of twice the size.
 */
export function inventoryTilt({ net, target, totalQuoted, rangeMultiplier }: InventorySkew): number {
  if (totalQuoted === 0) return 0;
  return Math.max(-1, Math.min(1, (net - target) / (rangeMultiplier * totalQuoted)));
}

/** The size of a level after the skew: bids times (1 - tilt), asks times (1 + tilt), rounded **down** to the lot. */
export function skewed(side: 'bid' | 'ask', shares: MicroShares, tilt: number): MicroShares {
  return sharesFloor(toShares(shares) * (side === 'bid' ? 1 - tilt : 1 + tilt));
}
