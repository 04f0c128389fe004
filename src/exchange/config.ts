/** Limits, settings and mode of the exchange. */
import type { DurationMs, MicroShares, MicroUsd } from '../domain/index.ts';

/** Which commands the venue accepts at present. */
export const VENUE_MODES = ['NORMAL', 'POST_ONLY', 'CANCEL_ONLY', 'HALTED'] as const;
/** A name of `VENUE_MODES`. */
export type VenueMode = (typeof VENUE_MODES)[number];

/** Limits and settings (docs/spec/venue.md#limits), read at run time, changeable while running. */
export interface ExchangeConfig {
  readonly minBet: MicroUsd;
  /** Largest initial order of `createMarket`. */
  readonly maxInitialBet: MicroUsd;
  readonly maxBetPerMarket: MicroUsd;
  readonly maxExposurePerMarket: MicroUsd;
  /** Smallest BUY; default of new markets. */
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
  /** Longest window of an order group. */
  readonly maxGroupWindow: DurationMs;
  readonly maxClockSkew: DurationMs;
  readonly disputeWindow: DurationMs;
  /** Equal votes that decide a round, number of models that vote, and time limit of a round. */
  readonly quorum: number;
  readonly panelSize: number;
  readonly quorumTimeout: DurationMs;
  /** Time in RESOLUTION_FAILED before a manual decision is allowed. */
  readonly safetyPeriod: DurationMs;
  /** Time limit of a blockchain step, after which it has failed permanently. */
  readonly chainTimeout: DurationMs;
}
