/** What trading stands on. */
import type { CredentialNo, MarketNo } from '../../../domain/index.ts';
import type { Archive, Restriction } from '../../../exchange/index.ts';
import type { RawWithdrawalIntent } from '../../../protocol/index.ts';
import type { SignedMessages } from '../../../signing/index.ts';
import type { CommandQueue } from '../../command-queue.ts';
import type { OperationContext, Viewer } from '../../graphql/index.ts';
import type { Cursors } from '../../paging/index.ts';
import type { PlacingDelays } from '../../replay/placing-delays.ts';
import type { WireIds } from '../../wire-ids.ts';
import type { Shown } from './models.ts';

/** What is known of callers beside their requests. */
export interface Callers {
  /** The number of the viewer's credential at the exchange. @throws WireFault UNAUTHORIZED where it has ended meanwhile */
  credentialNo(viewer: Viewer): CredentialNo;
  /** What keeps the caller from new orders. */
  restrictionOf(context: OperationContext): Restriction | undefined;
  /** Whether an address may sign orders of an account: a key that names it lives. Both lower case. */
  isDelegate(account: string, signer: string): boolean;
  /** What `signingParams` answers for a withdrawal. @throws WireFault for what can be no withdrawal */
  offerWithdrawal(viewer: Viewer, intent: RawWithdrawalIntent): Shown<'SigningParams'>;
}

/** Buckets that orders and cancels are paid from. */
export interface OrderBuckets {
  /** Takes all or nothing. @returns 0 when they were there, else whole milliseconds until they will be */
  take(context: OperationContext, bucket: 'order' | 'cancel', count: number): number;
  /** Takes all of both or none of either. @returns as `take` */
  takeBoth(context: OperationContext, orders: number, cancels: number): number;
}

/** The ports of trading. */
export interface TradingPorts {
  readonly queue: CommandQueue;
  readonly ids: WireIds;
  readonly archive: Archive;
  readonly messages: Pick<SignedMessages, 'order'>;
  readonly callers: Callers;
  readonly buckets: OrderBuckets;
  readonly cursors: Cursors;
  /** Holds new orders where a market's tape says so. Default: nothing does. */
  readonly delays?: Pick<PlacingDelays, 'hold' | 'isIdle'>;
  /** A market with all its fields, as of now. */
  readonly showMarket: (market: MarketNo) => Shown<'Market'>;
  /** Bytes that nobody can guess. Default: the operating system's. */
  readonly secretBytes?: (count: number) => Uint8Array;
}
