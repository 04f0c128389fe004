import type { TradedMarket } from './traded-market.ts';
import type { MarketRef } from './view.ts';

/** Finds a market by slug, id, info or view, but not by number. @throws RangeError if none matches */
export function findMarket(markets: readonly TradedMarket[], ref: MarketRef): TradedMarket {
  const found = typeof ref === 'number' ? undefined : matchMarket(markets, ref);
  if (found === undefined) throw new RangeError(unknownMarketText(markets, ref));
  return found;
}

/** Returns undefined if no market matches. Ids are unique. A slug that two markets have matches neither. */
function matchMarket(markets: readonly TradedMarket[], ref: MarketRef): TradedMarket | undefined {
  if (typeof ref === 'object' && ref !== null) {
    const { id } = 'info' in ref ? ref.info : ref;
    return markets.find(({ info }) => info.id === id);
  }
  const [first, second] = markets.filter(({ info }) => info.slug === ref);
  return first !== undefined && second === undefined ? first : markets.find(({ info }) => info.id === ref);
}

const MAX_LISTED = 8;

function unknownMarketText(markets: readonly TradedMarket[], ref: unknown): string {
  const name = typeof ref === 'object' && ref !== null ? 'the given object' : JSON.stringify(ref);
  const withSlug = markets.filter(({ info }) => info.slug === ref);
  if (withSlug.length > 1) {
    return `market ${name}: ${withSlug.length} markets have this slug, use an id: ${withSlug.map(({ info }) => info.id).join(', ')}`;
  }
  const slugs = markets.slice(0, MAX_LISTED).map(({ info }) => info.slug);
  const rest = markets.length > slugs.length ? ` and ${markets.length - slugs.length} more` : '';
  return `market ${name} is not in this run; use a slug or an id. This run has ${slugs.join(', ')}${rest}`;
}
