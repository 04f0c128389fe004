import { z } from 'zod';
import { type PriceGrid, priceBps } from '../../domain/index.ts';

const prices = z
  .array(z.int().min(1).max(9_999))
  .min(1)
  .max(9_999)
  .refine((list) => list.every((price, at) => at === 0 || price > (list[at - 1] ?? 0)), 'ascending prices')
  .transform((list) => list.map(priceBps));

/** The price grid of a mapping file as the tape's own. */
export const gridOf = z
  .union([
    z.strictObject({
      tick_bps: z
        .int()
        .min(1)
        .max(5_000)
        .refine((tick) => 10_000 % tick === 0, 'a divisor of 10000'),
    }),
    z.strictObject({ bids: prices, asks: prices }),
  ])
  .transform(
    (grid): PriceGrid => ('tick_bps' in grid ? { type: 'tick', tickBps: grid.tick_bps } : { type: 'list', ...grid }),
  );
