/**
 * Queries of settings, health, categories and topics, and the fields of `Market` that are read on request. Rounds cents of
 * volume **down**, once for the sum of all markets.
 */
import { unchecked } from '../../domain/index.ts';
import { centsDown } from '../../protocol/index.ts';
import type { Category, Topic } from '../catalogue.ts';
import type { ObjectResolversOf } from '../graphql/resolvers.ts';
import type { MarketIndex } from '../market-index.ts';
import { presentBettingConfig, presentMarketConfig } from '../presenters/market-presenter.ts';
import type { Model, RootResolvers, ServerModels } from '../presenters/models.ts';
import type { ResolverDeps } from './deps.ts';

type Names = 'bettingConfig' | 'marketConfig' | 'health' | 'categories' | 'category' | 'topics' | 'topic';

/** Settings are read between turns. The other fields are available synchronously, also during a turn. */
export function venueQueries({
  queue,
  venue,
  catalogue,
  marketIndex: index,
}: ResolverDeps): RootResolvers<'Query', Names> {
  return {
    bettingConfig: () => queue.read(() => presentBettingConfig(queue.view.config, venue.betPresets)),
    marketConfig: () => queue.read(() => presentMarketConfig(queue.view.config)),
    health: () => ({
      status: venue.status(),
      mode: queue.durable.mode,
      version: venue.version,
      serverTime: queue.now,
      engineSeq: queue.durable.seq,
    }),
    categories: () => {
      const active = catalogue.categories.filter(({ isActive }) => isActive);
      return active.map((row) => presentCategory(row, index));
    },
    category: ({ slug }) => {
      const row = catalogue.category(slug);
      return row === undefined ? null : presentCategory(row, index);
    },
    topics: ({ categorySlug, search }) => {
      const part = search?.toLowerCase() ?? '';
      const found = catalogue.topics.filter(
        (topic) =>
          (categorySlug === null || categorySlug === undefined || topic.categorySlug === categorySlug) &&
          topic.name.toLowerCase().includes(part),
      );
      return found.map((row) => presentTopic(row, index));
    },
    topic: ({ slug }) => {
      const row = catalogue.topic(slug);
      return row === undefined ? null : presentTopic(row, index);
    },
  };
}

/** Resolvers of the market fields that are not part of its model. */
export function marketFields({ catalogue, marketIndex }: ResolverDeps): ObjectResolversOf<ServerModels, 'Market'> {
  return {
    category: ({ categorySlug }) => {
      const category = catalogue.category(categorySlug);
      return category === undefined ? null : presentCategory(category, marketIndex);
    },
    topics: ({ topicSlugs }) =>
      topicSlugs.flatMap((slug) => {
        const topic = catalogue.topic(slug);
        return topic === undefined ? [] : [presentTopic(topic, marketIndex)];
      }),
  };
}

function presentCategory({ slug, name }: Category, index: MarketIndex): Model<'Category'> {
  const { count, volume } = index.totalsOfCategory(slug);
  return { name, slug, marketCount: count, totalVolumeCents: centsDown(unchecked.usd(volume)) };
}

function presentTopic({ id, slug, name, categorySlug }: Topic, index: MarketIndex): Model<'Topic'> {
  return { id, name, slug, categorySlug, marketCount: index.countOfTopic(slug) };
}
