/**
 * Runs the backtests of a study that have no stored result yet. The values of a trial depend on the seed and on trials
 * of earlier batches, but not on the number or speed of workers.
 */
import type { RunSpec } from '../../backtest/index.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import type { StudyStore } from '../../store/index.ts';
import { computeRungs, type HalvingSearch, type Rung, selectPromoted, shuffleTapes } from '../search/halving.ts';
import type { Search } from '../search/search.ts';
import type { Values } from '../search/space.ts';
import type { StudyRuns } from './study-runs.ts';
import type { Objective } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';
import { forEachConcurrently, type TrialJob, type TrialOutcome, type TrialWorkers } from './trial-pool.ts';
import { type ScoredTrial, scoreTrial } from './trial-score.ts';

interface RunOptions extends Pick<TrialJob, 'baseDir' | 'strategyFolders' | 'version'> {
  readonly backtest: (values: Values) => RunSpec;
  readonly signal: AbortSignal;
  readonly pool: TrialWorkers;
  readonly store: StudyStore;
  readonly runs: StudyRuns;
  readonly objectives: readonly Objective[];
  /** Called after each backtest. @param outcome undefined if the result was already stored */
  readonly onRun: (outcome: TrialOutcome | undefined) => void;
  /** @param tapes number of tapes on which the trial ran */
  readonly onScore: (score: ScoredTrial, tapes: number) => void;
}

interface StudyJob {
  /** Number of the trial, or name of the control. */
  readonly subject: string;
  readonly spec: () => RunSpec;
  readonly tape: StudyTape;
}

/** Starts the jobs in order, and runs several at the same time. */
export async function runJobs(jobs: Iterable<StudyJob>, options: RunOptions): Promise<void> {
  const { baseDir, strategyFolders, version, signal, pool, runs, onRun } = options;
  await forEachConcurrently(jobs, pool, async ({ subject, spec, tape }) => {
    if (signal.aborted) throw new Fault('ABORTED', 'the study was stopped');
    if (runs.has(subject, tape)) return onRun(undefined);
    const specOrProblem = makeSpec(spec, tape);
    const job = { baseDir, strategyFolders, version, hashes: tape.hashes };
    const outcome =
      'problem' in specOrProblem ? specOrProblem : await pool.run({ spec: specOrProblem, ...job }, signal);
    runs.add(subject, tape, outcome);
    onRun(outcome);
  });
}

/** Runs trials on tapes and returns their scores. @param choose returns a trial's values when the trial starts */
async function runBatch(
  numbers: readonly number[],
  choose: (number: number) => Values,
  tapes: readonly StudyTape[],
  options: RunOptions,
): Promise<readonly ScoredTrial[]> {
  const { backtest, store, runs, objectives, onScore } = options;
  const chosen = new Map<number, Values>();
  const jobs = function* (): Iterable<StudyJob> {
    for (const number of numbers) {
      const values = choose(number);
      chosen.set(number, values);
      store.storeTrial(number, values);
      for (const tape of tapes) yield { subject: `${number}`, spec: () => backtest(values), tape };
    }
  };
  await runJobs(jobs(), options);
  return [...chosen].map(([number, values]) => {
    const metrics = runs.metrics(`${number}`, tapes);
    if (metrics === undefined) throw new Error(`Invariant: trial ${number} has not run`);
    const score = scoreTrial(number, values, metrics, tapes, objectives);
    onScore(score, tapes.length);
    return score;
  });
}

/** Returns the spec of a backtest on one tape, or the problem if the backtest refuses the values. */
function makeSpec(spec: () => RunSpec, { part }: StudyTape): RunSpec | { readonly problem: string } {
  try {
    return { ...spec(), ...part, report_dir: null };
  } catch (fault) {
    if (!(fault instanceof InputFault)) throw fault;
    return { problem: fault.message };
  }
}

/** Runs all trials on every tape, batch by batch. @param count of trials */
export async function runTrials(
  search: Search,
  count: number,
  tapes: readonly StudyTape[],
  options: RunOptions,
): Promise<readonly ScoredTrial[]> {
  const done: ScoredTrial[] = [];
  while (done.length < count) {
    const first = done.length;
    const numbers = Array.from({ length: Math.min(count - first, search.batch) }, (_, index) => first + index);
    for (const score of await runBatch(numbers, (number) => search.suggest(number, done), tapes, options))
      done.push(score);
  }
  return done;
}

/** Returns the rungs of a study by halving. @throws InputFault when there are too few tapes for more than one rung */
export function computeStudyRungs(trials: number, { eta, least }: HalvingSearch, tapes: number): readonly Rung[] {
  const rungs = computeRungs(trials, tapes, { eta, least: Math.min(least, tapes) });
  if (rungs.length > 1 || trials === 1) return rungs;
  const found = tapes === 1 ? 'there is 1' : `there are ${tapes}`;
  const expected = `another method, or more tapes for training than search.least, which is ${least}: ${found}`;
  throw new InputFault('search.method', 'halving', expected);
}

/** Runs all trials on few tapes, and the better ones on more. @returns the trials that reached all tapes */
export async function runHalving(
  search: Search,
  { trials, seed, halving }: { readonly trials: number; readonly seed: number; readonly halving: HalvingSearch },
  tapes: readonly StudyTape[],
  options: RunOptions,
): Promise<readonly ScoredTrial[]> {
  const order = shuffleTapes(tapes, seed);
  let numbers: readonly number[] = Array.from({ length: trials }, (_, number) => number);
  let scores: readonly ScoredTrial[] = [];
  for (const rung of computeStudyRungs(trials, halving, order.length)) {
    if (scores.length > 0) numbers = selectPromoted(scores, rung.trials);
    const earlierValues = new Map(scores.map(({ number, values }) => [number, values]));
    const choose = (number: number): Values => earlierValues.get(number) ?? search.suggest(number, []);
    scores = await runBatch(numbers, choose, order.slice(0, rung.tapes), options);
  }
  return scores;
}
