import { z } from 'halfspread';

/** More than any market trades, and exact in micro-shares. */
const MOST_SHARES = 1_000_000_000;
const shares = (what: string): z.ZodNumber => z.number().positive().max(MOST_SHARES).multipleOf(0.01).describe(what);
const seconds = (what: string): z.ZodNumber => z.number().min(0.1).max(31_536_000).describe(what);
const perUsd = (what: string): z.ZodNumber => z.number().positive().describe(what);
const factor = (what: string): z.ZodNumber => z.number().positive().describe(what);

/** Parameters of `avellaneda-stoikov`. Money in USD of the $1 payout, sizes in shares, times in seconds. */
export const avellanedaStoikovParams = z
  .strictObject({
    model: z
      .enum(['avellaneda-stoikov', 'glft'])
      .default('avellaneda-stoikov')
      .describe(
        'Formula of the quotes: with a horizon, or stationary (Guéant, Lehalle, Fernandez-Tapia). Default avellaneda-stoikov.',
      ),
    gamma: z
      .number()
      .positive()
      .optional()
      .describe('Risk aversion, 1/USD. Exactly one of gamma and max_skew_bps is given.'),
    max_skew_bps: z
      .number()
      .positive()
      .max(5_000)
      .optional()
      .describe('Instead of gamma: how far the quotes are shifted at max_position, bps of the $1 payout.'),
    kappa: z
      .union([z.number().positive(), z.literal('measured')])
      .default('measured')
      .describe(
        'Decay of the fill rate with distance, 1/USD; or measured from the trades of others. Default measured.',
      ),
    intensity: z
      .union([z.number().positive(), z.literal('measured')])
      .default('measured')
      .describe(
        'Fill rate at the mid (A) of an order of order_amount, 1/s a side; or measured. Used by glft only. Default measured.',
      ),
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
    refit_interval: seconds('How often kappa and intensity are fitted, seconds. Default 60.').default(60),
    fit_weight: z
      .number()
      .min(0)
      .max(1)
      .default(0.3)
      .describe('How much of a new fit counts, in logarithms: 1 takes it whole. Default 0.3.'),
    kappa_min: perUsd('Fits with a smaller kappa are not used, 1/USD. Default 5.').default(5),
    kappa_max: perUsd('Fits with a larger kappa are not used, 1/USD. Default 2000.').default(2_000),
    adj_spread: factor('Factor of the half-spread; used by glft only. Default 1.').default(1),
    adj_skew: factor('Factor of the shift against the position; used by glft only. Default 1.').default(1),
    max_half_spread_bps: z
      .number()
      .positive()
      .max(9_999)
      .default(1_000)
      .describe('Largest half-spread, bps of the $1 payout; used by glft only. Default 1000.'),
    horizon: seconds(
      'Fixed horizon of the risk, seconds. Default: the time to the scheduled resolution, if there is one.',
    ).optional(),
    volatility_step: seconds('Grid on which the mid is sampled, seconds. Default 5.').default(5),
    volatility_window: seconds(
      'How far back samples count; at least 30 steps of the grid; seconds. Default 1800.',
    ).default(1_800),
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
  })
  .refine(({ gamma, max_skew_bps }) => (gamma === undefined) !== (max_skew_bps === undefined), {
    error: 'give exactly one of gamma and max_skew_bps',
    path: ['gamma'],
  })
  .refine(({ model, gamma }) => model !== 'glft' || gamma !== undefined, {
    error: 'glft needs gamma: max_skew_bps has no closed form there',
    path: ['gamma'],
  })
  .refine(({ kappa_min, kappa_max }) => kappa_min < kappa_max, {
    error: 'must be above kappa_min',
    path: ['kappa_max'],
  })
  .refine(({ volatility_step, volatility_window }) => volatility_window >= 30 * volatility_step, {
    error: 'must hold at least 30 steps of volatility_step',
    path: ['volatility_window'],
  });

export type AvellanedaStoikovParams = z.output<typeof avellanedaStoikovParams>;

/** Whether the trades of others are needed. */
export function measuresFillRate({ model, kappa, intensity }: AvellanedaStoikovParams): boolean {
  return kappa === 'measured' || (model === 'glft' && intensity === 'measured');
}
