import type { OrderRow } from '../../src/store/bot/reader-rows.ts';

/**
 * Maximum time in ms that an order may be UNKNOWN after it was sent. It covers the venue's clock window of 30 s, a
 * second beyond it, and queries every two seconds.
 */
const MAX_UNKNOWN_MS = 40_000;

/**
 * Describes each order that is open in the bot's database and not at the venue.
 *
 * @param before orders open in the database before the query to the venue
 * @param after orders open in the database after the query; an order in both lists was open during the query
 * @param open orders open at the venue
 * @param now ms since 1970
 */
export function missingAtVenue(
  before: readonly OrderRow[],
  after: readonly OrderRow[],
  open: readonly { readonly id: string }[],
  now: number,
): readonly string[] {
  const openIds = new Set(open.map(({ id }) => id));
  const stillOpen = new Set(after.map(({ order }) => order));
  return before
    .filter(({ order, hash }) => stillOpen.has(order) && (hash === null || !openIds.has(hash)))
    .filter(({ status, sentAt }) => status !== 'UNKNOWN' || now - sentAt > MAX_UNKNOWN_MS)
    .map(({ order, status }) => `order ${order} is ${status} in the bot's database and not open at the venue`);
}
