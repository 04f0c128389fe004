/** Detects growth in a series of measurements. */

export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number;
  /** Megabytes. */
  readonly value: number;
}

/** The line through samples by least squares. */
export interface Trend {
  /** Slope, megabytes per hour. */
  readonly perHour: number;
  /** Mean of the samples, megabytes. */
  readonly mean: number;
}

const HOUR_SECONDS = 3_600;

/** Fits a line. @param samples at least two, at different times */
export function trendOf(samples: readonly Sample[]): Trend {
  const mean = (pick: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  const [at, value] = [mean((sample) => sample.at), mean((sample) => sample.value)];
  const covariance = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.value - value), 0);
  const variance = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.at - at), 0);
  return { perHour: (covariance / variance) * HOUR_SECONDS, mean: value };
}

/**
 * The lowest sample of each interval, which is the memory after a garbage collection. The last interval is left out
 * when less than half of it was sampled, because it may contain no collection. @param seconds length of an interval
 */
export function floorsOf(samples: readonly Sample[], seconds: number): readonly Sample[] {
  const floors = new Map<number, Sample>();
  for (const sample of samples) {
    const interval = Math.floor(sample.at / seconds);
    const lowest = floors.get(interval);
    if (lowest === undefined || sample.value < lowest.value) floors.set(interval, sample);
  }
  const end = samples.at(-1)?.at ?? 0;
  const isCut = floors.size > 1 && end - Math.floor(end / seconds) * seconds < seconds / 2;
  return [...floors.values()].slice(0, isCut ? -1 : undefined);
}
