/** The market data of a service venue: books, trades, market states and limits, as rows and events. */
import type { MarketData, MarketDataSink, Selected } from '../../base/index.ts';
import type { Transport } from '../transport/index.ts';
import type { VenueTerms } from './venue-terms.ts';

/** Times in ms. */
export const MARKET_DATA_DEFAULTS = {
  /** Levels a side, 10 to 500. */
  depth: 50,
  /** Silence after which a book is stale and its socket suspect: slightly more than two idle frames. */
  silenceMs: 12_000,
  /** Silence after which a book is stale, even if its socket is not suspect yet. */
  staleMs: 12_000,
  /** Time for which a book that missed an update is still trusted. */
  graceMs: 1_000,
  /** Whether to subscribe to retail prices, which adds a frame for each change of a book. */
  prices: false,
  /** Interval of measurements of the venue's clock. */
  clockMs: 30_000,
};
export type MarketDataSettings = Readonly<typeof MARKET_DATA_DEFAULTS>;

export interface MarketDataOptions {
  readonly transport: Transport;
  readonly terms: VenueTerms;
  readonly settings?: Partial<MarketDataSettings>;
}

export interface ServiceMarketDataSink extends MarketDataSink {
  /** Settings of the whole venue changed (batches, clock skew, heartbeats). */
  termsChanged?(terms: VenueTerms): void;
}

export interface ServiceMarketData extends MarketData {
  start(markets: readonly Selected[], sink: ServiceMarketDataSink, timeoutMs?: number): Promise<void>;
}
