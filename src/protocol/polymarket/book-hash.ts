/**
 * The hash of a book is the SHA-1 of its JSON. Only books of `GET /book` can be checked. Books of the stream lack
 * fields or have a newer last trade price, so their hash only shows that the book changed.
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
 * Computes the expected hash of a received book, lower-case hex.
 * @param sha1 returns the digest of a text, lower-case hex
 * @returns undefined for a book that lacks a hashed field and therefore cannot be checked
 */
export function computeBookHash(book: unknown, sha1: (text: string) => string): string | undefined {
  const parsed = HASHED.safeParse(book);
  return parsed.success ? sha1(toHashedText(parsed.data)) : undefined;
}

/** Returns compact JSON with the keys in the venue's order, and an empty hash. */
function toHashedText({ market, asset_id, timestamp, bids, asks, ...rest }: z.output<typeof HASHED>): string {
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
