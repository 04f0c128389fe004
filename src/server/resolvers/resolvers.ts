/** All resolvers. The code does not compile if a resolver is missing. */
import type { Access } from '../access/access.ts';
import { accessResolvers } from '../access/access-resolvers.ts';
import type { TypedResolvers } from '../graphql/resolvers.ts';
import { marketFields } from '../presenters/market-fields.ts';
import type { ServerModels } from '../presenters/models.ts';
import { betQueries } from './bet-queries.ts';
import { cancellingResolvers } from './cancelling.ts';
import { conversionResolvers } from './conversions.ts';
import type { ResolverDeps } from './deps.ts';
import { marketMutations } from './market-mutations.ts';
import { marketQueries, venueQueries } from './market-queries.ts';
import { moneyQueries } from './money-queries.ts';
import { orderQueries } from './order-queries.ts';
import { placingResolvers } from './placing.ts';
import { priceQueries } from './price-queries.ts';
import { replacingResolvers } from './replacing.ts';
import { safetyQueries, safetyResolvers } from './safety.ts';
import { signingQueries } from './signing-params.ts';

export function serverResolvers(deps: ResolverDeps, access: Access): TypedResolvers<ServerModels> {
  const trading = tradingResolvers(deps);
  const accounts = accessResolvers(access);
  return {
    Query: { ...trading.Query, ...accounts.Query },
    Mutation: { ...trading.Mutation, ...accounts.Mutation },
    objects: trading.objects,
  };
}

/** Creates all resolvers except the resolvers of access control. */
export function tradingResolvers(deps: ResolverDeps) {
  return {
    Query: {
      ...venueQueries(deps),
      ...marketQueries(deps),
      ...priceQueries(deps),
      ...betQueries(deps),
      ...orderQueries(deps),
      ...moneyQueries(deps),
      ...safetyQueries(deps),
      ...signingQueries(deps),
    },
    Mutation: {
      ...marketMutations(deps),
      ...placingResolvers(deps),
      ...cancellingResolvers(deps),
      ...replacingResolvers(deps),
      ...safetyResolvers(deps),
      ...conversionResolvers(deps),
    },
    objects: { Market: marketFields(deps) },
  };
}
