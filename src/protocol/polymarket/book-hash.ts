/**
 * The hash of a book is the SHA-1 of its JSON with an empty hash. Only books of `GET /book` can be checked. Books of
 * the stream lack fields or have a newer last trade price, so their hash only shows that the book changed.
 */
import { z } from 'zod';
import { MAX_LEVELS } from '../wire/fields.ts';

const LEVELS = z.array(z.object({ price: z.string(), size: z.string() })).max(MAX_LEVELS);
/** Zod writes the fields in this order, which is the venue's. */
const HASHED = z.object({
  market: z.string(),
  asset_id: z.string(),
  timestamp: z.string(),
  hash: z.unknown().transform(() => ''),
  bids: LEVELS,
  asks: LEVELS,
  min_order_size: z.string(),
  tick_size: z.string(),
  neg_risk: z.boolean(),
  last_trade_price: z.string(),
});

/** @param sha1 returns lower-case hex @returns the expected hash; undefined for a book that lacks a hashed field */
export function computeBookHash(book: unknown, sha1: (text: string) => string): string | undefined {
  const parsed = HASHED.safeParse(book);
  return parsed.success ? sha1(JSON.stringify(parsed.data)) : undefined;
}
