import { z } from 'halfspread';

const distance = (what: string): z.ZodNumber => z.number().min(0).max(9_999).describe(what);
/** Beyond any market, and well within what is counted exactly. */
const MOST_SHARES = 1_000_000_000;
const shares = (what: string): z.ZodNumber => z.number().positive().max(MOST_SHARES).multipleOf(0.01).describe(what);

/** Elsewhere a spread is a fraction or a percentage; here those would quote at the mid without a word. */
const NO_FRACTION = '0, or at least 1: bps of the $1 payout, so that 60 is 0.6 cents';
const inBps = (bps: number): boolean => bps === 0 || bps >= 1;

/** Parameters of `ladder`. Distances are absolute, in bps of the $1 payout (100 bps = 1 cent); sizes in shares; times in seconds. */
export const ladderParams = z.strictObject({
  bid_spread: distance('Distance of the best bid below the mid, bps of the $1 payout.').refine(inBps, NO_FRACTION),
  ask_spread: distance('Distance of the best ask above the mid, bps of the $1 payout.').refine(inBps, NO_FRACTION),
  min_spread: distance(
    'Least distance between own best bid and own best ask, bps; closer ones are both moved out. Default 0.',
  ).default(0),
  order_amount: shares('Size of the best level of each side, shares.'),
  order_levels: z.int().min(1).max(10).default(1).describe('Levels a side, 1 to 10. Default 1.'),
  order_level_spread: distance('Distance between two levels, bps. Default 50.').default(50),
  order_level_amount: z
    .number()
    .min(0)
    .max(MOST_SHARES)
    .multipleOf(0.01)
    .default(0)
    .describe('How much larger each level is than the one before, shares. Default 0.'),
  order_refresh_time: z
    .number()
    .min(0.1)
    .max(86_400)
    .default(5)
    .describe(
      'An order younger than this is not moved unless it stands too close, seconds; quotes are also looked at this often when no news comes. Default 5.',
    ),
  order_refresh_tolerance_pct: z
    .number()
    .min(0)
    .max(100)
    .default(0)
    .describe('An order this close to its wished price stays, percent of the price. Default 0.'),
  max_order_age: z
    .number()
    .positive()
    .optional()
    .describe('An order older than this is renewed, seconds. Default: never.'),
  inventory_skew_enabled: z.boolean().default(true).describe('Whether sizes lean against the position. Default true.'),
  inventory_target_base_pct: z
    .number()
    .min(-100)
    .max(100)
    .default(0)
    .describe('The position aimed at, percent of max_position: 0 is flat, 100 all YES, -100 all NO. Default 0.'),
  inventory_range_multiplier: z
    .number()
    .positive()
    .default(1)
    .describe('The skew is complete when the position is this many times the total size quoted off target. Default 1.'),
  max_position: shares('The strategy never quotes what could take it beyond this many shares of YES or of NO.'),
});

export type LadderParams = z.output<typeof ladderParams>;
