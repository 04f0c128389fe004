/** Searches for good parameter values: which values each trial of a study tries (docs/spec/searches.md). */
import { seededRandom } from '../../clock/index.ts';
import { valueAt } from './axis.ts';
import { createGrid } from './grid.ts';
import type { Finished } from './pareto.ts';
import { drawShift, sobolSequence } from './sobol.ts';
import { type Dimension, fillValues, orderedSpace, type Values } from './space.ts';
import { createTpe, type TpeOptions } from './tpe.ts';

export type SearchMethod =
  /** `points`: values of a numeric parameter, at least 2. */
  | { readonly kind: 'grid'; readonly points: number }
  | { readonly kind: 'random' }
  | { readonly kind: 'sobol' }
  | ({ readonly kind: 'tpe' } & TpeOptions);

/** Pure: the same space, seed, number and finished trials give the same values. */
export interface Search {
  /** Trials may be asked for in batches of this size: a trial needs the results of all batches before its own. */
  readonly batch: number;
  /**
   * The values that trial `number` tries.
   * @param number from 0 on
   * @param finished results in any order. Those of the own batch and of later ones are not used.
   * @throws InputFault for a number past the last combination of a grid
   */
  suggest(number: number, finished: readonly Finished[]): Values;
}

/**
 * @param seed an integer of 0..2^32-1. A grid does not use it.
 * @throws InputFault for a wrong space (see `orderedSpace`) or wrong options
 */
export function createSearch(method: SearchMethod, space: readonly Dimension[], seed: number): Search {
  const order = orderedSpace(space);
  const random = seededRandom(seed);
  const batch = Number.POSITIVE_INFINITY;
  if (method.kind === 'tpe') return createTpe(order, random, method);
  if (method.kind === 'grid') {
    const grid = createGrid(order, method.points);
    return { batch, suggest: (number) => grid.combination(number) };
  }
  if (method.kind === 'random') {
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
