import { z } from 'halfspread';

const DAY = 86_400;
const WEEK = 604_800;
const seconds = (most: number, what: string): z.ZodNumber => z.number().min(0).max(most).describe(what);
const least = (bound: number, most: number, what: string): z.ZodNumber =>
  z.number().min(bound).max(most).describe(what);

/**
 * Own parameters of `event-regime`, beside `strategy` and `params` of the wrapped strategy. Distances in price steps or in bps
 * of the $1 payout, times in seconds.
 */
export const eventRegimeParams = z.strictObject({
  jump_ticks: least(
    0,
    10_000,
    'Quotes are pulled when the mid moves so many price steps within jump_window, unless jump_sigmas asks for more. With jump_sigmas 0 as well, no jump counts. Default 5.',
  ).default(5),
  jump_sigmas: least(
    0,
    1_000,
    'A jump also has to be so many standard deviations of the slow volatility over jump_window; 0: jump_ticks alone. Default 4.',
  ).default(4),
  jump_window: least(
    0.05,
    600,
    'Time within which moves are compared, and taker shares of a side add up, seconds. Default 1.',
  ).default(1),
  sweep_multiple: least(
    0,
    1e6,
    "Quotes are pulled when a side's takers trade so many times the usual shares within jump_window; 0: off. Default 5.",
  ).default(5),
  sweep_levels: z
    .int()
    .min(0)
    .max(1_000)
    .default(3)
    .describe('Quotes are pulled when one message has trades at so many prices; 0: off. Default 3.'),
  pull_time: seconds(DAY, 'Time without quotes after the last jump or sweep, seconds. Default 10.').default(10),
  recovery_multiplier: least(
    1,
    100,
    'Factor on distances at the end of the pull, falling to 1 over recovery_time. Default 2.',
  ).default(2),
  recovery_time: least(0.1, DAY, 'Time in which recovery_multiplier falls to 1, seconds. Default 30.').default(30),
  vol_step: least(0.1, 3_600, 'Distance of two samples of volatility, seconds. Default 5.').default(5),
  vol_fast: least(1, WEEK, 'Half-life of the fast volatility, seconds. Default 30.').default(30),
  vol_slow: least(1, WEEK, 'Half-life of the slow volatility, seconds. Default 1800.').default(1_800),
  max_vol_multiplier: least(
    1,
    100,
    'Largest factor on distances from fast over slow volatility; 1: off. Default 3.',
  ).default(3),
  taper_window: seconds(
    10 * WEEK,
    'Sizes shrink from so long before resolution on, seconds; down to 0 at reduce_only_window. Default 3600.',
  ).default(3_600),
  reduce_only_window: seconds(
    10 * WEEK,
    'From so long before resolution on, only quotes that make the position smaller stay, seconds. Default 600.',
  ).default(600),
  halt_window: seconds(
    10 * WEEK,
    'From so long before resolution on, there are no quotes, seconds. Default 60.',
  ).default(60),
  resolution_time: z.iso
    .datetime({ error: 'a time in UTC, such as 2026-11-30T18:00:00Z' })
    .optional()
    .describe(
      'Time of resolution in a market without a scheduled one, such as 2026-11-30T18:00:00Z. Default: unknown, so that nothing happens before resolution.',
    ),
});

export type EventRegimeParams = z.output<typeof eventRegimeParams>;
