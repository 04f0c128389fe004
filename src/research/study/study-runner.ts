/** Runs the backtests of a study that have no stored result yet. */
import type { RunSpec } from '../../backtest/index.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import type { StudyStore } from '../../store/index.ts';
import type { Values } from '../search/space.ts';
import type { StudyJob, TrialRunner } from './run-trials.ts';
import type { StudyRuns } from './study-runs.ts';
import type { Objective } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';
import { forEachOf, type TrialOutcome, type TrialWorkers } from './trial-pool.ts';
import { type ScoredTrial, scoreOf } from './trial-score.ts';

export interface RunnerOptions {
  readonly backtest: (values: Values) => RunSpec;
  readonly baseDir: string;
  readonly strategyFolders: readonly string[];
  readonly version: string;
  readonly signal: AbortSignal;
  readonly pool: TrialWorkers;
  readonly store: StudyStore;
  readonly runs: StudyRuns;
  readonly objectives: readonly Objective[];
  /** Called after each backtest. @param outcome undefined if its result was already stored */
  readonly onRun: (outcome: TrialOutcome | undefined) => void;
  /** @param tapes number of tapes on which the trial ran */
  readonly onScore: (score: ScoredTrial, tapes: number) => void;
}

/** A backtest of a trial or a control. */
export interface RunnerJob {
  /** Number of the trial, or name of the control. */
  readonly subject: string;
  readonly spec: () => RunSpec;
  readonly tape: StudyTape;
}

export class StudyRunner implements TrialRunner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  begin(number: number, values: Values): void {
    this.#options.store.storeTrial(number, values);
  }

  score(number: number, values: Values, tapes: readonly StudyTape[]): ScoredTrial {
    const { runs, objectives, onScore } = this.#options;
    const found = runs.of(`${number}`, tapes);
    if (found === undefined) throw new Error(`Invariant: trial ${number} has not run`);
    const score = scoreOf(number, values, found, tapes, objectives);
    onScore(score, tapes.length);
    return score;
  }

  async runAll(jobs: Iterable<StudyJob>): Promise<void> {
    const { backtest } = this.#options;
    await forEachOf(jobs, this.#options.pool, ({ number, values, tape }) =>
      this.#runOne({ subject: `${number}`, spec: () => backtest(values), tape }),
    );
  }

  /** Runs backtests of controls, and of trials on the tapes of a test. */
  async runOthers(jobs: readonly RunnerJob[]): Promise<void> {
    await forEachOf(jobs, this.#options.pool, (job) => this.#runOne(job));
  }

  async #runOne({ subject, spec, tape }: RunnerJob): Promise<void> {
    const { baseDir, strategyFolders, version, signal, pool, runs, onRun } = this.#options;
    if (signal.aborted) throw new Fault('ABORTED', 'the study was stopped');
    if (runs.has(subject, tape)) return onRun(undefined);
    const made = specOf(spec, tape);
    const outcome =
      'problem' in made
        ? made
        : await pool.run({ spec: made, baseDir, strategyFolders, version, hashes: tape.hashes }, signal);
    runs.add(subject, tape, outcome);
    onRun(outcome);
  }
}

/** Returns the spec, or a problem, which fails the trial, if the backtest refuses the values. */
function specOf(spec: () => RunSpec, { part }: StudyTape): RunSpec | { readonly problem: string } {
  try {
    return { ...spec(), ...part, report_dir: null };
  } catch (fault) {
    if (!(fault instanceof InputFault)) throw fault;
    return { problem: fault.message };
  }
}
