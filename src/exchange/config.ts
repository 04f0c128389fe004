/** Limits, settings and mode of the exchange. */
import type { DurationMs, MicroShares, MicroUsd } from '../domain/index.ts';

/** Which commands the venue accepts at present. */
export const VENUE_MODES = ['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'] as const;
/** A name of `VENUE_MODES`. */
export type VenueMode = (typeof VENUE_MODES)[number];

/** Limits and settings (docs/spec/venue.md#limits), read at run time, changeable while running. */
export interface ExchangeConfig {
  readonly minBet: MicroUsd;
  /** Of an initial order of `createMarket`. */
  readonly maxInitialBet: MicroUsd;
  readonly maxBetPerMarket: MicroUsd;
  readonly maxExposurePerMarket: MicroUsd;
  /** The smallest BUY; default of new markets. */
  readonly minOrderShares: MicroShares;
  /** Unicode code points. */
  readonly maxQuestionLength: number;
  readonly spreadBps: number;
  /** Default of new markets. */
  readonly tickBps: number;
  /** Default of new markets; at most 1000. */
  readonly feeRateBps: number;
  readonly maxBatchOrders: number;
  readonly maxBatchCancels: number;
  readonly minHeartbeat: DurationMs;
  readonly maxHeartbeat: DurationMs;
  /** Longest time that an order group looks back. */
  readonly maxGroupWindow: DurationMs;
  readonly maxClockSkew: DurationMs;
  readonly disputeWindow: DurationMs;
  /** Equal votes that decide a round, of how many models, and how long they may take. */
  readonly quorum: number;
  readonly panelSize: number;
  readonly quorumTimeout: DurationMs;
  /** Time in RESOLUTION_FAILED before a manual decision is allowed. */
  readonly safetyPeriod: DurationMs;
  /** Longest duration of a blockchain step; after it the step has failed permanently. */
  readonly chainTimeout: DurationMs;
}
