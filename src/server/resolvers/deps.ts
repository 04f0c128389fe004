/** The dependencies of resolvers. */
import type { CredentialNo } from '../../domain/index.ts';
import type { Archive, Restriction } from '../../exchange/index.ts';
import type { HealthStatus, RawWithdrawalIntent } from '../../protocol/index.ts';
import type { SignedMessages } from '../../signing/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { OperationContext, Viewer } from '../graphql/context.ts';
import type { MarketIndex } from '../market-index.ts';
import type { Cursors } from '../paging/cursors.ts';
import type { MarketViewCache } from '../presenters/market-view-cache.ts';
import type { Model } from '../presenters/models.ts';
import type { PlacingDelays } from '../replay/placing-delays.ts';
import type { WireIds } from '../wire-ids.ts';

interface CallerAccess {
  /** The exchange's number of the viewer's credential. @throws WireFault UNAUTHORIZED if it has ended */
  credentialNo(viewer: Viewer): CredentialNo;
  /** The caller's restriction for new orders; undefined for none. */
  restrictionOf(context: OperationContext): Restriction | undefined;
  /** The caller's restriction for new markets; undefined for none. */
  creationRestrictionOf(context: OperationContext): Restriction | undefined;
  /** Returns whether a valid key of the account names the address as its delegate. Both in lower case. */
  isDelegate(account: string, signer: string): boolean;
  /** The answer of `signingParams` for a withdrawal. @throws WireFault for an invalid withdrawal */
  offerWithdrawal(viewer: Viewer, intent: RawWithdrawalIntent): Model<'SigningParams'>;
}

/** The token buckets of orders and cancels. */
interface OrderBuckets {
  /** Consumes all tokens or none. @returns 0 on success, else whole milliseconds until the tokens are available */
  take(context: OperationContext, bucket: 'order' | 'cancel', count: number): number;
  /** Consumes all tokens of both buckets or none. @returns as `take` */
  takeBoth(context: OperationContext, orders: number, cancels: number): number;
}

interface VenueFacts {
  readonly version: string;
  status(): HealthStatus;
  /** Suggested bet amounts, cents. */
  readonly betPresets: readonly number[];
}

export interface ResolverDeps {
  readonly queue: CommandQueue;
  readonly ids: WireIds;
  readonly archive: Archive;
  readonly messages: Pick<SignedMessages, 'order'>;
  readonly callers: CallerAccess;
  readonly buckets: OrderBuckets;
  readonly cursors: Cursors;
  readonly catalogue: Catalogue;
  readonly marketIndex: MarketIndex;
  readonly marketViews: MarketViewCache;
  readonly venue: VenueFacts;
  /** Delays new orders in markets of tapes. Default: none. */
  readonly delays?: Pick<PlacingDelays, 'delayOrders' | 'isIdle'>;
  /** Source of secure random bytes. Default: the operating system. */
  readonly secretBytes?: (count: number) => Uint8Array;
}
