import { type MicroShares, type QuoteWish, SHARE, sharesFloor } from 'halfspread';
import { inventoryTilt, skewed } from './inventory-skew.ts';
import type { LadderParams } from './params.ts';

/**
 * The wished levels around `mid` (bps, may end in .5) at a position of `net` micro-shares (YES minus NO): prices from
 * the spreads, sizes leaned against the position, each side cut from the outside in so that all of it filling leaves the
 * position within `max_position`.
 */
export function ladderLevels(params: LadderParams, mid: number, net: number): readonly QuoteWish[] {
  const sizes = levelSizes(params);
  const totalQuoted = (2 * sizes.reduce((sum, size) => sum + size, 0)) / SHARE;
  const tilt = params.inventory_skew_enabled
    ? inventoryTilt({
        net: net / SHARE,
        target: (params.inventory_target_base_pct / 100) * params.max_position,
        totalQuoted,
        rangeMultiplier: params.inventory_range_multiplier,
      })
    : 0;
  const missing = Math.max(0, params.min_spread - params.bid_spread - params.ask_spread) / 2;
  const limit = sharesFloor(params.max_position);
  return [
    ...side('bid', mid - params.bid_spread - missing, sizes, { tilt, room: limit - net, params }),
    ...side('ask', mid + params.ask_spread + missing, sizes, { tilt, room: limit + net, params }),
  ];
}

function levelSizes(params: LadderParams): readonly MicroShares[] {
  return Array.from({ length: params.order_levels }, (_, level) =>
    sharesFloor(params.order_amount + level * params.order_level_amount),
  );
}

interface Lean {
  readonly tilt: number;
  /** Micro-shares that this side may fill in all; not positive means none. */
  readonly room: number;
  readonly params: LadderParams;
}

function side(name: QuoteWish['side'], best: number, sizes: readonly MicroShares[], lean: Lean): readonly QuoteWish[] {
  const step = name === 'bid' ? -lean.params.order_level_spread : lean.params.order_level_spread;
  let room = Math.max(0, lean.room);
  return sizes.map((size, level) => {
    const shares = sharesFloor(Math.min(skewed(name, size, lean.tilt), room) / SHARE);
    room -= shares;
    return { side: name, price: best + level * step, shares };
  });
}
