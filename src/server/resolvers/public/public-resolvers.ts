/** Everything that anybody may ask, and what accounts do with markets. */
import type { ObjectResolversOf } from '../../graphql/index.ts';
import { betQueries } from './bet-queries.ts';
import { categoryQueries, showCategory, showTopic } from './category-queries.ts';
import { marketMutations } from './market-mutations.ts';
import { marketQueries } from './market-queries.ts';
import type { PublicModels } from './models.ts';
import { creatingResolvers } from './new-market.ts';
import type { PublicPorts } from './ports.ts';
import { priceQueries } from './price-queries.ts';
import { resolutionQueries } from './resolution-queries.ts';
import { venueQueries } from './venue-queries.ts';

/** The part of a `ResolverMap` that is made here. */
export function publicResolvers(ports: PublicPorts) {
  const Market: ObjectResolversOf<PublicModels, 'Market'> = {
    category: ({ categorySlug }) => {
      const category = ports.catalogue.category(categorySlug);
      return category === undefined ? null : showCategory(category, ports.markets.index);
    },
    topics: ({ topicSlugs }) =>
      topicSlugs.flatMap((slug) => {
        const topic = ports.catalogue.topic(slug);
        return topic === undefined ? [] : [showTopic(topic, ports.markets.index)];
      }),
  };
  return {
    Query: {
      ...categoryQueries(ports),
      ...marketQueries(ports),
      ...priceQueries(ports),
      ...betQueries(ports),
      ...resolutionQueries(ports),
      ...venueQueries(ports),
    },
    Mutation: { ...creatingResolvers(ports), ...marketMutations(ports) },
    objects: { Market },
  };
}
