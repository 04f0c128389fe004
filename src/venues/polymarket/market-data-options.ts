/** What market data of Polymarket is made with. */
import type { Clock, Random } from '../../clock/index.ts';
import type { HttpClient } from '../../network/index.ts';
import type { Log } from '../base/index.ts';
import type { PolymarketDirectory } from './directory.ts';

/** Times in ms. */
export interface PolymarketDataSettings {
  /** A book that is silent for so long is compared with that of REST. Default 8,000. */
  readonly silenceMs: number;
  /** A book that was not known to be right for so long is not quoted on. Default 20,000. */
  readonly staleMs: number;
  /** Between two readings of a market's state. Default 30,000. */
  readonly pollMs: number;
  /** How often the venue's clock is measured. Default 30,000. */
  readonly clockMs: number;
}

export const POLYMARKET_DATA_DEFAULTS: PolymarketDataSettings = {
  silenceMs: 8_000,
  staleMs: 20_000,
  pollMs: 30_000,
  clockMs: 30_000,
};

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
