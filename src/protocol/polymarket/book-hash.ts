/**
 * The hash of a book: SHA-1 over its JSON. Reliable only for `GET /book`. Books of the stream lack fields or have a newer last
 * trade price, so their hash only shows that the book changed.
 */
import { z } from 'zod';
import { MAX_LEVELS } from '../wire/fields.ts';

const LEVELS = z.array(z.object({ price: z.string(), size: z.string() })).max(MAX_LEVELS);
const HASHED = z.object({
  market: z.string(),
  asset_id: z.string(),
  timestamp: z.string(),
  bids: LEVELS,
  asks: LEVELS,
  min_order_size: z.string(),
  tick_size: z.string(),
  neg_risk: z.boolean(),
  last_trade_price: z.string(),
});

/**
 * The expected hash of a received book, lower-case hex.
 * @param sha1 the digest of a text, lower-case hex
 * @returns undefined for a book that lacks one of the hashed fields: it cannot be checked
 */
export function bookHash(book: unknown, sha1: (text: string) => string): string | undefined {
  const parsed = HASHED.safeParse(book);
  return parsed.success ? sha1(hashedText(parsed.data)) : undefined;
}

/** Compact JSON with the keys in the venue's order, and an empty hash. */
function hashedText({ market, asset_id, timestamp, bids, asks, ...rest }: z.output<typeof HASHED>): string {
  const { min_order_size, tick_size, neg_risk, last_trade_price } = rest;
  const levels = (side: typeof bids) => side.map(({ price, size }) => ({ price, size }));
  return JSON.stringify({
    market,
    asset_id,
    timestamp,
    hash: '',
    bids: levels(bids),
    asks: levels(asks),
    min_order_size,
    tick_size,
    neg_risk,
    last_trade_price,
  });
}
