/** Finds markets by slug or id. */
import { InputFault } from '../../domain/index.ts';
import { toIdOrSlug } from '../../runtime/index.ts';
import type { MarketView } from '../../state/index.ts';
import { nearest } from '../../strategy/index.ts';

const MAX_LISTED = 20;

/** @param isAllowed further condition. @throws InputFault that lists the allowed markets */
export function findMarket<Market extends MarketView>(
  { markets }: { readonly markets: readonly Market[] },
  name: string,
  isAllowed: (market: Market) => boolean = () => true,
): Market {
  const allowed = markets.filter(isAllowed);
  const found = findByName(allowed, name);
  if (found !== undefined) return found;
  const slugs = allowed.map(({ info }) => info.slug);
  throw unknownMarketFault(name, slugs);
}

/** @param name slug, id or condition id */
export function findByName<Market extends MarketView>(markets: readonly Market[], name: string): Market | undefined {
  const idOrSlug = toIdOrSlug(name);
  return markets.find(({ info }) => info.slug === idOrSlug || String(info.id) === idOrSlug);
}

/** Returns the fault for an unknown market, which lists the bot's markets, the most similar name first. */
export function unknownMarketFault(name: string, slugs: readonly string[]): InputFault {
  const near = nearest(name, slugs);
  const hint = near === undefined ? '' : ` (did you mean "${near}"?)`;
  const first = near === undefined ? slugs : [near, ...slugs.filter((slug) => slug !== near)];
  return new InputFault('market', name, `a market of this bot${hint}: ${listSlugs(first)}`);
}

export function listSlugs(slugs: readonly string[]): string {
  if (slugs.length === 0) return 'it has none';
  const more = slugs.length - MAX_LISTED;
  return `${slugs.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
