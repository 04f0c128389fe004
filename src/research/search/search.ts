/** Search methods, which choose the parameter values of each trial (docs/spec/searches.md). */
import { seededRandom } from '../../clock/index.ts';
import { valueAt } from './axis.ts';
import { createGrid } from './grid.ts';
import type { Finished } from './pareto.ts';
import { drawShift, sobolSequence } from './sobol.ts';
import { type Dimension, fillValues, orderedSpace, type Values } from './space.ts';
import { createTpe, type TpeOptions } from './tpe.ts';

export type SearchMethod =
  /** `points`: values of a numeric parameter, at least 2. */
  | { readonly method: 'grid'; readonly points: number }
  /** Halving draws values at random. */
  | { readonly method: 'random' | 'halving' }
  | { readonly method: 'sobol' }
  | ({ readonly method: 'tpe' } & TpeOptions);

/** Deterministic: the same space, seed, number and finished trials give the same values. */
export interface Search {
  /** Number of trials per batch. A trial needs the results of all earlier batches. */
  readonly batch: number;
  /**
   * Returns the values of a trial.
   * @param number of the trial, from 0
   * @param finished results in any order. Results of its own batch and later ones are ignored
   */
  suggest(number: number, finished: readonly Finished[]): Values;
}

/**
 * @param seed an integer of 0..2^32-1. A grid does not use it
 * @throws InputFault for an invalid space (see `orderedSpace`)
 */
export function createSearch(search: SearchMethod, space: readonly Dimension[], seed: number): Search {
  const order = orderedSpace(space);
  const random = seededRandom(seed);
  const batch = Number.POSITIVE_INFINITY;
  if (search.method === 'tpe') return createTpe(order, random, search);
  if (search.method === 'grid') return { batch, suggest: createGrid(order, search.points).combination };
  if (search.method !== 'sobol') {
    return {
      batch,
      suggest(number) {
        const draws = random.fork(`trial:${number}`);
        return fillValues(order, (dimension) => valueAt(dimension, draws.uniform()));
      },
    };
  }
  const point = sobolSequence(drawShift(random.fork('sobol'), order.length));
  return {
    batch,
    suggest(number) {
      const coordinates = point(number);
      return fillValues(order, (dimension) => valueAt(dimension, coordinates[order.indexOf(dimension)] ?? 0));
    },
  };
}
