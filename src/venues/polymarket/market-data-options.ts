/** What market data of Polymarket is made with. */
import type { Clock, Random } from '../../clock/index.ts';
import type { HttpClient } from '../../network/index.ts';
import type { Log } from '../base/index.ts';
import type { PolymarketDirectory } from './directory.ts';

/** Times in ms. */
export const POLYMARKET_DATA_DEFAULTS = {
  /** A book that is silent for so long is compared with that of REST. */
  silenceMs: 8_000,
  /** A book that was not known to be right for so long is not quoted on. */
  staleMs: 20_000,
  /** Between two readings of a market's state. */
  pollMs: 30_000,
  /** How often the venue's clock is measured. */
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
  /** Has selected every market that is started or added. */
  readonly directory: Pick<PolymarketDirectory, 'market' | 'winnerOf'>;
  readonly settings?: Partial<PolymarketDataSettings>;
}
