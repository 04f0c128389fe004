/**
 * Runs the trials of a study. The values of a trial depend on the seed and on trials of earlier batches, but not on the
 * number or speed of workers.
 */
import { InputFault } from '../../domain/index.ts';
import { drawEvents, halvingRungs, promoted, type Rung } from '../search/halving.ts';
import type { Search } from '../search/search.ts';
import type { Values } from '../search/space.ts';
import type { StudySpec } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';
import type { ScoredTrial } from './trial-score.ts';

/** A backtest of a trial on a tape. */
export interface StudyJob {
  readonly number: number;
  readonly values: Values;
  readonly tape: StudyTape;
}

export interface TrialRunner {
  /** Starts the backtests that have no result yet in this order, and runs several at the same time. */
  runAll(jobs: Iterable<StudyJob>): Promise<void>;
  /** Scores a trial. @param tapes on which it has run */
  score(number: number, values: Values, tapes: readonly StudyTape[]): ScoredTrial;
  /** Stores a trial's values. */
  begin(number: number, values: Values): void;
}

/** Runs all trials on every tape, batch by batch. @param count of trials */
export async function runTrials(
  search: Search,
  count: number,
  tapes: readonly StudyTape[],
  runner: TrialRunner,
): Promise<readonly ScoredTrial[]> {
  const done: ScoredTrial[] = [];
  const suggested = new Map<number, Values>();
  const valuesOf = (number: number): Values => {
    const values = suggested.get(number) ?? search.suggest(number, done);
    suggested.set(number, values);
    return values;
  };
  for (let first = 0; first < count; first += search.batch) {
    const end = Math.min(count, first + search.batch);
    await runner.runAll(jobsOf(first, end, valuesOf, tapes, runner));
    for (let number = first; number < end; number += 1) {
      done.push(runner.score(number, valuesOf(number), tapes));
      suggested.delete(number);
    }
  }
  return done;
}

function* jobsOf(
  first: number,
  end: number,
  valuesOf: (number: number) => Values,
  tapes: readonly StudyTape[],
  runner: TrialRunner,
): Iterable<StudyJob> {
  for (let number = first; number < end; number += 1) {
    const values = valuesOf(number);
    runner.begin(number, values);
    for (const tape of tapes) yield { number, values, tape };
  }
}

/**
 * Returns the rungs of a study by halving.
 * @throws InputFault when there are too few tapes for more than one rung
 */
export function studyRungs({ trials, search }: Pick<StudySpec, 'trials' | 'search'>, tapes: number): readonly Rung[] {
  const { eta, least } = search.method === 'halving' ? search : { eta: undefined, least: 1 };
  const rungs = halvingRungs({ trials, events: tapes, eta, least: Math.min(least, tapes) });
  if (rungs.length > 1 || trials === 1) return rungs;
  const found = tapes === 1 ? 'there is 1' : `there are ${tapes}`;
  const expected = `another method, or more tapes for training than search.least, which is ${least}: ${found}`;
  throw new InputFault('search.method', 'halving', expected);
}

/**
 * Runs all trials on few tapes, and the better ones on more.
 * @returns the trials that reached all tapes
 */
export async function runHalving(
  search: Search,
  spec: Pick<StudySpec, 'trials' | 'search' | 'seed'>,
  tapes: readonly StudyTape[],
  runner: TrialRunner,
): Promise<readonly ScoredTrial[]> {
  const byId = new Map(tapes.map((tape) => [tape.id, tape]));
  const order = drawEvents([...byId.keys()], spec.seed).flatMap((id) => byId.get(id) ?? []);
  const rungs = studyRungs(spec, order.length);
  const scores = new Map<number, ScoredTrial>();
  let numbers: readonly number[] = Array.from({ length: spec.trials }, (_, number) => number);
  let values = new Map<number, Values>();
  for (const [at, { events }] of rungs.entries()) {
    const used = order.slice(0, events);
    values = new Map(numbers.map((number) => [number, values.get(number) ?? search.suggest(number, [])]));
    const rung = values;
    await runner.runAll(
      (function* () {
        for (const [number, own] of rung) {
          runner.begin(number, own);
          for (const tape of used) yield { number, values: own, tape };
        }
      })(),
    );
    for (const [number, own] of rung) scores.set(number, runner.score(number, own, used));
    const next = rungs[at + 1];
    if (next === undefined) break;
    const results = numbers.flatMap((trial) => {
      const { objectives: [score = 0] = [], error = 0 } = scores.get(trial) ?? {};
      return [{ trial, score, error }];
    });
    numbers = promoted(results, next.trials);
  }
  return numbers.flatMap((number) => scores.get(number) ?? []);
}
