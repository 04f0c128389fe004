/** Whether a series of measurements grows. */

export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number;
  /** Megabytes. */
  readonly value: number;
}

/** What a line through samples says (least squares). */
export interface Trend {
  /** Megabytes an hour. */
  readonly perHour: number;
  /** Of the line at its middle. */
  readonly mean: number;
}

const HOUR_SECONDS = 3_600;

/** @param samples at least two, at different times */
export function trendOf(samples: readonly Sample[]): Trend {
  const mean = (pick: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length;
  const [at, value] = [mean((sample) => sample.at), mean((sample) => sample.value)];
  const above = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.value - value), 0);
  const below = samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.at - at), 0);
  return { perHour: (above / below) * HOUR_SECONDS, mean: value };
}

/**
 * The least of each stretch of time: what a garbage collector leaves. A last stretch of less than half its time is left out: the
 * collector may not have come in it. @param seconds of a stretch
 */
export function floorsOf(samples: readonly Sample[], seconds: number): readonly Sample[] {
  const floors = new Map<number, Sample>();
  for (const sample of samples) {
    const stretch = Math.floor(sample.at / seconds);
    const known = floors.get(stretch);
    if (known === undefined || sample.value < known.value) floors.set(stretch, sample);
  }
  const end = samples.at(-1)?.at ?? 0;
  const isCut = floors.size > 1 && end - Math.floor(end / seconds) * seconds < seconds / 2;
  return [...floors.values()].slice(0, isCut ? -1 : undefined);
}
