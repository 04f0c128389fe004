/** Successive halving: runs many trials on few tapes, and the better trials on more (docs/spec/searches.md#halving). */
import { z } from 'zod';
import { seededRandom } from '../../clock/index.ts';
import { whole } from '../../strategy/index.ts';
import type { FinishedTrial } from './pareto.ts';

export const halvingSchema = z.strictObject({
  method: z.literal('halving'),
  /** Also the factor by which the number of tapes grows. */
  eta: whole(2, 10, 3, 'A rung has 1/eta of the trials of the rung before.'),
  least: whole(1, 10_000, 1, 'Tapes of the first rung.'),
});

export type HalvingSearch = z.output<typeof halvingSchema>;

/** A number of trials, each run on the same number of tapes. */
export interface Rung {
  readonly trials: number;
  readonly tapes: number;
}

export interface RungResult extends Pick<FinishedTrial, 'number' | 'objectives'> {
  /** Standard error of the first objective. */
  readonly error: number;
}

/**
 * Returns the rungs. The last rung has all tapes, even with a single trial. Numbers of trials are rounded down.
 * @param trials of the first rung, at least 1 @param tapes number of training tapes
 */
export function computeRungs(
  trials: number,
  tapes: number,
  { eta, least }: Pick<HalvingSearch, 'eta' | 'least'>,
): readonly Rung[] {
  const rungs: Rung[] = [];
  let rung: Rung = { trials, tapes: least };
  while (rung.trials > 1 && rung.tapes < tapes) {
    rungs.push(rung);
    rung = { trials: Math.max(1, Math.floor(rung.trials / eta)), tapes: rung.tapes * eta };
  }
  return [...rungs, { trials: rung.trials, tapes }];
}

/** Counts the backtests of all rungs, including those whose results an earlier rung has stored. */
export function countRungRuns(rungs: readonly Rung[]): number {
  return rungs.reduce((sum, { trials, tapes }) => sum + trials * tapes, 0);
}

/** Returns the distinct tapes in a random order that depends only on the seed. A rung with n tapes uses the first n. */
export function shuffleTapes<T extends { readonly id: string }>(tapes: readonly T[], seed: number): readonly T[] {
  const random = seededRandom(seed).fork('events');
  const shuffled = [...new Map(tapes.map((tape) => [tape.id, tape])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (let remaining = shuffled.length; remaining > 1; remaining -= 1) {
    const [moved] = shuffled.splice(random.int(remaining), 1);
    if (moved !== undefined) shuffled.push(moved);
  }
  return shuffled;
}

/**
 * Returns the trials of the next rung, in ascending order: the best `keep` trials, and those at most one standard error
 * worse than the last of them. On ties the lower trial number is better. A failed trial is never promoted.
 */
export function selectPromoted(results: readonly RungResult[], keep: number): readonly number[] {
  const ranked = results
    .map(({ number, objectives: [score = 0], error }) => ({ number, score, error }))
    .filter(({ score }) => Number.isFinite(score))
    .sort((a, b) => b.score - a.score || a.number - b.number);
  const last = ranked[Math.min(keep, ranked.length) - 1];
  if (last === undefined) return [];
  const promoted = ranked.filter(({ score }, index) => index < keep || score >= last.score - last.error);
  return promoted.map(({ number }) => number).sort((a, b) => a - b);
}
