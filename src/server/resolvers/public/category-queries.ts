/** Categories and topics. Cents: volume **down**, made once of all markets' micro-USD. */
import { column } from '../../../domain/index.ts';
import { centsDown } from '../../../protocol/index.ts';
import type { Category, Topic } from './catalogue.ts';
import type { MarketIndex } from './market-index.ts';
import type { RootsOf, Shown } from './models.ts';
import type { PublicPorts } from './ports.ts';

type Names = 'categories' | 'category' | 'topics' | 'topic';

/** Everything of these four is as of what is durable, also in the midst of a turn: nothing here waits. */
export function categoryQueries({ catalogue, markets: { index } }: PublicPorts): RootsOf<'Query', Names> {
  return {
    categories: () => {
      const active = catalogue.categories.filter(({ isActive }) => isActive);
      return active.map((row) => showCategory(row, index));
    },
    category: ({ slug }) => {
      const row = catalogue.category(slug);
      return row === undefined ? null : showCategory(row, index);
    },
    topics: ({ categorySlug, search }) => {
      const part = search?.toLowerCase() ?? '';
      const found = catalogue.topics.filter(
        (topic) =>
          (categorySlug === null || categorySlug === undefined || topic.categorySlug === categorySlug) &&
          topic.name.toLowerCase().includes(part),
      );
      return found.map((row) => showTopic(row, index));
    },
    topic: ({ slug }) => {
      const row = catalogue.topic(slug);
      return row === undefined ? null : showTopic(row, index);
    },
  };
}

/** A category with what its markets come to. */
export function showCategory({ slug, name }: Category, index: MarketIndex): Shown<'Category'> {
  const { count, volume } = index.ofCategory(slug);
  return { name, slug, marketCount: count, totalVolumeCents: centsDown(column.usd(volume)) };
}

/** A topic with the number of its markets. */
export function showTopic({ id, slug, name, categorySlug }: Topic, index: MarketIndex): Shown<'Topic'> {
  return { id, name, slug, categorySlug, marketCount: index.countOfTopic(slug) };
}
