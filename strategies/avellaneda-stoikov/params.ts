import { enoughSteps, fillRateShape, horizonShape, makerOrderShape, volatilityShape, z } from 'halfspread';

const perUsd = (what: string): z.ZodNumber => z.number().positive().describe(what);

/** Parameters of `avellaneda-stoikov`. Money in USD of the $1 payout, sizes in shares, times in seconds. */
export const avellanedaStoikovParams = z
  .strictObject({
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
    ...fillRateShape,
    kappa_min: perUsd('Fits with a smaller kappa are not used, 1/USD. Default 5.').default(5),
    kappa_max: perUsd('Fits with a larger kappa are not used, 1/USD. Default 2000.').default(2_000),
    ...horizonShape,
    ...volatilityShape,
    ...makerOrderShape,
  })
  .refine(({ gamma, max_skew_bps }) => (gamma === undefined) !== (max_skew_bps === undefined), {
    error: 'give exactly one of gamma and max_skew_bps',
    path: ['gamma'],
  })
  .refine(({ kappa_min, kappa_max }) => kappa_min < kappa_max, {
    error: 'must be above kappa_min',
    path: ['kappa_max'],
  })
  .refine(...enoughSteps);

export type AvellanedaStoikovParams = z.output<typeof avellanedaStoikovParams>;
