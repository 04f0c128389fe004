import type { MarketLine } from '../../generated/schema-types.ts';

/** Ages of the books of open markets in ms, the oldest first, and how many have not come yet. */
export function openBooks(markets: readonly MarketLine[]): {
  readonly ages: readonly number[];
  readonly missing: number;
} {
  const open = markets.filter(({ acceptingOrders, strategy }) => acceptingOrders && strategy !== null);
  const ages = open.flatMap(({ bookAgeMs }) => bookAgeMs ?? []).toSorted((a, b) => b - a);
  return { ages, missing: open.length - ages.length };
}
