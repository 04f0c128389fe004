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

/** Data about the calling account for resolvers. */
interface CallerAccess {
  /** The number of the viewer's credential at the exchange. @throws WireFault UNAUTHORIZED when it has ended meanwhile */
  credentialNo(viewer: Viewer): CredentialNo;
  /** The restriction that keeps the caller from new orders. */
  restrictionOf(context: OperationContext): Restriction | undefined;
  /** The restriction that keeps the caller from new markets. */
  creationRestrictionOf(context: OperationContext): Restriction | undefined;
  /** Whether an address may sign orders of an account: a live key names it as delegate. Both lower case. */
  isDelegate(account: string, signer: string): boolean;
  /** The answer of `signingParams` for a withdrawal. @throws WireFault for an invalid withdrawal */
  offerWithdrawal(viewer: Viewer, intent: RawWithdrawalIntent): Model<'SigningParams'>;
}

/** Buckets that pay for orders and cancels. */
interface OrderBuckets {
  /** Takes all or nothing. @returns 0 on success, else whole milliseconds until the tokens will be there */
  take(context: OperationContext, bucket: 'order' | 'cancel', count: number): number;
  /** Takes all of both or none of either. @returns as `take` */
  takeBoth(context: OperationContext, orders: number, cancels: number): number;
}

/** Facts about the service besides the exchange. */
interface VenueFacts {
  readonly version: string;
  status(): HealthStatus;
  /** Amounts that are offered to people, cents. */
  readonly betPresets: readonly number[];
}

/** The dependencies of all resolvers of markets and trading. */
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
  /** Holds new orders in markets whose tape demands it. Default: holds none. */
  readonly delays?: Pick<PlacingDelays, 'hold' | 'isIdle'>;
  /** Random bytes that cannot be guessed. Default: from the operating system. */
  readonly secretBytes?: (count: number) => Uint8Array;
}
