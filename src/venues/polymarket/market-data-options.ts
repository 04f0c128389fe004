/** Options and defaults of `PolymarketMarketData`. */
import type { Clock, Random } from '../../clock/index.ts';
import type { HttpClient } from '../../network/index.ts';
import type { Log } from '../base/index.ts';
import type { PolymarketDirectory } from './directory.ts';

/** Times in ms. */
export const POLYMARKET_DATA_DEFAULTS = {
  /** A book without an event for this long is compared with REST. */
  silenceMs: 8_000,
  /** A book that was not confirmed for this long is stale: nothing is quoted on it. */
  staleMs: 20_000,
  /** Interval at which the state of each market is read. */
  pollMs: 30_000,
  /** Interval at which the venue's clock is measured. */
  clockMs: 30_000,
};
export type PolymarketDataSettings = Readonly<typeof POLYMARKET_DATA_DEFAULTS>;

export interface PolymarketMarketDataOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly http: HttpClient;
  /** Such as `https://clob.polymarket.com`. */
  readonly clobUrl: string;
  /** Such as `wss://ws-subscriptions-clob.polymarket.com/ws`. */
  readonly wsUrl: string;
  /** The directory that selected every market that is started or added. */
  readonly directory: Pick<PolymarketDirectory, 'market' | 'winnerOf'>;
  readonly settings?: Partial<PolymarketDataSettings>;
}
