/** Queries of settings, health, categories and topics. */
import { presentCategory, presentTopic } from '../presenters/market-fields.ts';
import { presentBettingConfig, presentMarketConfig } from '../presenters/market-presenter.ts';
import type { RootResolvers } from '../presenters/models.ts';
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
