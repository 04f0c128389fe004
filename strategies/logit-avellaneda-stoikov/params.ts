import { enoughSteps, fillRateShape, horizonShape, makerOrderShape, volatilityShape, z } from 'halfspread';

const positive = (what: string): z.ZodNumber => z.number().positive().describe(what);

/** Parameters of `logit-avellaneda-stoikov`. Distances in log-odds unless they end in _bps, sizes in shares, times in seconds. */
export const logitParams = z
  .strictObject({
    gamma_x: positive(
      'Risk aversion per share, in log-odds. Exactly one of gamma_x and max_skew_x is given.',
    ).optional(),
    max_skew_x: z
      .number()
      .min(0)
      .max(3)
      .optional()
      .describe('Instead of gamma_x: how far the quotes are shifted at max_position, log-odds.'),
    kappa_x: z
      .union([z.number().positive(), z.literal('measured')])
      .describe('Decay of the fill rate with distance, 1/log-odds; or measured from the trades of others.'),
    ...fillRateShape,
    kappa_x_min: positive('Fits with a smaller kappa_x are not used, 1/log-odds. Default 1.').default(1),
    kappa_x_max: positive('Fits with a larger kappa_x are not used, 1/log-odds. Default 500.').default(500),
    min_mid_bps: z
      .number()
      .min(1)
      .max(4_000)
      .default(200)
      .describe('No quotes while the mid is nearer than this to 0 or 1, bps of the $1 payout. Default 200.'),
    ...horizonShape,
    ...volatilityShape,
    ...makerOrderShape,
  })
  .refine(({ gamma_x, max_skew_x }) => (gamma_x === undefined) !== (max_skew_x === undefined), {
    error: 'give exactly one of gamma_x and max_skew_x',
    path: ['gamma_x'],
  })
  .refine(({ kappa_x_min, kappa_x_max }) => kappa_x_min < kappa_x_max, {
    error: 'must be above kappa_x_min',
    path: ['kappa_x_max'],
  })
  .refine(...enoughSteps);
