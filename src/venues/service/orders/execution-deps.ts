/** Dependencies that the parts of `ExecutionClient` share. */
import type { Clock } from '../../../clock/index.ts';
import type { OrderNo } from '../../../domain/index.ts';
import type { Log, ReporterDeps, ReporterTrouble, StuckCommand, Timers } from '../../base/index.ts';
import type { Transport } from '../transport/index.ts';
import type { OrderSigner } from './order-signer.ts';

/** Dependencies of everything that concerns own orders. */
export interface ExecutionDeps extends ReporterDeps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  readonly signer: OrderSigner;
  readonly timers: Timers;
  /** How long a change whose answer was lost may still be carried out, where nothing bounds it, ms. */
  readonly settleMs: number;
  /** Bounds of the venue, as they are now. */
  readonly terms: () => OrderTerms;
  /** Something that is no venue answered, or the credentials hold no longer: the run has to end, or to log in again. */
  readonly trouble: (trouble: Trouble) => void;
}

/** Bounds that orders have to know. */
export interface OrderTerms {
  readonly mostPlaces: number;
  readonly mostCancels: number;
  readonly maxClockSkewMs: number;
}

/** Receives an error that the parts cannot handle. */
export type Trouble =
  | ReporterTrouble
  | { readonly type: 'blocked'; readonly problem: string }
  | { readonly type: 'unauthorized' }
  /** Orders are signed for another epoch than the account's. */
  | { readonly type: 'epoch' }
  /** The venue does not know an order that it had accepted: it has another account than ours. */
  | { readonly type: 'unknownOrder'; readonly order: OrderNo }
  /** A command failed and is sent again. */
  | { readonly type: 'repeated'; readonly command: string; readonly problem: string }
  | ({ readonly type: 'stuck' } & StuckCommand)
  /** A bucket is empty. */
  | { readonly type: 'limited'; readonly bucket: 'order' | 'cancel'; readonly retryAfterMs: number };
