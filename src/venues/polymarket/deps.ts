/** What the parts of `PolymarketVenue` share. */
import type { Clock } from '../../clock/index.ts';
import type { PolymarketOrderVersion } from '../../protocol/polymarket/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import type { Log, ReporterDeps, ReporterTrouble, StuckCommand, Timers } from '../base/index.ts';
import type { MarketTable } from './market-table.ts';
import type { PolymarketSigner } from './order-signer.ts';
import type { PolymarketError, RestClient } from './rest-client.ts';

export interface PolymarketDeps extends ReporterDeps {
  readonly rest: RestClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly timers: Timers;
  readonly markets: MarketTable;
  readonly signer: PolymarketSigner;
  /** Of the orders that the venue takes now. */
  readonly version: () => PolymarketOrderVersion;
  /** Ids that one request may cancel: no more than the venue's rate limit lets through at once. */
  readonly mostCancels: number;
  /** Trades are read again from so long before the last sweep, as they may be listed late. ms */
  readonly overlapMs: number;
  readonly trouble: (trouble: PolymarketTrouble) => void;
}

/** Receives what the parts cannot handle. */
export type PolymarketTrouble =
  | ReporterTrouble
  /** The venue refused a request for a reason that does not concern one order. */
  | { readonly type: 'refused'; readonly error: PolymarketError; readonly bucket: 'order' | 'cancel' }
  /** An order was refused for balance or allowance: the venue has the same words for both. */
  | { readonly type: 'balance'; readonly record: SignedRecord }
  /** A command failed and is sent again. */
  | { readonly type: 'repeated'; readonly command: string; readonly problem: string }
  | ({ readonly type: 'stuck' } & StuckCommand);

/** Refusals that say nothing about the order, and something about the venue or the account. */
const OF_VENUE: ReadonlySet<PolymarketError['kind']> = new Set([
  ...(['RESTARTING', 'POST_ONLY', 'CANCEL_ONLY', 'DISABLED', 'FORBIDDEN', 'CLOSED_ONLY'] as const),
  ...(['UNAUTHORIZED', 'RATE_LIMITED', 'VERSION_MISMATCH'] as const),
]);

/** Reports a refusal that concerns more than its order. @returns whether it does */
export function noteRefusal(
  deps: Pick<PolymarketDeps, 'trouble'>,
  error: PolymarketError,
  bucket: 'order' | 'cancel',
): boolean {
  const isOfVenue = OF_VENUE.has(error.kind);
  if (isOfVenue) deps.trouble({ type: 'refused', error, bucket });
  return isOfVenue;
}
