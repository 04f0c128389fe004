/** Schema of price grids, for markets with fewer prices than the tick of the venue's API allows. */
import { z } from 'zod';

/** Prices are 1 to 9999 bps. The last band ends here. */
const LAST = 10_000;

const band = z.strictObject({
  to: z
    .int()
    .min(1)
    .max(LAST)
    .describe('End of the band, bps: a whole number of steps after the end of the previous band.'),
  step: z.int().min(1).max(5_000).describe('Distance between two prices, bps.'),
});

const steps = z
  .array(band)
  .min(1)
  .max(100)
  .refine((bands) => bands.every(({ to }, at) => to > (bands[at - 1]?.to ?? 0)), 'bands with rising ends')
  .refine(
    (bands) => bands.every(({ to, step }, at) => (to - (bands[at - 1]?.to ?? 0)) % step === 0),
    'bands that are multiples of their step',
  )
  .refine((bands) => bands.at(-1)?.to === LAST, `a last band that ends at ${LAST}`);

export const gridSchema = z.union([
  z
    .enum(['tick', 'betfair', 'betfair-two-runners'])
    .describe("`tick`: the venue's tick; `betfair`: decimal odds of one runner; `betfair-two-runners`: odds of both."),
  z.strictObject({ steps: steps.describe('Bands of prices in ascending order, each `{ to, step }`.') }),
  z.strictObject({
    tape: z.string().min(1).describe('A tape whose markets define the prices, relative to this file.'),
  }),
]);

export type GridConfig = z.output<typeof gridSchema>;
