/** Dependencies that the parts of `PolymarketVenue` share. */
import type { Clock } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { PolymarketOrderVersion } from '../../protocol/polymarket/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import type { Log, ReporterDeps, Timers, VenueProblem } from '../base/index.ts';
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
  /** Converts a time of this machine's clock to the venue's clock. Corrects only a proven difference. */
  readonly venueTime: (localTime: number) => EpochMs;
  /** The order version that the venue accepts now. */
  readonly version: () => PolymarketOrderVersion;
  /** Largest number of orders that one request may cancel: the burst of the venue's rate limit. */
  readonly maxCancels: number;
  /** How far before the previous poll a poll begins to read trades, because the venue may list trades late; ms. */
  readonly overlapMs: number;
  readonly onProblem: (reported: PolymarketProblem) => void;
}

/** A problem that a part cannot handle alone. */
export type PolymarketProblem =
  | VenueProblem
  /** The venue refused a request for a reason that does not concern one order. */
  | { readonly type: 'refused'; readonly error: PolymarketError; readonly bucket: 'order' | 'cancel' }
  /** An order was refused for its balance or its allowance. The venue's message is the same for both. */
  | { readonly type: 'balance'; readonly record: SignedRecord };

/** Refusals that concern the venue or the account, not the order. */
const VENUE_WIDE = new Set<PolymarketError['kind']>([
  'RESTARTING',
  'POST_ONLY',
  'CANCEL_ONLY',
  'DISABLED',
  'FORBIDDEN',
  'CLOSED_ONLY',
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'VERSION_MISMATCH',
]);

/** Reports a refusal if it is venue-wide. Returns whether the refusal is venue-wide. */
export function reportVenueRefusal(
  deps: Pick<PolymarketDeps, 'onProblem'>,
  error: PolymarketError,
  bucket: 'order' | 'cancel',
): boolean {
  const isVenueWide = VENUE_WIDE.has(error.kind);
  if (isVenueWide) deps.onProblem({ type: 'refused', error, bucket });
  return isVenueWide;
}
