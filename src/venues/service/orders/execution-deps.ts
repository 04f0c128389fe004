import type { Clock } from '../../../clock/index.ts';
import type { OrderNo } from '../../../domain/index.ts';
import type { ExecutionReporter, Log, ReporterDeps, Timers, VenueProblem } from '../../base/index.ts';
import type { VenueTerms } from '../market-data/index.ts';
import type { Transport } from '../transport/index.ts';
import type { OrderSigner } from './order-signer.ts';

export interface ClientDeps extends ReporterDeps {
  readonly transport: Pick<Transport, 'offset' | 'query' | 'mutate' | 'send' | 'subscribe' | 'renew'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signer: OrderSigner;
  readonly timers: Timers;
  /** Time after which the venue can no longer execute a split, merge or reduce whose answer was lost, ms. */
  readonly settleMs: number;
  /** Returns the venue's current limits. */
  readonly terms: () => Pick<VenueTerms, 'maxPlaces' | 'maxCancels' | 'maxClockSkew'>;
  /** Receives a problem that the client's owner must handle, such as invalid credentials. */
  readonly onProblem: (reported: ServiceProblem) => void;
}

/** Dependencies that the parts of `ExecutionClient` share. */
export interface ExecutionDeps extends ClientDeps {
  readonly reporter: ExecutionReporter;
}

export type ServiceProblem =
  | VenueProblem
  | { readonly type: 'blocked'; readonly problem: string }
  | { readonly type: 'unauthorized' }
  /** Orders were signed for a wrong epoch. */
  | { readonly type: 'epoch' }
  /** The venue does not know an order that it had accepted, so its account differs from the bot's. */
  | { readonly type: 'unknownOrder'; readonly order: OrderNo }
  | { readonly type: 'limited'; readonly bucket: 'order' | 'cancel'; readonly retryAfterMs: number };
