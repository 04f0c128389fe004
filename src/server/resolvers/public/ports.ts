/** What the public resolvers stand on. */
import type { Restriction } from '../../../exchange/index.ts';
import type { HealthStatus } from '../../../protocol/index.ts';
import type { OperationContext } from '../../graphql/index.ts';
import type { Callers, TradingPorts } from '../trading/index.ts';
import type { Catalogue } from './catalogue.ts';
import type { PublicMarkets } from './public-markets.ts';

/** What is known of the venue beside its exchange. */
export interface VenueFacts {
  /** Of the service. */
  readonly version: string;
  status(): HealthStatus;
  /** Cents. */
  betPresets(): readonly number[];
}

/** What is known of whoever makes a market. */
export interface Creators extends Callers {
  /** What keeps the caller from new markets. */
  creationRestrictionOf(context: OperationContext): Restriction | undefined;
}

/** The ports; those that trading has, too, are the same. */
export interface PublicPorts
  extends Pick<TradingPorts, 'queue' | 'ids' | 'archive' | 'cursors' | 'messages' | 'buckets'> {
  readonly callers: Creators;
  readonly markets: PublicMarkets;
  readonly catalogue: Catalogue;
  readonly venue: VenueFacts;
}
