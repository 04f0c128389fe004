/** Sharpe ratios over events, and the deflated ratio of the best trial (docs/spec/judging.md#deflated-sharpe-ratio). */
import { normalCdf, normalQuantile } from '../normal.ts';
import { meanOf } from './mean-error.ts';

const EULER_GAMMA = 0.577_215_664_901_532_9;
/** Quantile 0.95 of the normal distribution. */
const QUANTILE_95 = 1.644_854;

export interface SharpeStatistics {
  /** Mean divided by standard deviation. */
  readonly sharpe: number;
  readonly count: number;
  readonly skewness: number;
  /** 3 for a normal distribution. */
  readonly kurtosis: number;
}

/** @returns undefined for fewer than three values, or if all values are equal */
export function sharpeStatistics(values: readonly number[]): SharpeStatistics | undefined {
  const count = values.length;
  if (count < 3) return undefined;
  const mean = meanOf(values);
  const differences = values.map((value) => value - mean);
  const variance = meanOf(differences.map((x) => x * x));
  const deviation = Math.sqrt((variance * count) / (count - 1));
  if (!(variance > 0 && deviation > 0)) return undefined;
  return {
    sharpe: mean / deviation,
    count,
    skewness: meanOf(differences.map((x) => x * x * x)) / (variance * Math.sqrt(variance)),
    kurtosis: meanOf(differences.map((x) => x * x * (x * x))) / (variance * variance),
  };
}

/** The trials from which a search chose the best Sharpe ratio. */
export interface SearchedTrials {
  /** Number of independent trials from `independentTrials`, at least 1. */
  readonly trials: number;
  /** Variance of the trials' ratios. */
  readonly variance: number;
}

/** Returns the Sharpe ratio that the best of these trials is expected to reach by chance. */
export function expectedMaxSharpe({ trials, variance }: SearchedTrials): number {
  if (trials <= 1) return 0;
  const expected =
    (1 - EULER_GAMMA) * normalQuantile(1 - 1 / trials) + EULER_GAMMA * normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * expected;
}

/** Returns the probability, 0..1, that the true ratio is above `expectedMaxSharpe`. Values from 0.95 pass. */
export function deflatedSharpe(statistics: SharpeStatistics, searched: SearchedTrials): number {
  const { sharpe, count } = statistics;
  return normalCdf(
    ((sharpe - expectedMaxSharpe(searched)) * Math.sqrt(count - 1)) / Math.sqrt(scaledVariance(statistics)),
  );
}

/** Returns the number of events at which the deflated ratio is 0.95, all else equal; undefined if none suffices. */
export function eventsNeeded(statistics: SharpeStatistics, searched: SearchedTrials): number | undefined {
  const excess = statistics.sharpe - expectedMaxSharpe(searched);
  return excess > 0 ? 1 + (scaledVariance(statistics) * QUANTILE_95 * QUANTILE_95) / (excess * excess) : undefined;
}

/** Returns the effective number of independent trials. @param correlation mean over all pairs, 0..1 */
export function independentTrials(trials: number, correlation: number): number {
  return correlation + (1 - correlation) * trials;
}

/** Returns the variance of a measured Sharpe ratio, multiplied by `count - 1`. */
function scaledVariance({ sharpe, skewness, kurtosis }: SharpeStatistics): number {
  return 1 - skewness * sharpe + ((kurtosis - 1) * sharpe * sharpe) / 4;
}

/**
 * Returns the mean correlation of all pairs of trials, limited to 0..1. Leaves out trials whose values are all equal.
 * @param trials P&L of each event, by trial
 */
export function meanCorrelation(trials: readonly (readonly number[])[]): number {
  const unitVectors = trials.flatMap((values) => {
    const mean = meanOf(values);
    const length = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0));
    return length > 0 ? [values.map((value) => (value - mean) / length)] : [];
  });
  const count = unitVectors.length;
  if (count < 2) return 0;
  // The squared length of the sum of unit vectors is the sum of all correlations, including self-correlations.
  let squaredLength = 0;
  for (let event = 0; event < (unitVectors[0]?.length ?? 0); event += 1) {
    const sum = unitVectors.reduce((total, values) => total + (values[event] ?? 0), 0);
    squaredLength += sum * sum;
  }
  return Math.min(1, Math.max(0, (squaredLength - count) / (count * (count - 1))));
}
