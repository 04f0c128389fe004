import { makerOrderShape, z } from 'halfspread';

const distance = (what: string): z.ZodNumber => z.number().min(0).max(9_999).describe(what);
/** More than any market trades, and exact in micro-shares. */
const MOST_SHARES = 1_000_000_000;

/** Other bots take a fraction or a percentage here. Such a value would quote at the mid, so it is an error. */
const NO_FRACTION = '0, or at least 1: bps of the $1 payout, so that 60 is 0.6 cents';
const inBps = (bps: number): boolean => bps === 0 || bps >= 1;

const depth = (side: string) =>
  z
    .number()
    .min(0)
    .max(MOST_SHARES)
    .default(0)
    .describe(
      `How many shares of the best ${side} of others may stay better than the own; for order_optimization_enabled, shares. Default 0.`,
    );

/** Parameters of `ladder`. Distances are absolute, in bps of the $1 payout (100 bps = 1 cent); sizes in shares; times in seconds. */
export const ladderParams = z.strictObject({
  bid_spread: distance('Distance of the best bid below the mid, bps of the $1 payout.').refine(inBps, NO_FRACTION),
  ask_spread: distance('Distance of the best ask above the mid, bps of the $1 payout.').refine(inBps, NO_FRACTION),
  ...makerOrderShape,
  order_amount: makerOrderShape.order_amount.describe('Size of the best level of each side, shares.'),
  order_levels: z.int().min(1).max(10).default(1).describe('Levels a side, 1 to 10. Default 1.'),
  order_level_spread: distance('Distance between two levels, bps. Default 50.').default(50),
  order_level_amount: z
    .number()
    .min(0)
    .max(MOST_SHARES)
    .multipleOf(0.01)
    .default(0)
    .describe('How much larger each level is than the one before, shares. Default 0.'),
  inventory_skew_enabled: z
    .boolean()
    .default(true)
    .describe('Whether sizes are skewed against the position. Default true.'),
  inventory_range_multiplier: z
    .number()
    .positive()
    .default(1)
    .describe(
      'Distance from the target at which the skew is complete, as a multiple of the total size quoted. Default 1.',
    ),
  price_type: z
    .enum(['mid', 'inventory_cost'])
    .default('mid')
    .describe(
      'What distances start from: the mid, or on the side that makes the position smaller its average cost, if that lies beyond the mid. Default mid.',
    ),
  order_optimization_enabled: z
    .boolean()
    .default(false)
    .describe(
      'Whether a side that would be the best price moves out to one step before the best of others. Default false.',
    ),
  bid_order_optimization_depth: depth('bids'),
  ask_order_optimization_depth: depth('asks'),
  filled_order_delay: z
    .number()
    .min(0)
    .max(86_400)
    .default(0)
    .describe('Time without new levels after a level was completely filled, seconds. Default 0.'),
  hanging_orders_enabled: z
    .boolean()
    .default(false)
    .describe('Whether an order stays when its pair on the other side was completely filled. Default false.'),
  hanging_orders_cancel_pct: z
    .number()
    .min(0)
    .max(100)
    .default(10)
    .describe('A hanging order farther from the mid than this is cancelled, percent of the $1 payout. Default 10.'),
  ping_pong_enabled: z
    .boolean()
    .default(false)
    .describe(
      'Whether a side leaves out as many levels as it has been filled more often than the other. Default false.',
    ),
  minimum_spread: distance(
    'An order nearer to the mid than this is cancelled until the next refresh, bps. Default 0: off.',
  )
    .refine(inBps, NO_FRACTION)
    .default(0),
});

export type LadderParams = z.output<typeof ladderParams>;
