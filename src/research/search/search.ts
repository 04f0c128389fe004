/** Search methods, which choose the parameter values of each trial (docs/spec/searches.md). */
import { z } from 'zod';
import { seededRandom } from '../../clock/index.ts';
import { whole } from '../../strategy/index.ts';
import { valueFromUniform } from './axis.ts';
import { createGrid } from './grid.ts';
import { halvingSchema } from './halving.ts';
import type { FinishedTrial } from './pareto.ts';
import { sobolSequence } from './sobol.ts';
import { type Dimension, fillValues, sortByDependency, type Values } from './space.ts';
import { createTpe, tpeSchema } from './tpe.ts';

export const searchSchema = z
  .discriminatedUnion('method', [
    z.strictObject({ method: z.literal('grid'), points: whole(2, 1_000, 5, 'Number of values tried in each range.') }),
    z.strictObject({ method: z.literal('random') }),
    z.strictObject({ method: z.literal('sobol') }),
    tpeSchema,
    halvingSchema,
  ])
  .describe('How values are chosen.');

export type SearchMethod = z.output<typeof searchSchema>;

/** A search is deterministic: the same space, seed, number and finished trials give the same values. */
export interface Search {
  /** Number of trials per batch. A trial needs the results of all earlier batches. */
  readonly batch: number;
  /** Returns the values of trial `number`, from 0. Ignores finished trials of this and later batches. */
  suggest(number: number, finished: readonly FinishedTrial[]): Values;
}

/** @param seed an integer of 0..2^32-1, which a grid ignores @throws InputFault for an invalid space */
export function createSearch(search: SearchMethod, space: readonly Dimension[], seed: number): Search {
  const sorted = sortByDependency(space);
  const random = seededRandom(seed);
  const batch = Number.POSITIVE_INFINITY;
  if (search.method === 'tpe') return createTpe(sorted, random, search);
  if (search.method === 'grid') return { batch, suggest: createGrid(sorted, search.points).combination };
  if (search.method === 'sobol') {
    const shifts = random.fork('sobol');
    // 32 random bits for each dimension.
    const getPoint = sobolSequence(sorted.map(() => shifts.int(4_294_967_296)));
    return {
      batch,
      suggest(number) {
        const coordinates = getPoint(number);
        return fillValues(sorted, (dimension) =>
          valueFromUniform(dimension, coordinates[sorted.indexOf(dimension)] ?? 0),
        );
      },
    };
  }
  // The methods `random` and `halving`.
  return {
    batch,
    suggest(number) {
      const draws = random.fork(`trial:${number}`);
      return fillValues(sorted, (dimension) => valueFromUniform(dimension, draws.uniform()));
    },
  };
}
