/** Orders that a bot takes for open and that the venue does not have. */
import type { OrderRow } from '../../src/store/index.ts';

/**
 * How long an order may be UNKNOWN, ms since it was sent: the bot says itself that it may not be there. The venue's clock
 * window of 30 s, a second beyond it, and questions every two seconds.
 */
const MAX_UNKNOWN_MS = 40_000;

/**
 * In words.
 *
 * @param before open in the bot's database before the query to the venue
 * @param after the same after it: what was open in both was so all the while
 * @param open at the venue
 * @param now ms since 1970
 */
export function ghostsOf(
  before: readonly OrderRow[],
  after: readonly OrderRow[],
  open: readonly { readonly id: string }[],
  now: number,
): readonly string[] {
  const standing = new Set(open.map(({ id }) => id));
  const still = new Set(after.map(({ order }) => order));
  return before
    .filter(({ order, hash }) => still.has(order) && (hash === null || !standing.has(hash)))
    .filter(({ status, sentAt }) => status !== 'UNKNOWN' || now - sentAt > MAX_UNKNOWN_MS)
    .map(({ order, status }) => `order ${order} is ${status} in the bot's database and not open at the venue`);
}
