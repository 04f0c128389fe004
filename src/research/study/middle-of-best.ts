import type { Dimension } from '../search/space.ts';
import type { ScoredTrial } from './trial-score.ts';

/**
 * Returns the trial nearest to the median parameters of the best tenth of trials. Distances are shares of the range,
 * logarithmic for `log` parameters. A choice other than the most frequent one has distance 1.
 * @param ranked best trial first
 */
export function middleOfBest(
  dimensions: readonly Dimension[],
  ranked: readonly ScoredTrial[],
): ScoredTrial | undefined {
  const best = ranked.slice(0, Math.max(1, Math.ceil(ranked.length / 10)));
  const distances = best.map(() => 0);
  for (const dimension of dimensions) {
    const places = best.map(({ values }) => placeOf(dimension, values[dimension.name]));
    const numbers = places.filter((place) => typeof place === 'number');
    const middle = dimension.kind === 'choice' ? mostFrequent(places) : median(numbers);
    for (const [at, place] of places.entries()) {
      const isFar = typeof place !== 'number' || typeof middle !== 'number';
      const distance = isFar ? Number(place !== middle) : place - middle;
      distances[at] = (distances[at] ?? 0) + distance * distance;
    }
  }
  const least = Math.min(...distances);
  return best[distances.indexOf(least)];
}

/** Returns a number as a share of its range, and other values unchanged. */
function placeOf(dimension: Dimension, value: unknown): unknown {
  if (dimension.kind === 'choice' || typeof value !== 'number') return value;
  const { low, high, log } = dimension;
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [below, above] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return below === undefined || above === undefined ? undefined : (below + above) / 2;
}

/** The most frequent value, on ties the first one. */
function mostFrequent(values: readonly unknown[]): unknown {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
