/** The public half of a service venue: books, trades, market states, limits, as rows and events. */
import type { EpochMs, Fault, MarketLimits, MarketNo } from '../../../domain/index.ts';
import type { VenueMode } from '../../../protocol/index.ts';
import type { RetailPrices } from '../../../state/index.ts';
import type { Block } from '../../../tape/index.ts';
import type { VenueOrders } from '../orders/venue-orders.ts';
import type { Transport } from '../transport/index.ts';
import type { Selected } from './select-markets.ts';
import type { VenueTerms } from './venue-terms.ts';

/** Receiver of market data. Calls come one at a time, never during a call into market data except `orders` and `add`. */
export interface MarketDataSink {
  /** Rows `from..to-1`, whole messages; the block is reused. Books are outside books. */
  rows(block: Block, from: number, to: number): void;
  /** A market's limits or spread changed. */
  limitsChanged(market: MarketNo, limits: MarketLimits, venueTime: EpochMs): void;
  /** The venue's retail prices, at first and when they change; only with the setting `prices`. */
  pricesChanged?(market: MarketNo, prices: RetailPrices, venueTime: EpochMs): void;
  /** Mode or link changed; called once at the start. */
  venueChanged(state: { readonly mode: VenueMode; readonly link: 'UP' | 'DOWN' }, venueTime: EpochMs): void;
  /** Settings of the whole venue changed (batches, clock skew, heartbeats). */
  termsChanged?(terms: VenueTerms): void;
  /** This market cannot go on as it is, such as after a change of its tick: no row of it comes any more. */
  marketFailed(market: MarketNo, fault: Fault): void;
  /** One of these calls threw: no further calls follow. */
  failed(error: unknown): void;
}

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

/** State of a book. */
export interface BookAge {
  readonly market: MarketNo;
  /** ms since the last change or idle frame that fits. Infinity before the first. */
  readonly ageMs: number;
  /** Whether it equals the venue's, as far as is known. */
  readonly isSynced: boolean;
  /** The venue's number of its last change. */
  readonly seq: number;
  /** Snapshots requested after a gap or a wrong checksum. */
  readonly resyncs: number;
}

export interface MarketData {
  /** Own orders, which are taken out of the books. */
  readonly orders: VenueOrders;
  /**
   * Subscribes; resolves when every market has its first book.
   * @throws Fault LINK when that takes longer than `timeoutMs`
   */
  start(markets: readonly Selected[], sink: MarketDataSink, timeoutMs?: number): Promise<void>;
  /** Adds a market. Its rows may come before this resolves. */
  add(market: Selected): Promise<void>;
  /** Nothing more of this market. */
  remove(market: MarketNo): void;
  /**
   * Reads states, ticks and limits of all markets again, such as after a refusal that should not have been. Never
   * rejects.
   */
  refresh(): Promise<void>;
  ages(): readonly BookAge[];
  readonly mode: VenueMode;
  /** Why the mode is HALTED though the venue did not say so; undefined while its mode is known. */
  readonly modeProblem: string | undefined;
  readonly link: 'UP' | 'DOWN';
  close(): void;
}
