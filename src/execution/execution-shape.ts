import { z } from 'zod';

/** Configuration keys of execution, for backtests and live bots. */
export const executionShape = {
  size_tolerance_pct: z
    .number()
    .min(0)
    .max(100)
    .default(10)
    .describe('An order that is smaller than quoted by at most this percentage stays. Default 10.'),
  merge_threshold: z
    .number()
    .min(0)
    .multipleOf(0.01)
    .optional()
    .describe('Idle pairs of YES and NO beyond this many shares are merged into cash. Default: never.'),
};
