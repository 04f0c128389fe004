/** What a demo and the process of its venue tell each other over the channel between them. */
import { z } from 'zod';

export interface DemoVenueOptions {
  readonly folder: string;
  /** Whether the folder is removed when the demo is gone without a word. */
  readonly temporary: boolean;
  readonly tape: string;
  readonly from: string;
  /** Seconds of the tape in one of the clock. */
  readonly speed: number;
  readonly creditCents: number;
}

export const toVenueSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    folder: z.string(),
    temporary: z.boolean(),
    tape: z.string(),
    from: z.string(),
    speed: z.number(),
    creditCents: z.int(),
  }),
  z.object({ type: z.literal('close') }),
]);
export type ToVenue = z.output<typeof toVenueSchema>;

export const fromVenueSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), url: z.string() }),
  z.object({ type: z.literal('failed'), problem: z.string() }),
  /** In good order. Processor time in ms, memory in bytes. */
  z.object({ type: z.literal('ended'), cpuMs: z.number(), peakRss: z.number() }),
]);
export type FromVenue = z.output<typeof fromVenueSchema>;
