import { FULL_BPS, type MicroShares, type PositionView, type QuoteSpec, sharesFloor, toShares } from 'halfspread';
import type { LadderParams } from './params.ts';

/** Prices that the distances of each side start from, bps; may be fractional. */
export interface PriceBases {
  readonly bid: number;
  readonly ask: number;
}

/**
 * The mid on both sides, or with `price_type: inventory_cost` no better than what the position cost: asks start from the
 * average cost of YES when long, bids from 10000 less that of NO when short (docs/spec/models.md#ladder-options).
 */
export function priceBases({ price_type }: LadderParams, mid: number, position: PositionView): PriceBases {
  if (price_type === 'mid') return { bid: mid, ask: mid };
  const { net, yes, no, yesCost, noCost } = position;
  return {
    bid: net < 0 ? Math.min(mid, FULL_BPS - (FULL_BPS * noCost) / no) : mid,
    ask: net > 0 ? Math.max(mid, (FULL_BPS * yesCost) / yes) : mid,
  };
}

/**
 * The levels to quote around `bases` at a position of `net` micro-shares (YES minus NO). Prices follow
 * from the spreads, and sizes are skewed against the position. Each side is cut, outer levels first, so that the position
 * stays within `max_position` if the whole side is filled.
 */
export function ladderLevels(params: LadderParams, bases: PriceBases, net: number): readonly QuoteSpec[] {
  const sizes = levelSizes(params);
  const totalQuoted = toShares(2 * sizes.reduce((sum, size) => sum + size, 0));
  const tilt = params.inventory_skew_enabled
    ? inventoryTilt({
        net: toShares(net),
        target: (params.inventory_target_base_pct / 100) * params.max_position,
        totalQuoted,
        rangeMultiplier: params.inventory_range_multiplier,
      })
    : 0;
  const missing = Math.max(0, params.min_spread - params.bid_spread - params.ask_spread) / 2;
  const limit = sharesFloor(params.max_position);
  return [
    ...side('bid', bases.bid - params.bid_spread - missing, sizes, { tilt, room: limit - net, params }),
    ...side('ask', bases.ask + params.ask_spread + missing, sizes, { tilt, room: limit + net, params }),
  ];
}

function levelSizes(params: LadderParams): readonly MicroShares[] {
  return Array.from({ length: params.order_levels }, (_, level) =>
    sharesFloor(params.order_amount + level * params.order_level_amount),
  );
}

interface SideOptions {
  readonly tilt: number;
  /** The most micro-shares that this side may fill; none when not positive. */
  readonly room: number;
  readonly params: LadderParams;
}

function side(
  name: QuoteSpec['side'],
  best: number,
  sizes: readonly MicroShares[],
  options: SideOptions,
): readonly QuoteSpec[] {
  const { tilt, params } = options;
  const step = name === 'bid' ? -params.order_level_spread : params.order_level_spread;
  let room = Math.max(0, options.room);
  return sizes.map((size, level) => {
    const shares = sharesFloor(toShares(Math.min(skewed(name, size, tilt), room)));
    room -= shares;
    return { side: name, price: best + level * step, shares };
  });
}

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
