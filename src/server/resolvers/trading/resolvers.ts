import { cancellingResolvers } from './cancelling.ts';
import { conversionResolvers } from './conversions.ts';
import { moneyQueries } from './money-queries.ts';
import { orderQueries } from './order-queries.ts';
import { placingResolvers } from './placing.ts';
import type { TradingPorts } from './ports.ts';
import { replacingResolvers } from './replacing.ts';
import { safetyQueries, safetyResolvers } from './safety.ts';
import { signingQueries } from './signing-params.ts';

/** Orders, money, positions, safety: 10 queries and 18 mutations. */
export function tradingResolvers(ports: TradingPorts) {
  return {
    Query: {
      ...orderQueries(ports),
      ...moneyQueries(ports),
      ...safetyQueries(ports),
      ...signingQueries(ports),
    },
    Mutation: {
      ...placingResolvers(ports),
      ...cancellingResolvers(ports),
      ...replacingResolvers(ports),
      ...safetyResolvers(ports),
      ...conversionResolvers(ports),
    },
  };
}
