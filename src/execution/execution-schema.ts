/** Configuration keys of execution, the same for a backtest and a live bot. */
import { z } from 'zod';

export const executionShape = {
  size_tolerance_pct: z
    .number()
    .min(0)
    .max(100)
    .default(10)
    .describe('An order that lacks no more than this part of its wished size is left alone, percent. Default 10.'),
  merge_threshold: z
    .number()
    .min(0)
    .multipleOf(0.01)
    .optional()
    .describe('Idle pairs of YES and NO beyond this many shares are merged into cash. Default: never.'),
};
