/** The public half of a service venue: books, trades, market states, limits, as rows and events. */
import type { MarketData, MarketDataSink, Selected } from '../../base/index.ts';
import type { Transport } from '../transport/index.ts';
import type { VenueTerms } from './venue-terms.ts';

/** Times in ms. */
export interface MarketDataSettings {
  /** Levels a side, 10 to 500. Default 50. */
  readonly depth: number;
  /** A book that is silent for so long is stale, and its socket suspect. Default 12,000: two idle frames and a bit. */
  readonly silenceMs: number;
  /** A book that is silent for so long is stale, though its socket may not be suspect yet. Default 12,000. */
  readonly staleMs: number;
  /** How long a book that missed an update may stay as it was before its market counts as halted. Default 1,000. */
  readonly graceMs: number;
  /** Whether to subscribe to retail prices: a frame more for each change of a book. Default false. */
  readonly prices: boolean;
  /** How often the venue's clock is measured. Default 30,000. */
  readonly clockMs: number;
}

/** Defaults of the settings. */
export const MARKET_DATA_DEFAULTS: MarketDataSettings = {
  depth: 50,
  silenceMs: 12_000,
  staleMs: 12_000,
  graceMs: 1_000,
  prices: false,
  clockMs: 30_000,
};

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
