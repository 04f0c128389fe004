import type { Archive } from '../../exchange/index.ts';
import type { HealthStatus } from '../../protocol/index.ts';
import type { SignedMessages } from '../../signing/index.ts';
import type { Access } from '../access/access.ts';
import type { Buckets } from '../access/buckets.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { MarketIndex } from '../market-index.ts';
import type { Cursors } from '../paging/cursors.ts';
import type { MarketViewCache } from '../presenters/market-presenter.ts';
import type { PlacingDelays } from '../replay/placing-delays.ts';
import type { WireIds } from '../wire-ids.ts';

export interface ResolverDeps {
  readonly queue: CommandQueue;
  readonly ids: WireIds;
  readonly archive: Archive;
  readonly messages: Pick<SignedMessages, 'order'>;
  readonly access: Pick<Access, 'credentialNo' | 'getRestriction' | 'isDelegate' | 'prepareWithdrawal'>;
  readonly buckets: Pick<Buckets, 'consume' | 'consumeBoth'>;
  readonly cursors: Cursors;
  readonly catalogue: Catalogue;
  readonly marketIndex: MarketIndex;
  readonly marketViews: MarketViewCache;
  readonly venue: {
    readonly version: string;
    status(): HealthStatus;
    /** Preset bet amounts, cents. */
    readonly betPresets: readonly number[];
  };
  /** Delays new orders in markets that follow tapes. */
  readonly delays: Pick<PlacingDelays, 'delayOrders' | 'isIdle'>;
  /** Returns cryptographically secure random bytes. */
  readonly secretBytes: (count: number) => Uint8Array;
}
