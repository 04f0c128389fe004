/** Pareto fronts of trials with several objectives (docs/spec/searches.md#several-objectives). */
import type { Values } from './space.ts';

export interface FinishedTrial {
  /** From 0. */
  readonly number: number;
  readonly values: Values;
  /** Maximised. Never NaN; -Infinity for a failed trial. */
  readonly objectives: readonly number[];
}

/**
 * Returns the number of each trial's front, from 0, in the order of `finished`. A trial dominates another if it is not
 * worse in any objective and better in at least one. Front 0 has the trials that no trial dominates, front 1 the trials
 * that only trials of front 0 dominate, and so on. With one objective, fronts are ranks.
 */
export function dominationRanks(finished: readonly FinishedTrial[]): readonly number[] {
  const order = finished.map((trial, index) => ({ trial, index })).sort((a, b) => compareObjectives(a.trial, b.trial));
  const fronts: FinishedTrial[][] = [];
  const ranks = finished.map(() => 0);
  // In this order, dominating trials come first. If one front dominates a trial, so do all earlier fronts.
  for (const { trial, index } of order) {
    let low = 0;
    let high = fronts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (fronts[middle]?.some((other) => dominates(other, trial))) low = middle + 1;
      else high = middle;
    }
    ranks[index] = low;
    const front = fronts[low];
    if (front === undefined) fronts.push([trial]);
    else front.push(trial);
  }
  return ranks;
}

/** Returns the trials that no trial dominates, by number, without failed trials. */
export function paretoFront<T extends FinishedTrial>(finished: readonly T[]): readonly T[] {
  const done = finished.filter(({ objectives }) => objectives.every(Number.isFinite));
  const ranks = dominationRanks(done);
  return done.filter((_, index) => ranks[index] === 0).sort((a, b) => a.number - b.number);
}

function dominates({ objectives: a }: FinishedTrial, { objectives: b }: FinishedTrial): boolean {
  return a.every((value, i) => value >= (b[i] ?? value)) && a.some((value, i) => value > (b[i] ?? value));
}

/** Orders trials by the first objective, descending, then by the second objective, and so on. */
function compareObjectives({ objectives: a }: FinishedTrial, { objectives: b }: FinishedTrial): number {
  const first = a.findIndex((value, index) => value !== b[index]);
  return first < 0 ? 0 : (a[first] ?? 0) > (b[first] ?? 0) ? -1 : 1;
}
