/** Which markets are traded, and what the venue lets orders there be. */
import type { DurationMs, MicroUsd } from '../../../domain/index.ts';
import type { MarketStatus, VenueMode } from '../../../protocol/index.ts';
import type { MarketSetup } from '../../../state/index.ts';

/** A choice by filter; all that is given must hold. */
export interface MarketSelector {
  readonly category?: string;
  readonly topic?: string;
  readonly search?: string;
  readonly status?: MarketStatus;
  /** At most so many, those with the most volume first. Default 200. */
  readonly limit?: number;
}

/** Markets by id, by slug and by filter, together; each once, in that order. */
export interface Selection {
  readonly ids?: readonly string[];
  readonly slugs?: readonly string[];
  readonly filter?: MarketSelector;
}

/** A market as the venue shows it now. */
export interface Selected {
  readonly setup: MarketSetup;
  /** Its own feed rate is in the setup's limits; what else strategies or risk may want to know. */
  readonly category: string | undefined;
  readonly topics: readonly string[];
  readonly eventId: string | undefined;
  readonly volumeCents: number;
}

/** What counts for the whole venue: `bettingConfig` and `marketConfig`, in units of the house. */
export interface VenueTerms {
  readonly mode: VenueMode;
  readonly minBet: MicroUsd;
  readonly maxBet: MicroUsd;
  readonly maxExposure: MicroUsd;
  readonly spreadBps: number;
  /** Of new markets. */
  readonly feeRateBps: number;
  /** Of new markets. */
  readonly tickBps: number;
  readonly mostPlaces: number;
  readonly mostCancels: number;
  readonly minHeartbeat: DurationMs;
  readonly maxHeartbeat: DurationMs;
  readonly maxClockSkew: DurationMs;
}
