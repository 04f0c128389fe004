/** Price grids that a venue cannot tell, as people write them: its contract has one tick a market. */
import { z } from 'zod';

/** Prices run from 1 to 9999 bps; a band may end with them. */
const LAST = 10_000;

const band = z.strictObject({
  to: z
    .int()
    .min(1)
    .max(LAST)
    .describe('Price up to which the step holds, bps; a whole number of steps from where the band before ends.'),
  step: z.int().min(1).max(5_000).describe('From one price to the next, bps.'),
});

const steps = z
  .array(band)
  .min(1)
  .max(100)
  .refine((bands) => bands.every(({ to }, at) => to > (bands[at - 1]?.to ?? 0)), 'bands whose ends rise')
  .refine(
    (bands) => bands.every(({ to, step }, at) => (to - (bands[at - 1]?.to ?? 0)) % step === 0),
    'bands that are whole numbers of their steps',
  )
  .refine((bands) => bands.at(-1)?.to === LAST, `a last band that ends at ${LAST}`);

export const gridSchema = z.union([
  z
    .enum(['tick', 'betfair', 'betfair-two-runners'])
    .describe("`tick`: the venue's; `betfair`: decimal odds of one runner; `betfair-two-runners`: of both."),
  z.strictObject({ steps: steps.describe('Bands of prices from the lowest on: `{ to, step }` each.') }),
  z.strictObject({
    tape: z.string().min(1).describe('A tape whose markets have their prices; relative to this file.'),
  }),
]);

export type GridConfig = z.output<typeof gridSchema>;
