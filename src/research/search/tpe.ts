/**
 * Tree-structured Parzen estimator (docs/spec/searches.md#tpe). The search proposes values that are frequent among the
 * best trials and rare among the others.
 */
import { z } from 'zod';
import type { Random } from '../../clock/index.ts';
import { whole } from '../../strategy/index.ts';
import { makeAxis, valueFromUniform } from './axis.ts';
import { dominationRanks, type FinishedTrial } from './pareto.ts';
import { choiceDensity, type Density, numberDensity } from './parzen.ts';
import { type Dimension, fillValues, type ParameterValue, type Values } from './space.ts';

/** The best trials are a tenth of all trials, but at most this many. */
const MAX_BEST = 25;

export const tpeSchema = z.strictObject({
  method: z.literal('tpe'),
  startup: whole(1, 10_000, 10, 'Random trials before the first estimate.'),
  candidates: whole(1, 10_000, 24, 'Values drawn for a parameter.'),
  batch: whole(1, 1_000, 8, 'Trials proposed from the same results.'),
});

/** @param order parameters as `sortByDependency` returns them */
export function createTpe(order: readonly Dimension[], random: Random, options: z.output<typeof tpeSchema>) {
  const { startup, candidates, batch } = options;
  return {
    batch,
    suggest(number: number, finished: readonly FinishedTrial[]): Values {
      const trialRandom = random.fork(`trial:${number}`);
      const results = findResultsBefore(number - (number % batch), finished);
      if (results.length < startup)
        return fillValues(order, (dimension) => valueFromUniform(dimension, trialRandom.uniform()));
      const { best, others } = splitTrials(results);
      return fillValues(order, (dimension) => propose(dimension, best, others, trialRandom, candidates));
    },
  };
}

/**
 * Splits trials into the best tenth, rounded up and at most 25, and the others, both in the order of `finished`.
 * Several objectives are compared by `dominationRanks`. Of equal trials, the first one is better.
 */
export function splitTrials(finished: readonly FinishedTrial[]): {
  readonly best: readonly FinishedTrial[];
  readonly others: readonly FinishedTrial[];
} {
  const ranks = dominationRanks(finished);
  const order = [...finished.keys()].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
  const chosen = new Set(order.slice(0, Math.min(Math.ceil(finished.length / 10), MAX_BEST)));
  return { best: finished.filter((_, i) => chosen.has(i)), others: finished.filter((_, i) => !chosen.has(i)) };
}

/** Returns the results of all trials before `end`. Ignores later results, which depend on the speed of workers. */
function findResultsBefore(end: number, finished: readonly FinishedTrial[]): readonly FinishedTrial[] {
  const results = finished.filter(({ number }) => number < end).sort((a, b) => a.number - b.number);
  if (results.length !== end) throw new Error(`Invariant: ${results.length} results of the trials before ${end}`);
  return results;
}

function propose(
  dimension: Dimension,
  best: readonly FinishedTrial[],
  others: readonly FinishedTrial[],
  random: Random,
  candidates: number,
): ParameterValue {
  const bestValues = collectValues(dimension.name, best);
  const otherValues = collectValues(dimension.name, others);
  if (dimension.kind === 'choice') {
    const { choices } = dimension;
    return drawBest(choiceDensity(choices, bestValues), choiceDensity(choices, otherValues), random, candidates);
  }
  const axis = makeAxis(dimension);
  const numbers = (values: readonly ParameterValue[]) => values.filter((value) => typeof value === 'number');
  const density = (values: readonly ParameterValue[]) => numberDensity(axis, numbers(values));
  return drawBest(density(bestValues), density(otherValues), random, candidates);
}

/** Draws values from `best`, and returns the first value with the largest ratio of densities. */
function drawBest<V>(best: Density<V>, others: Density<V>, random: Random, candidates: number): V {
  const drawn = best.draw(random, candidates);
  const [first, ...more] = drawn.map((value) => ({ value, gain: best.log(value) - others.log(value) }));
  if (first === undefined) throw new Error('Invariant: no candidate');
  return more.reduce((top, next) => (next.gain > top.gain ? next : top), first).value;
}

/** A trial in which the parameter's condition was false has no value of it. */
function collectValues(name: string, trials: readonly FinishedTrial[]): readonly ParameterValue[] {
  return trials.flatMap(({ values }) => values[name] ?? []);
}
