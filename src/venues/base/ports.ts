/** What every venue gives to a bot: markets, their data, and words about trouble. */
import type { EpochMs, Fault, MarketLimits, MarketNo, VenueChanged } from '../../domain/index.ts';
import type { MarketSetup, RetailPrices } from '../../state/index.ts';
import type { Block } from '../../tape/index.ts';
import type { VenueOrders } from './venue-orders.ts';

/** Structured logging, as pino has it. Credentials never come near it. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A market as the venue shows it now. */
export interface Selected {
  readonly setup: MarketSetup;
  /** Its own feed rate is in the setup's limits; what else strategies or risk may want to know. */
  readonly category: string | undefined;
  readonly topics: readonly string[];
  readonly volumeCents: number;
}

/** A command that was sent many times and does not get through. */
export interface StuckCommand {
  readonly command: string;
  readonly problem: string;
  /** Its subject; absent for the whole account. */
  readonly markets: readonly MarketNo[];
}

/** Receiver of market data. Calls come one at a time, never during a call into market data except `orders` and `add`. */
export interface MarketDataSink {
  /** Rows `from..to-1`, whole messages; the block is reused. Books are outside books. */
  rows(block: Block, from: number, to: number): void;
  /** A market's limits or spread changed. */
  limitsChanged(market: MarketNo, limits: MarketLimits, venueTime: EpochMs): void;
  /** The venue's retail prices, at first and when they change; only with the setting `prices`. */
  pricesChanged?(market: MarketNo, prices: RetailPrices, venueTime: EpochMs): void;
  /** Mode or link changed; called once at the start. */
  venueChanged(state: Pick<VenueChanged, 'mode' | 'link'>, venueTime: EpochMs): void;
  /** This market cannot go on as it is, such as after a change of its tick: no row of it comes any more. */
  marketFailed(market: MarketNo, fault: Fault): void;
  /** One of these calls threw: no further calls follow. */
  failed(error: unknown): void;
}

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
  readonly mode: VenueChanged['mode'];
  /** Why the mode is HALTED though the venue did not say so; undefined while its mode is known. */
  readonly modeProblem: string | undefined;
  readonly link: 'UP' | 'DOWN';
  close(): void;
}
