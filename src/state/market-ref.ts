/** Finds the market that a strategy names. */
import type { MarketWorld } from './market-world.ts';
import type { MarketRef } from './view.ts';

/** @throws RangeError when there is no such market; a number that is a place in the list does not come here */
export function namedMarket(markets: readonly MarketWorld[], ref: MarketRef): MarketWorld {
  const found = typeof ref === 'number' ? undefined : marketOf(markets, ref);
  if (found === undefined) throw new RangeError(unknownMarket(markets, ref));
  return found;
}

/** Ids are unique. A slug of two markets matches neither. Undefined if no market matches. */
function marketOf(markets: readonly MarketWorld[], ref: MarketRef): MarketWorld | undefined {
  if (typeof ref === 'object' && ref !== null) {
    const { id } = 'info' in ref ? ref.info : ref;
    return markets.find(({ info }) => info.id === id);
  }
  const [first, second] = markets.filter(({ info }) => info.slug === ref);
  return first !== undefined && second === undefined ? first : markets.find(({ info }) => info.id === ref);
}

/** Most markets that the message lists. */
const MOST_LISTED = 8;

/** Error text for a name that `marketOf` does not find, with the known names. */
function unknownMarket(markets: readonly MarketWorld[], ref: unknown): string {
  const name = typeof ref === 'object' && ref !== null ? 'the given object' : JSON.stringify(ref);
  const same = markets.filter(({ info }) => info.slug === ref);
  if (same.length > 1) {
    return `market ${name}: ${same.length} markets have this slug, use an id: ${same.map(({ info }) => info.id).join(', ')}`;
  }
  const slugs = markets.slice(0, MOST_LISTED).map(({ info }) => info.slug);
  const rest = markets.length > slugs.length ? ` and ${markets.length - slugs.length} more` : '';
  return `market ${name} is not in this run; use a slug or an id. This run has ${slugs.join(', ')}${rest}`;
}
