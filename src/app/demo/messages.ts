/** Messages between a demo and its venue process. */
import { z } from 'zod';

const startSchema = z.object({
  type: z.literal('start'),
  folder: z.string(),
  /** Whether the venue removes the folder when the demo dies. */
  temporary: z.boolean(),
  tape: z.string(),
  from: z.string(),
  /** Seconds of the tape per second. */
  speed: z.number(),
  creditCents: z.int(),
});
export type DemoVenueOptions = Readonly<Omit<z.output<typeof startSchema>, 'type'>>;

export const toVenueSchema = z.discriminatedUnion('type', [startSchema, z.object({ type: z.literal('close') })]);
export type ToVenue = z.output<typeof toVenueSchema>;

export const fromVenueSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), url: z.string() }),
  z.object({ type: z.literal('failed'), problem: z.string() }),
  /** The venue has closed. Processor time in ms, memory in bytes. */
  z.object({ type: z.literal('ended'), cpuMs: z.number(), peakRss: z.number() }),
]);
export type FromVenue = z.output<typeof fromVenueSchema>;
