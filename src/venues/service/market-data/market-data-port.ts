/** The public half of a service venue: books, trades, market states, limits, as rows and events. */
import type { MarketData, MarketDataSink, Selected } from '../../base/index.ts';
import type { Transport } from '../transport/index.ts';
import type { VenueTerms } from './venue-terms.ts';

/** Times in ms. */
export const MARKET_DATA_DEFAULTS = {
  /** Levels a side, 10 to 500. */
  depth: 50,
  /** A book that is silent for so long is stale, and its socket suspect: two idle frames and a bit. */
  silenceMs: 12_000,
  /** A book that is silent for so long is stale, though its socket may not be suspect yet. */
  staleMs: 12_000,
  /** How long a book that missed an update may stay as it was before its market counts as halted. */
  graceMs: 1_000,
  /** Whether to subscribe to retail prices: a frame more for each change of a book. */
  prices: false,
  /** How often the venue's clock is measured. */
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
