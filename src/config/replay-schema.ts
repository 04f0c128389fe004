/** Tapes that a venue plays, as people write them: `replay` of the venue's file. */
import { z } from 'zod';
import { queueSchema, tradesOnlySchema } from '../replay/index.ts';

/** A million seconds of a tape in one of the clock is more than any machine plays. */
export const MOST_SPEED = 1_000_000;

const tape = z.strictObject({
  tape: z.string().min(1).describe('The tape, relative to this file.'),
  from: z
    .string()
    .optional()
    .describe(
      'Where a market begins that does not follow the tape yet: ISO 8601 with Z, or a time of day such as 12:00:00Z, the last one on the tape. Default: its first row.',
    ),
  speed: z
    .number()
    .positive()
    .max(MOST_SPEED)
    .default(1)
    .describe('How many seconds of the tape go by in one second. Default 1.'),
  category: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case words joined by "-"')
    .max(100)
    .default('recorded')
    .describe('Slug of the category of its markets. Default recorded.'),
  queue: queueSchema.prefault({ model: 'risk-averse' }).describe('What stands before an order at its price.'),
  trades_only: tradesOnlySchema
    .optional()
    .describe('Set for a tape of trades without a book: which prints fill orders. Default: the tape has a book.'),
});

export const replaySchema = z
  .array(tape)
  .max(100)
  .default([])
  .describe("Tapes that are played as the outside world's flow; each market of theirs becomes one of the venue.");

export type ReplayFile = z.output<typeof tape>;
