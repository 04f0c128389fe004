/** Quotes both sides at every twentieth book message, one or two ticks behind the best prices, like a busy maker. */
import { defineStrategy, gridAbove, gridBelow, microShares, z } from 'halfspread';

const MESSAGES_PER_QUOTE = 20;
const SIZE = microShares(1_000_000);

export default defineStrategy({
  name: 'requoter',
  summary: 'Requotes both sides at every twentieth message.',
  params: z.strictObject({}),
  create() {
    let messages = 0;
    return {
      onBook({ book, info }) {
        messages += 1;
        if (messages % MESSAGES_PER_QUOTE !== 0) return undefined;
        const [bid, ask] = [book.bestBid(), book.bestAsk()];
        if (bid === undefined || ask === undefined) return undefined;
        // Alternates between one and two ticks, so that each requote moves both orders.
        const isFar = (messages / MESSAGES_PER_QUOTE) % 2 === 0;
        const lower = gridBelow(info.grid, bid);
        const upper = gridAbove(info.grid, ask);
        const bidAt = isFar && lower !== undefined ? gridBelow(info.grid, lower) : lower;
        const askAt = isFar && upper !== undefined ? gridAbove(info.grid, upper) : upper;
        if (bidAt === undefined || askAt === undefined) return undefined;
        return [
          {
            type: 'quote',
            market: info.market,
            quotes: [
              { side: 'bid', price: bidAt, shares: SIZE },
              { side: 'ask', price: askAt, shares: SIZE },
            ],
          },
        ];
      },
    };
  },
});
