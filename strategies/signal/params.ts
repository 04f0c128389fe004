import { enoughSteps, horizonShape, makerOrderShape, volatilityShape, z } from 'halfspread';

/** More than any market trades, and exact in micro-shares. */
const MOST_SHARES = 1_000_000_000;
const seconds = (what: string): z.ZodNumber => z.number().min(0.1).max(31_536_000).describe(what);
const logOdds = (what: string): z.ZodNumber => z.number().positive().max(20).describe(what);

/** Parameters of `signal`. Money in USD of the $1 payout, sizes in shares, times in seconds, uncertainties in log-odds. */
export const signalParams = z
  .strictObject({
    signal: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,95}$/, 'letters, digits and . _ : -, at most 96')
      .describe(
        'Name of the signal: <name>.p is the probability of YES, 0 to 1, and <name>.sd its standard deviation in log-odds.',
      ),
    signal_sd: logOdds(
      'Standard deviation of the signal until <name>.sd arrives, log-odds. Default: none, so the signal waits for it.',
    ).optional(),
    signal_max_age: seconds('A signal older than this does not count, seconds. Default 60.').default(60),
    book_sd: logOdds('Standard deviation of the mid as an estimate, log-odds. Default 0.1.').default(0.1),
    signal_correlation: z
      .number()
      .min(-0.9)
      .max(0.9)
      .default(0)
      .describe('Correlation of the errors of signal and mid, -0.9 to 0.9. Default 0.'),
    max_disagreement: z
      .number()
      .positive()
      .max(100)
      .default(3)
      .describe('A signal farther from the mid than this does not count, standard deviations. Default 3.'),
    kelly_fraction: z
      .number()
      .positive()
      .max(1)
      .default(0.25)
      .describe('Part of the Kelly position that may be held, above 0 to 1. Default 0.25.'),
    bankroll_usd: z.number().positive().max(MOST_SHARES).describe('Money that the Kelly position is a part of, USD.'),
    kappa: z.number().positive().describe('Decay of the fill rate with distance, 1/USD.'),
    ...horizonShape,
    ...volatilityShape,
    order_amount: makerOrderShape.order_amount,
    order_refresh_time: makerOrderShape.order_refresh_time,
    max_position: makerOrderShape.max_position,
  })
  .refine(...enoughSteps);

export type SignalParams = z.output<typeof signalParams>;
