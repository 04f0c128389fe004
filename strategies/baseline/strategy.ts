/** Quotes without an idea, for comparison. See README.md. */
import { defineStrategy, makerHandlers, type QuoteSpec, shares, z } from 'halfspread';

const size = z.number().positive().max(1_000_000_000).multipleOf(0.01);

const params = z.strictObject({
  quote: z
    .enum(['none', 'join', 'narrow'])
    .describe(
      'none: no quotes; join: at the best prices of the others; narrow: as close around the mid as the grid allows.',
    ),
  order_amount: size.default(10).describe('Size of each quote, shares. Default 10.'),
  max_position: size
    .default(300)
    .describe('A side that would grow the position beyond this is not quoted, shares. Default 300.'),
});

export default defineStrategy({
  name: 'baseline',
  summary: 'Quotes nothing, the best prices, or as narrow as possible: what a strategy has to beat.',
  params,
  create: ({ quote, order_amount, max_position }, context) =>
    makerHandlers(context, ({ book, position }): readonly QuoteSpec[] => {
      const [bid, ask, mid] = [book.bestBid(), book.bestAsk(), book.mid()];
      if (quote === 'none' || bid === undefined || ask === undefined || mid === undefined) return [];
      const prices = quote === 'join' ? { bid, ask } : { bid: mid - 0.5, ask: mid + 0.5 };
      const [amount, most] = [shares(order_amount), shares(max_position)];
      return [
        ...(position.net + amount <= most ? [{ side: 'bid', price: prices.bid, shares: amount } as const] : []),
        ...(position.net - amount >= -most ? [{ side: 'ask', price: prices.ask, shares: amount } as const] : []),
      ];
    }),
});
