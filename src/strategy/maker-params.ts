/** Schema parts that makers share. Distances in bps of the $1 payout, sizes in shares, times in seconds. */
import { z } from 'zod';
import { within } from './schema-parts.ts';

/** Above any real size, and exact in micro-shares. */
const MAX_SHARES = 1_000_000_000;
const YEAR_S = 31_536_000;
const shares = (text: string): z.ZodNumber => z.number().positive().max(MAX_SHARES).multipleOf(0.01).describe(text);
const seconds = (text: string): z.ZodNumber => z.number().min(0.1).max(YEAR_S).describe(text);

/** Parameters of measuring the volatility of a market. */
export const volatilityShape = {
  volatility_step: within(0.1, YEAR_S, 5, 'Grid on which the mid is sampled, seconds.'),
  volatility_window: within(0.1, YEAR_S, 1_800, 'How far back samples count; at least 30 steps of the grid; seconds.'),
};

/** Parameters of measuring the fill rate of a market from trades of others. */
export const fillRateShape = {
  fill_rate_step: within(0.1, 60, 1, 'Grid on which the trades of others are counted, seconds.'),
  fill_rate_window: within(
    300,
    86_400,
    1_800,
    'How far back trades count, and how long a fit is used until the next, seconds.',
  ),
  refit_interval: within(0.1, YEAR_S, 60, 'How often the fill rate is fitted, seconds.'),
  fit_weight: within(0, 1, 0.3, 'Weight of a new fit, in logarithms: 1 ignores earlier fits.'),
};

/** Sizes, limits and ages of a maker's orders. */
export const makerOrderShape = {
  order_amount: shares('Size of each quote, shares.'),
  max_position: shares('Largest position, shares of YES or of NO. No quote can take the position beyond it.'),
  inventory_target_base_pct: within(
    -100,
    100,
    0,
    'Target position, percent of max_position: 0 is flat, 100 all YES, -100 all NO.',
  ),
  min_spread: within(0, 9_999, 0, 'Smallest distance between own bid and own ask, bps of the $1 payout.'),
  order_refresh_time: within(
    0.1,
    YEAR_S,
    5,
    'An order younger than this is not moved unless its price is too aggressive, seconds. Also how often quotes are updated in a quiet market.',
  ),
  order_refresh_tolerance_pct: within(
    0,
    100,
    0,
    'An order this close to its new price is not moved, percent of the price.',
  ),
  max_order_age: seconds('An order older than this is replaced, seconds. Default: never.').optional(),
};

export const horizonShape = {
  horizon: seconds(
    'Fixed horizon of the risk, seconds. Default: the time to the scheduled resolution, if there is one.',
  ).optional(),
};

/** Arguments of `refine` that require at least 30 steps in `volatility_window`. */
export const enoughSteps = [
  ({ volatility_step, volatility_window }: { volatility_step: number; volatility_window: number }): boolean =>
    volatility_window >= 30 * volatility_step,
  { error: 'at least 30 steps of volatility_step', path: ['volatility_window'] },
] satisfies readonly [unknown, { error: string; path: string[] }];
