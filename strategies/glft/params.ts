import { enoughSteps, fillRateShape, makerOrderShape, volatilityShape, z } from 'halfspread';

const positive = (what: string): z.ZodNumber => z.number().positive().describe(what);

/** Parameters of `glft`. Money in USD of the $1 payout, sizes in shares, times in seconds. */
export const glftParams = z
  .strictObject({
    gamma: positive('Risk aversion, 1/USD.'),
    kappa: z
      .union([z.number().positive(), z.literal('measured')])
      .default('measured')
      .describe(
        'Decay of the fill rate with distance, 1/USD; or measured from the trades of others. Default measured.',
      ),
    intensity: z
      .union([z.number().positive(), z.literal('measured')])
      .default('measured')
      .describe('Fill rate at the mid (A) of an order of order_amount, 1/s a side; or measured. Default measured.'),
    ...fillRateShape,
    kappa_min: positive('Fits with a smaller kappa are not used, 1/USD. Default 5.').default(5),
    kappa_max: positive('Fits with a larger kappa are not used, 1/USD. Default 2000.').default(2_000),
    adj_spread: positive('Factor of the half-spread. Default 1.').default(1),
    adj_skew: positive('Factor of the shift against the position. Default 1.').default(1),
    max_half_spread_bps: z
      .number()
      .positive()
      .max(9_999)
      .default(1_000)
      .describe('Largest half-spread, bps of the $1 payout. Default 1000.'),
    ...volatilityShape,
    ...makerOrderShape,
  })
  .refine(({ kappa_min, kappa_max }) => kappa_min < kappa_max, {
    error: 'must be above kappa_min',
    path: ['kappa_max'],
  })
  .refine(...enoughSteps);
