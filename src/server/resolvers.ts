/** The resolvers of all rooms as one map: 33 queries and 30 mutations. `GraphqlService` tests that none is missing. */
import type { HealthStatus } from '../protocol/index.ts';
import { type Access, accessResolvers } from './access/index.ts';
import type { Engine } from './engine.ts';
import type { ResolverMap } from './graphql/index.ts';
import type { Cursors } from './paging/index.ts';
import type { PlacingDelays } from './replay/placing-delays.ts';
import { type Catalogue, type PublicMarkets, type PublicPorts, publicResolvers } from './resolvers/public/index.ts';
import { type TradingPorts, tradingResolvers } from './resolvers/trading/index.ts';
import type { ServerOptions } from './server-options.ts';

/** What resolvers stand on. */
export interface ResolverParts {
  readonly options: Pick<ServerOptions, 'betPresetsCents' | 'messages' | 'store' | 'version'>;
  readonly engine: Engine;
  readonly access: Access;
  readonly catalogue: Catalogue;
  readonly cursors: Cursors;
  readonly markets: PublicMarkets;
  readonly delays: PlacingDelays;
  status(): HealthStatus;
}

/** The ports that public and trading resolvers share with the streams. */
export interface VenuePorts {
  readonly trading: TradingPorts;
  readonly open: PublicPorts;
}

/** Hands each room what it needs of the others. */
export function venuePorts(parts: ResolverParts): VenuePorts {
  const { options, engine, access, catalogue, cursors, markets, delays, status } = parts;
  const { queue, ids } = engine;
  const { messages, version, betPresetsCents, store } = options;
  const shared = {
    queue,
    ids,
    archive: store.archive,
    messages,
    cursors,
    callers: {
      credentialNo: access.credentialNo.bind(access),
      restrictionOf: (context) => access.restrictionOf(context, 'ORDER'),
      creationRestrictionOf: (context) => access.restrictionOf(context, 'CREATE_MARKET'),
      isDelegate: access.isDelegate.bind(access),
      offerWithdrawal: access.offerWithdrawal.bind(access),
    } satisfies PublicPorts['callers'],
    buckets: access.buckets,
  };
  const open: PublicPorts = {
    ...shared,
    catalogue,
    markets,
    venue: { version, status, betPresets: () => betPresetsCents },
  };
  const trading: TradingPorts = {
    ...shared,
    delays,
    showMarket: (market) => markets.shelf.show(market),
  };
  return { trading, open };
}

/** One map of all rooms. */
export function venueResolvers({ trading, open }: VenuePorts, access: Access): ResolverMap {
  const rooms = [publicResolvers(open), tradingResolvers(trading), accessResolvers(access)];
  const merged = (pick: (room: Partial<ResolverMap>) => object | undefined) =>
    Object.assign({}, ...rooms.map((room) => pick(room) ?? {}));
  return {
    Query: merged((room) => room.Query),
    Mutation: merged((room) => room.Mutation),
    objects: merged((room) => room.objects),
  };
}
