/**
 * The fields of `Market` that are read on request. They are not part of its model, which is presented once for many requests.
 * Rounds cents of volume **down**, once for the sum of all markets.
 */
import { type MarketNo, unchecked } from '../../domain/index.ts';
import type { Archive } from '../../exchange/index.ts';
import { centsDown } from '../../protocol/index.ts';
import type { Catalogue, Category, Topic } from '../catalogue.ts';
import type { MarketIndex } from '../market-index.ts';

/** Properties of a market's model that are not in the schema. */
export interface MarketKeys {
  readonly no: MarketNo;
  readonly categorySlug: string;
  readonly topicSlugs: readonly string[];
}

interface MarketFieldDeps {
  readonly archive: Archive;
  readonly catalogue: Catalogue;
  readonly marketIndex: MarketIndex;
}

/** Resolvers by field. The model of a market lacks these fields. */
export function marketFields({ catalogue, marketIndex }: MarketFieldDeps) {
  return {
    category: ({ categorySlug }: MarketKeys) => {
      const category = catalogue.category(categorySlug);
      return category === undefined ? null : presentCategory(category, marketIndex);
    },
    topics: ({ topicSlugs }: MarketKeys) =>
      topicSlugs.flatMap((slug) => {
        const topic = catalogue.topic(slug);
        return topic === undefined ? [] : [presentTopic(topic, marketIndex)];
      }),
  };
}

export function presentCategory({ slug, name }: Category, index: MarketIndex) {
  const { count, volume } = index.totalsOfCategory(slug);
  return { name, slug, marketCount: count, totalVolumeCents: centsDown(unchecked.usd(volume)) };
}

export function presentTopic({ id, slug, name, categorySlug }: Topic, index: MarketIndex) {
  return { id, name, slug, categorySlug, marketCount: index.countOfTopic(slug) };
}
