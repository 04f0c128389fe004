/** Quotes without an idea, for comparison. See README.md. */
import { defineStrategy, makerHandlers, type QuoteSpec, shares, z } from 'halfspread';

const size = z.number().positive().max(1_000_000_000).multipleOf(0.01);

const params = z.strictObject({
  quote: z
    .enum(['none', 'join', 'narrow', 'random'])
    .describe(
      'none: no quotes; join: at the best prices of the others; narrow: as close around the mid as the grid allows; random: at random distances from the mid.',
    ),
  distance_bps: z
    .number()
    .min(1)
    .max(5_000)
    .default(100)
    .describe('Of random: mean distance; each is drawn between 0 and twice this, bps of the $1 payout. Default 100.'),
  order_refresh_time: z
    .number()
    .min(0.1)
    .max(86_400)
    .default(5)
    .describe('Of random: how often distances are drawn, seconds. Default 5.'),
  order_amount: size.default(10).describe('Size of each quote, shares. Default 10.'),
  max_position: size
    .default(300)
    .describe('A side that would grow the position beyond this is not quoted, shares. Default 300.'),
});

export default defineStrategy({
  name: 'baseline',
  summary: 'Quotes nothing, the best prices, or as narrow as possible: what a strategy has to beat.',
  params,
  timers: ({ quote, order_refresh_time }) =>
    quote === 'random' ? [{ name: 'draw', everyMs: Math.round(order_refresh_time * 1_000) }] : [],
  create({ quote, distance_bps, order_amount, max_position }, context) {
    const draw = (): number => 2 * distance_bps * context.random.uniform();
    let distances = { bid: draw(), ask: draw() };
    const maker = makerHandlers(context, ({ book, position }): readonly QuoteSpec[] => {
      const [bid, ask, mid] = [book.bestBid(), book.bestAsk(), book.mid()];
      if (quote === 'none' || bid === undefined || ask === undefined || mid === undefined) return [];
      const prices = {
        none: { bid, ask },
        join: { bid, ask },
        narrow: { bid: mid - 0.5, ask: mid + 0.5 },
        random: { bid: mid - distances.bid, ask: mid + distances.ask },
      }[quote];
      const [amount, most] = [shares(order_amount), shares(max_position)];
      return [
        ...(position.net + amount <= most ? [{ side: 'bid', price: prices.bid, shares: amount } as const] : []),
        ...(position.net - amount >= -most ? [{ side: 'ask', price: prices.ask, shares: amount } as const] : []),
      ];
    });
    if (quote !== 'random') return maker;
    return {
      ...maker,
      onTimer(timer, view) {
        distances = { bid: draw(), ask: draw() };
        return maker.onTimer?.(timer, view);
      },
    };
  },
});
