/** Parameters that makers share, as parts of their schemas. Distances in bps of the $1 payout, sizes in shares, times in seconds. */
import { z } from 'zod';

/** More than any market trades, and exact in micro-shares. */
const MOST_SHARES = 1_000_000_000;
const shares = (what: string): z.ZodNumber => z.number().positive().max(MOST_SHARES).multipleOf(0.01).describe(what);
const seconds = (what: string): z.ZodNumber => z.number().min(0.1).max(31_536_000).describe(what);

/** How the volatility of a market is measured. */
export const volatilityShape = {
  volatility_step: seconds('Grid on which the mid is sampled, seconds. Default 5.').default(5),
  volatility_window: seconds(
    'How far back samples count; at least 30 steps of the grid; seconds. Default 1800.',
  ).default(1_800),
};

/** How the fill rate of a market is measured from the trades of others. */
export const fillRateShape = {
  fill_rate_step: z
    .number()
    .min(0.1)
    .max(60)
    .default(1)
    .describe('Grid on which the trades of others are counted, seconds. Default 1.'),
  fill_rate_window: z
    .number()
    .min(300)
    .max(86_400)
    .default(1_800)
    .describe('How far back trades count, and how long a fit is used until the next, seconds. Default 1800.'),
  refit_interval: seconds('How often the fill rate is fitted, seconds. Default 60.').default(60),
  fit_weight: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .describe('How much of a new fit counts, in logarithms: 1 takes it whole. Default 0.3.'),
};

/** Sizes, limits and ages of a maker's orders. */
export const makerOrderShape = {
  order_amount: shares('Size of each quote, shares.'),
  max_position: shares('Largest position, shares of YES or of NO. No quote can take the position beyond it.'),
  inventory_target_base_pct: z
    .number()
    .min(-100)
    .max(100)
    .default(0)
    .describe('Target position, percent of max_position: 0 is flat, 100 all YES, -100 all NO. Default 0.'),
  min_spread: z
    .number()
    .min(0)
    .max(9_999)
    .default(0)
    .describe('Smallest distance between own bid and own ask, bps of the $1 payout. Default 0.'),
  order_refresh_time: seconds(
    'An order younger than this is not moved unless its price is too aggressive, seconds. Also how often quotes are updated in a quiet market. Default 5.',
  ).default(5),
  order_refresh_tolerance_pct: z
    .number()
    .min(0)
    .max(100)
    .default(0)
    .describe('An order this close to its new price is not moved, percent of the price. Default 0.'),
  max_order_age: seconds('An order older than this is replaced, seconds. Default: never.').optional(),
};

/** The horizon of a maker that looks so far ahead. */
export const horizonShape = {
  horizon: seconds(
    'Fixed horizon of the risk, seconds. Default: the time to the scheduled resolution, if there is one.',
  ).optional(),
};

/** For `refine`: `volatility_window` holds enough steps. */
export const enoughSteps = [
  ({ volatility_step, volatility_window }: { volatility_step: number; volatility_window: number }): boolean =>
    volatility_window >= 30 * volatility_step,
  { error: 'must hold at least 30 steps of volatility_step', path: ['volatility_window'] },
] satisfies readonly [unknown, { error: string; path: string[] }];
