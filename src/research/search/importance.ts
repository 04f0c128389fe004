/** Importance of each parameter for an objective (docs/spec/searches.md#importance). */
import type { FinishedTrial } from './pareto.ts';
import type { Dimension, ParameterValue } from './space.ts';

const MAX_GROUPS = 10;

export interface Importance {
  readonly name: string;
  /** `explained` divided by its sum over all parameters, 0..1. */
  readonly share: number;
  /** Share of the objective's variance that this parameter alone explains, 0..1. */
  readonly explained: number;
}

/** Sorts by importance, descending. All numbers are 0 if no parameter explains anything. Ignores failed trials. */
export function parameterImportance(
  space: readonly Dimension[],
  finished: readonly FinishedTrial[],
  objective = 0,
): readonly Importance[] {
  const done = finished.filter(({ objectives }) => Number.isFinite(objectives[objective]));
  const scores = done.map(({ objectives }) => objectives[objective] ?? 0);
  const found = space.map((dimension) => {
    const values = done.map(({ values }) => values[dimension.name]);
    return { name: dimension.name, explained: explainedVariance(assignGroups(dimension, values), scores) };
  });
  const total = found.reduce((sum, { explained }) => sum + explained, 0);
  return found
    .map(({ name, explained }) => ({ name, share: total > 0 ? explained / total : 0, explained }))
    .sort((a, b) => b.explained - a.explained);
}

/**
 * Returns the group of each value. Each choice is a group, and the trials without a value form one group. Numbers form
 * groups of about equal size; equal numbers are in the same group.
 */
function assignGroups(dimension: Dimension, values: readonly (ParameterValue | undefined)[]): readonly unknown[] {
  if (dimension.kind === 'choice') return values;
  const sorted = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  const groups = Math.min(MAX_GROUPS, Math.max(2, Math.floor(Math.sqrt(sorted.length))));
  const ranks = new Map<unknown, number>();
  for (const [rank, value] of sorted.entries()) if (!ranks.has(value)) ranks.set(value, rank);
  return values.map((value) => {
    const rank = ranks.get(value);
    return rank === undefined ? undefined : Math.floor((rank * groups) / sorted.length);
  });
}

/** Returns epsilon squared: the share of the variance between groups, corrected for chance, at least 0. */
function explainedVariance(groups: readonly unknown[], scores: readonly number[]): number {
  const sums = new Map<unknown, { count: number; sum: number }>();
  for (const [index, group] of groups.entries()) {
    const { count, sum } = sums.get(group) ?? { count: 0, sum: 0 };
    sums.set(group, { count: count + 1, sum: sum + (scores[index] ?? 0) });
  }
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  let within = 0;
  let total = 0;
  for (const [index, score] of scores.entries()) {
    const { count, sum } = sums.get(groups[index]) ?? { count: 1, sum: score };
    within += (score - sum / count) * (score - sum / count);
    total += (score - mean) * (score - mean);
  }
  const degreesOfFreedom = scores.length - sums.size;
  if (degreesOfFreedom < 1 || total === 0) return 0;
  return Math.max(0, 1 - (within / degreesOfFreedom) * ((scores.length - 1) / total));
}
