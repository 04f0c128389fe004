import { makerOrderShape, z } from 'halfspread';

const MOST_SHARES = 1_000_000_000;
const shares = (what: string): z.ZodNumber => z.number().positive().max(MOST_SHARES).multipleOf(0.01).describe(what);

/** Parameters of `lmsr`. Prices and distances in bps of the $1 payout, sizes in shares, times in seconds. */
export const lmsrParams = z
  .strictObject({
    b: z
      .number()
      .positive()
      .max(MOST_SHARES)
      .optional()
      .describe(
        'Depth of the curve, shares: the larger, the less a fill moves the price. Exactly one of b and max_loss_usd.',
      ),
    max_loss_usd: z
      .number()
      .positive()
      .max(1e9)
      .optional()
      .describe('Instead of b: the most that can be lost, before what the spread earns, USD. Not with anchor mid.'),
    anchor: z
      .enum(['fixed', 'start', 'mid'])
      .default('start')
      .describe(
        'Price at which the position is flat: anchor_price, the first mid, or always the mid, which bounds no loss. Default start.',
      ),
    anchor_price: z.number().min(1).max(9_999).optional().describe('Price of anchor fixed, bps. Required there.'),
    quote_spread_bps: z
      .number()
      .min(0)
      .max(5_000)
      .default(50)
      .describe('Added to the curve on each side, bps. Default 50.'),
    order_amount: shares('Size of each level, shares.'),
    order_levels: z.int().min(1).max(10).default(3).describe('Levels a side, 1 to 10. Default 3.'),
    order_refresh_time: z
      .number()
      .min(0.1)
      .max(86_400)
      .default(5)
      .describe('How often quotes are updated in a quiet market, seconds. Default 5.'),
    max_position: makerOrderShape.max_position,
  })
  .refine(({ b, max_loss_usd: loss }) => (b === undefined) !== (loss === undefined), {
    error: 'exactly one of b and max_loss_usd',
    path: ['b'],
  })
  .refine(({ anchor, max_loss_usd: loss }) => anchor !== 'mid' || loss === undefined, {
    error: 'b with anchor mid, as no loss is bounded there',
    path: ['max_loss_usd'],
  })
  .refine(({ anchor, anchor_price: price }) => (anchor === 'fixed') === (price !== undefined), {
    error: 'a price with anchor fixed, and only there',
    path: ['anchor_price'],
  });

export type LmsrParams = z.output<typeof lmsrParams>;
