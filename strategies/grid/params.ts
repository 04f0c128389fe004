import { makerOrderShape, z } from 'halfspread';

const price = z.number().min(1).max(9_999);
const MOST_SHARES = 1_000_000_000;
const shares = (what: string): z.ZodNumber => z.number().positive().max(MOST_SHARES).multipleOf(0.01).describe(what);

/** Parameters of `grid`. Prices and distances in bps of the $1 payout, sizes in shares, times in seconds. */
export const gridParams = z
  .strictObject({
    grid_type: z
      .enum(['static', 'dynamic'])
      .default('static')
      .describe('static: cells between fixed lines; dynamic: levels around the mid. Default static.'),
    lower_price: price.optional().describe('Static: lowest line, bps. Required there.'),
    upper_price: price.optional().describe('Static: highest line, bps. Required there.'),
    grid_cells: z.int().min(2).max(100).default(10).describe('Static: cells between the lines. Default 10.'),
    grid_spacing: z
      .enum(['price', 'log_odds'])
      .default('price')
      .describe('Static: lines at equal distances in price, or in log-odds. Default price.'),
    out_of_range: z
      .enum(['hold', 'reduce'])
      .default('hold')
      .describe(
        'Static: while the mid is outside of the lines, quote on, or only what shrinks the position. Default hold.',
      ),
    half_spread: z
      .number()
      .min(1)
      .max(5_000)
      .default(60)
      .describe('Dynamic: least distance from the mid, bps. Default 60.'),
    grid_interval: z
      .int()
      .min(1)
      .max(2_000)
      .default(50)
      .describe('Dynamic: quotes are at multiples of it, bps. Default 50.'),
    recentre_steps: z
      .int()
      .min(0)
      .max(20)
      .default(1)
      .describe('Dynamic: the centre follows the mid after so many intervals. Default 1.'),
    skew_bps_per_share: z
      .number()
      .min(0)
      .max(1_000)
      .default(0)
      .describe('Dynamic: how far a share held moves the centre against the position, bps. Default 0.'),
    order_levels: z.int().min(1).max(10).default(1).describe('Dynamic: levels a side. Default 1.'),
    order_amount: shares('Size of each cell or level, shares.'),
    order_refresh_time: z
      .number()
      .min(0.1)
      .max(86_400)
      .default(5)
      .describe('Dynamic: an order younger than this is not moved unless it is too aggressive, seconds. Default 5.'),
    max_position: makerOrderShape.max_position,
  })
  .refine(
    ({ grid_type: type, lower_price: lower, upper_price: upper }) => type === 'dynamic' || isRange(lower, upper),
    {
      error: 'lower_price and upper_price in a static grid, the lower one first',
      path: ['upper_price'],
    },
  );

export type GridParams = z.output<typeof gridParams>;

function isRange(lower: number | undefined, upper: number | undefined): boolean {
  return lower !== undefined && upper !== undefined && lower < upper;
}
