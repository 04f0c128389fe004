/** Schema of tapes that a venue replays: `replay` of the venue's file. */
import { z } from 'zod';
import { queueSchema, tradesOnlySchema } from '../replay/index.ts';

/** Faster than any machine. */
export const MAX_SPEED = 1_000_000;

const tape = z.strictObject({
  tape: z.string().min(1).describe('The tape, relative to this file.'),
  from: z
    .string()
    .optional()
    .describe(
      'Start time for markets that do not follow the tape yet: ISO 8601 with Z, or a time of day such as 12:00:00Z, the last one on the tape. Default: the first row.',
    ),
  speed: z.number().positive().max(MAX_SPEED).default(1).describe('Seconds of the tape in one second. Default 1.'),
  category: z
    .string()
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'lower-case words joined by "-"')
    .max(100)
    .default('recorded')
    .describe('Slug of the category of its markets. Default recorded.'),
  queue: queueSchema
    .prefault({ model: 'risk-averse' })
    .describe('Queue position of an order at its price; fifo needs a tape with order ids.'),
  trades_only: tradesOnlySchema
    .optional()
    .describe(
      'A tape without a book: which prints fill orders. Default: as the tape says (a book, through for trades, none for candles).',
    ),
});

export const replaySchema = z
  .array(tape)
  .max(100)
  .default([])
  .describe('Tapes to replay as order flow of other traders. Each of their markets becomes a market of the venue.');

export type ReplayFile = z.output<typeof tape>;
