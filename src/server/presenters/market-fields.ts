/**
 * Resolves the fields of GraphQL's `Market` that its cached object (`MarketModel`) lacks. Rounds the cents of a
 * category's volume **down**, once for the sum of its markets.
 */
import { type MarketNo, unchecked } from '../../domain/index.ts';
import { centsDown } from '../../protocol/index.ts';
import type { Catalogue, Category, Topic } from '../catalogue.ts';
import type { MarketIndex } from '../market-index.ts';

/** Properties of a `MarketModel` that the GraphQL schema lacks. */
export interface MarketKeys {
  readonly number: MarketNo;
  readonly categorySlug: string;
  readonly topicSlugs: readonly string[];
}

export function marketFields(deps: { readonly catalogue: Catalogue; readonly marketIndex: MarketIndex }) {
  const { catalogue, marketIndex } = deps;
  return {
    category: ({ categorySlug }: MarketKeys) => {
      const category = catalogue.category(categorySlug);
      return category === undefined ? null : presentCategory(category, marketIndex);
    },
    topics: ({ topicSlugs }: MarketKeys) => {
      const topics = topicSlugs.flatMap((slug) => catalogue.topic(slug) ?? []);
      return topics.map((topic) => presentTopic(topic, marketIndex));
    },
  };
}

export function presentCategory({ slug, name }: Category, index: MarketIndex) {
  const { count, volume } = index.getCategoryTotals(slug);
  return { name, slug, marketCount: count, totalVolumeCents: centsDown(unchecked.usd(volume)) };
}

export function presentTopic({ id, slug, name, categorySlug }: Topic, index: MarketIndex) {
  return { id, name, slug, categorySlug, marketCount: index.countTopicMarkets(slug) };
}
