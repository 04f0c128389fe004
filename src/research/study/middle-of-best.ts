import type { Dimension } from '../search/space.ts';
import type { ScoredTrial } from './trial-score.ts';

/**
 * Of the best tenth of the trials, at least one, the trial nearest to the medians of their parameters
 *. Distances are parts of the range, in logarithms where the search is; a choice that
 * is not the most frequent one is a whole range away.
 * @param ranked the best first
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

/** A number as its part of the range, anything else as it is. */
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

/** On ties the one that comes first. */
function mostFrequent(values: readonly unknown[]): unknown {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
