/** Defaults, ranges and checks of the exchange's limits and settings. */
import { durationMs, FULL_BPS, MAX_FEE_BPS, MAX_ORDER_SHARES, microShares, microUsd } from '../domain/index.ts';
import { firstRefusal, type LimitUnit, outOfRange, type Refusal, refused } from './refusal.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Maximum of all durations, which detects typing errors. */
const HUNDRED_YEARS_MS = 100 * 365 * 24 * HOUR_MS;

/** The defaults of docs/spec/venue.md#limits, which does not define `chainTimeout` and `maxGroupWindow`. */
export const DEFAULT_CONFIG = {
  minBet: microUsd(100_000),
  /** Largest initial order of `createMarket`. */
  maxInitialBet: microUsd(1_000_000_000),
  maxBetPerMarket: microUsd(100_000_000_000),
  maxExposurePerMarket: microUsd(1_000_000_000_000),
  /** Smallest size of a BUY; default of new markets. */
  minOrderShares: microShares(1_000_000),
  /** Unicode code points. */
  maxQuestionLength: 300,
  spreadBps: 2000,
  /** Default of new markets. */
  tickBps: 10,
  /** Default of new markets; at most 1000. */
  feeRateBps: 0,
  maxBatchOrders: 20,
  maxBatchCancels: 200,
  minHeartbeat: durationMs(1000),
  maxHeartbeat: durationMs(5 * MINUTE_MS),
  maxGroupWindow: durationMs(24 * HOUR_MS),
  maxClockSkew: durationMs(MINUTE_MS / 2),
  disputeWindow: durationMs(2 * HOUR_MS),
  /** Number of equal votes that decide a round. */
  quorum: 2,
  /** Number of models that vote. */
  panelSize: 3,
  /** Time limit of a round. */
  quorumTimeout: durationMs(24 * HOUR_MS),
  /** Time in RESOLUTION_FAILED before a manual decision is allowed. */
  safetyPeriod: durationMs(24 * HOUR_MS),
  /** Time limit of a blockchain step, after which it has failed permanently. */
  chainTimeout: durationMs(HOUR_MS),
};
/** Limits and settings (docs/spec/venue.md#limits), which the command `configure` changes. */
export type ExchangeConfig = Readonly<typeof DEFAULT_CONFIG>;

/** Default of the bet amounts that a venue suggests to clients (docs/spec/venue.md#limits), in cents. */
export const BET_PRESETS_CENTS: readonly number[] = [100, 500, 1_000, 5_000];

interface Range {
  readonly min: number;
  readonly max: number;
  readonly unit: LimitUnit;
}

/** Ranges of all members, in the order in which a snapshot stores the members. Append new members. */
const RANGES: { readonly [Key in keyof ExchangeConfig]: Range } = {
  minBet: { min: 0, max: MAX_ORDER_SHARES, unit: 'MICRO_USD' },
  maxInitialBet: { min: 0, max: MAX_ORDER_SHARES, unit: 'MICRO_USD' },
  maxBetPerMarket: { min: 0, max: MAX_ORDER_SHARES, unit: 'MICRO_USD' },
  maxExposurePerMarket: { min: 0, max: MAX_ORDER_SHARES, unit: 'MICRO_USD' },
  minOrderShares: { min: 0, max: MAX_ORDER_SHARES, unit: 'MICRO_SHARES' },
  maxQuestionLength: { min: 1, max: 100_000, unit: 'COUNT' },
  spreadBps: { min: 0, max: 2 * FULL_BPS, unit: 'BPS' },
  tickBps: { min: 1, max: FULL_BPS / 2, unit: 'BPS' },
  feeRateBps: { min: 0, max: MAX_FEE_BPS, unit: 'BPS' },
  maxBatchOrders: { min: 1, max: 100_000, unit: 'COUNT' },
  maxBatchCancels: { min: 1, max: 100_000, unit: 'COUNT' },
  minHeartbeat: { min: 1, max: HUNDRED_YEARS_MS, unit: 'MILLISECONDS' },
  maxHeartbeat: { min: 1, max: HUNDRED_YEARS_MS, unit: 'MILLISECONDS' },
  maxGroupWindow: { min: 1, max: HUNDRED_YEARS_MS, unit: 'MILLISECONDS' },
  maxClockSkew: { min: 0, max: HUNDRED_YEARS_MS, unit: 'MILLISECONDS' },
  disputeWindow: { min: 0, max: HUNDRED_YEARS_MS, unit: 'MILLISECONDS' },
  quorum: { min: 1, max: 1000, unit: 'COUNT' },
  panelSize: { min: 1, max: 1000, unit: 'COUNT' },
  quorumTimeout: { min: 0, max: HUNDRED_YEARS_MS, unit: 'MILLISECONDS' },
  safetyPeriod: { min: 0, max: HUNDRED_YEARS_MS, unit: 'MILLISECONDS' },
  chainTimeout: { min: 0, max: HUNDRED_YEARS_MS, unit: 'MILLISECONDS' },
};

/** The members, in the order in which a snapshot stores them. */
export const CONFIG_KEYS: readonly (keyof ExchangeConfig)[] = Object.keys(RANGES).filter(isMember);

/** Returns why a configuration is invalid; undefined if it is valid. */
export function configRefusal(config: ExchangeConfig): Refusal | undefined {
  const { minHeartbeat, maxHeartbeat, quorum, panelSize, tickBps } = config;
  return firstRefusal([
    ...CONFIG_KEYS.map((key) => outOfRange(key, config[key], RANGES[key])),
    minHeartbeat > maxHeartbeat
      ? refused('INVALID_ORDER', 'minHeartbeat', maxHeartbeat, minHeartbeat, 'MILLISECONDS')
      : undefined,
    quorum > panelSize ? refused('INVALID_ORDER', 'quorum', panelSize, quorum, 'COUNT') : undefined,
    tickBps > 0 && FULL_BPS % tickBps !== 0 ? refused('INVALID_TICK', 'tickBps', FULL_BPS, tickBps, 'BPS') : undefined,
  ]);
}

/** Returns the configuration after a change; undefined if the change has an unknown member. */
export function changedConfig(config: ExchangeConfig, change: Partial<ExchangeConfig>): ExchangeConfig | undefined {
  if (!Object.keys(change).every(isMember)) return undefined;
  return Object.freeze({ ...config, ...change });
}

export function isSameConfig(config: ExchangeConfig, other: ExchangeConfig): boolean {
  return CONFIG_KEYS.every((key) => config[key] === other[key]);
}

function isMember(key: string): key is keyof ExchangeConfig {
  return Object.hasOwn(RANGES, key);
}
