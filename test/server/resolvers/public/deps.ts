import { secureBytes } from '../../../../src/clock/index.ts';
import { credentialNo } from '../../../../src/domain/index.ts';
import type { ResolverDeps } from '../../../../src/server/resolvers/deps.ts';
import type { SignedMessages } from '../../../../src/signing/index.ts';
import type { SqliteStore } from '../../../../src/store/index.ts';
import type { Venue } from './venue.ts';

/** For a venue without tapes. */
export const NO_DELAYS: ResolverDeps['delays'] = { isIdle: true, delayOrders: () => undefined };

/** Dependencies of resolvers, with stubs for access and rate limits. */
export function depsOf(venue: Venue, store: SqliteStore, messages: SignedMessages): ResolverDeps {
  return {
    queue: venue.engine.queue,
    ids: venue.engine.ids,
    messages,
    archive: store.archive,
    cursors: venue.cursors,
    marketIndex: venue.marketIndex,
    marketViews: venue.marketViews,
    catalogue: venue.catalogue,
    venue: { version: '1.2.3', status: () => 'OK', betPresets: [100, 500] },
    access: {
      credentialNo: () => credentialNo(1),
      getRestriction: (_, act) => (act === 'CREATE_MARKET' ? venue.creationRestriction : undefined),
      isDelegate: () => false,
      prepareWithdrawal: () => {
        throw new Error('no withdrawals here');
      },
    },
    delays: NO_DELAYS,
    secretBytes: secureBytes,
    buckets: {
      consume: (_, __, count) => {
        if (venue.orderTokens === undefined) return 0;
        venue.orderTokens -= count;
        return venue.orderTokens < 0 ? 1_500 : 0;
      },
      consumeBoth: () => {
        throw new Error('no replaces here');
      },
    },
  };
}
