import { existsSync } from 'node:fs';
import { z } from 'zod';
import { baselineSpecs, checkBacktest, type RunSpec, randomSpecs } from '../../backtest/index.ts';
import { FileFault, InputFault } from '../../domain/index.ts';
import { loadStrategies } from '../../runtime/index.ts';
import { StudyStore } from '../../store/index.ts';
import { meanOf } from '../judge/mean-error.ts';
import { createGrid } from '../search/grid.ts';
import { countRungRuns } from '../search/halving.ts';
import { createSearch } from '../search/search.ts';
import type { Values } from '../search/space.ts';
import { computeStudyRungs, runHalving, runJobs, runTrials } from './run-trials.ts';
import { findBestTrial, type StudyData } from './study-result.ts';
import { StudyRuns } from './study-runs.ts';
import { parseObjectives, type StudySpec, toDimensions } from './study-spec.ts';
import { type StudySplits, splitTapes } from './study-splits.ts';
import { readStudyTapes, type StudyTape } from './study-tapes.ts';
import type { TrialJob, TrialOutcome, TrialWorkers } from './trial-pool.ts';
import type { ScoredTrial } from './trial-score.ts';

/** The configuration of a study and of its backtest. */
export interface StudyInput {
  readonly spec: StudySpec;
  /** Returns the backtest with these parameter values. @throws InputFault for values that it refuses */
  readonly backtest: (values: Values) => RunSpec;
  /** Base of relative paths in the backtest. */
  readonly baseDir: string;
  readonly file: string;
}

interface StudyOptions extends StudyInput, Pick<TrialJob, 'strategyFolders' | 'version'> {
  readonly openWorkers: () => TrialWorkers;
  /** Aborting keeps finished backtests and rejects with Fault ABORTED. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: StudyProgress) => void;
}

export interface StudyProgress {
  /** Number of finished backtests, out of about `total`. The first report precedes the first backtest. */
  readonly done: number;
  readonly total: number;
  /** Number of finished backtests, without those stored before this start; `failed` of them failed. */
  readonly ran: number;
  readonly failed: number;
  readonly best: ScoredTrial | undefined;
}

/**
 * Runs a study, or the rest of an interrupted study. The same spec, tapes and seed give the same result for any number
 * of workers and interruptions. Only one process at a time may run a study.
 * @throws FileFault for a tape or strategy that cannot be used, or the file of another study
 * @throws InputFault for invalid parameters or objectives, or a test that the tapes or the search do not allow
 * @throws Fault ABORTED when `signal` fires; INSTALL when no worker can start; STRATEGY when a worker ends between runs
 */
export async function runStudy(options: StudyOptions): Promise<StudyData> {
  const { spec, backtest, baseDir, file } = options;
  const base = backtest({});
  const objectives = parseObjectives(spec);
  const dimensions = toDimensions(spec);
  const search = await withStudyKeys(spec, () => createSearch(spec.search, dimensions, spec.seed));
  const { method } = spec.search;
  const trials =
    method === 'grid' ? Math.min(spec.trials, createGrid(dimensions, spec.search.points).size) : spec.trials;
  const tapes = readStudyTapes(base, baseDir, spec);
  const splits = splitTapes(tapes, spec);
  const { training, tests } = splits;
  const baselines = baselineSpecs(base);
  const progress = makeProgress(options, countRuns({ ...spec, trials }, splits, baselines.length));
  const firstValues = search.suggest(0, []);
  await withStudyKeys(spec, () => checkBacktest({ ...backtest(firstValues), report_dir: null }, options));
  const store = StudyStore.open(file);
  let pool: TrialWorkers | undefined;
  try {
    pool = options.openWorkers();
    assertSameStudy(store, await makeIdentity(spec, base, tapes, options));
    await pool.ready();
    progress.report();
    store.storeTapes(tapes.map(({ part, ...tape }) => tape));
    const runs = new StudyRuns(store);
    const runOptions = { ...options, ...progress, pool, store, runs, objectives };
    const scores =
      spec.search.method === 'halving'
        ? await runHalving(search, { trials, seed: spec.seed, halving: spec.search }, training, runOptions)
        : await runTrials(search, trials, training, runOptions);
    const study = { spec, dimensions, objectives, training, tests, scores, runs };
    const controls = makeControls(study, base);
    const makeJobs = (subjects: typeof controls, jobTapes: readonly StudyTape[]) =>
      subjects.flatMap(({ name, spec: runSpec }) =>
        jobTapes.map((tape) => ({ subject: name, spec: () => runSpec, tape })),
      );
    const testJobs = tests.flatMap(({ train, test }) => {
      const chosen = findBestTrial(study, train);
      if (chosen === undefined) return [];
      return makeJobs([{ name: `${chosen.number}`, spec: backtest(chosen.values) }, ...baselines], test);
    });
    await runJobs([...makeJobs(controls, training), ...testJobs], runOptions);
    return { ...study, controls: controls.map(({ name }) => name) };
  } finally {
    await pool?.close();
    store.close();
  }
}

/** Reads the results of a study so far. @throws FileFault for an unusable tape or study; InputFault as `runStudy` */
export function readStudy({ spec, backtest, baseDir, file }: StudyInput): StudyData {
  const base = backtest({});
  const objectives = parseObjectives(spec);
  const { training, tests } = splitTapes(readStudyTapes(base, baseDir, spec), spec);
  if (!existsSync(file))
    throw new FileFault(file, undefined, 'there is no such study', 'Run it with `npx halfspread optimize`');
  const store = StudyStore.open(file);
  try {
    const runs = new StudyRuns(store);
    const scores = runs.scores(training, objectives);
    const study = { spec, dimensions: toDimensions(spec), objectives, training, tests, scores, runs };
    return { ...study, controls: makeControls(study, base).map(({ name }) => name) };
  } finally {
    store.close();
  }
}

/**
 * Returns which inputs of a study differ from those that its stored results were computed with: `backtest`, `tapes` or
 * `parameters`. @throws FileFault as `readStudy`
 */
export function findChangedInputs({ spec, backtest, baseDir, file }: StudyInput): readonly string[] {
  const base = backtest({});
  const inputs = makeInputs(spec, base, readStudyTapes(base, baseDir, spec));
  const store = StudyStore.openReadOnly(file);
  try {
    return findDifferences(store, inputs).differing;
  } finally {
    store.close();
  }
}

/** Returns the baselines and, if the best trial has fills, random controls at its mean distance from the mid. */
function makeControls(study: Omit<StudyData, 'controls'>, base: RunSpec) {
  const { runs, training, spec } = study;
  const best = findBestTrial(study, training);
  const metrics = best === undefined ? undefined : runs.metrics(`${best.number}`, training);
  const distances = typeof metrics === 'object' ? metrics.flatMap(({ effectiveBps }) => effectiveBps ?? []) : [];
  const random = distances.length === 0 ? [] : randomSpecs(base, meanOf(distances), spec.random_controls);
  return [...baselineSpecs(base), ...random];
}

/** Returns the number of backtests of a study. The study runs fewer if the best trial has no fills. */
function countRuns(spec: StudySpec, { training, tests }: StudySplits, baselines: number): number {
  const { search, trials, random_controls } = spec;
  const tapes = training.length;
  const trialRuns =
    search.method === 'halving' ? countRungRuns(computeStudyRungs(trials, search, tapes)) : trials * tapes;
  const testRuns = tests.reduce((sum, { test }) => sum + test.length * (1 + baselines), 0);
  return trialRuns + (baselines + random_controls) * tapes + testRuns;
}

function makeProgress({ onProgress }: StudyOptions, total: number) {
  const counts = { done: 0, ran: 0, failed: 0 };
  let best: ScoredTrial | undefined;
  /** In halving, a trial on more tapes replaces a trial on fewer. */
  let maxTapes = 0;
  const report = (): void => onProgress?.({ ...counts, total: Math.max(counts.done, total), best });
  return {
    report,
    onRun: (outcome: TrialOutcome | undefined): void => {
      counts.done += 1;
      if (outcome !== undefined) counts.ran += 1;
      if (outcome !== undefined && 'problem' in outcome) counts.failed += 1;
      report();
    },
    onScore: (score: ScoredTrial, tapes: number): void => {
      const isBetter = best === undefined || (score.objectives[0] ?? 0) > (best.objectives[0] ?? 0);
      if (score.problem !== undefined || !(tapes > maxTapes || isBetter)) return;
      maxTapes = tapes;
      best = score;
    },
  };
}

/** Runs `work` and changes the field of its InputFaults to a key of the study: `parameters.<name>` or `backtest`. */
async function withStudyKeys<T>({ parameters, backtest }: StudySpec, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof InputFault) || cause.field === 'parameters') throw cause;
    const { field, received, expected, message } = cause;
    if (Object.keys(parameters).some((name) => field === name || field.startsWith(`${name}.`)))
      throw new InputFault(`parameters.${field}`, received, expected, { cause });
    throw new InputFault('backtest', backtest, `a backtest that takes these parameters (${message})`, { cause });
  }
}

const VERSION = 'version of halfspread';

/** Returns the named parts that must be equal for a study to continue, as text or JSON. */
async function makeIdentity(
  spec: StudySpec,
  base: RunSpec,
  tapes: readonly StudyTape[],
  { baseDir, strategyFolders, version }: StudyOptions,
): Promise<Readonly<Record<string, string>>> {
  const strategies = await loadStrategies(base, { folders: strategyFolders, baseDir });
  const { objectives, search, seed, together, test } = spec;
  return {
    [VERSION]: version,
    'source of the strategy': strategies.map(({ loaded }) => loaded.sha256).join(' '),
    ...makeInputs(spec, base, tapes),
    objectives: JSON.stringify(objectives),
    search: JSON.stringify({ search, seed, together }),
    test: JSON.stringify(test ?? null),
  };
}

/** Returns the parts of the identity that every stored result depends on and that need no strategy. */
function makeInputs({ parameters }: StudySpec, base: RunSpec, tapes: readonly StudyTape[]) {
  const { tapes: _names, report_dir: _report, ...backtest } = base;
  return {
    tapes: tapes.map(({ id }) => id).join('\n'),
    backtest: JSON.stringify(backtest),
    parameters: JSON.stringify(parameters),
  };
}

/** Checks that a file contains this study, or is new. @throws FileFault that names the differences */
function assertSameStudy(store: StudyStore, identity: Readonly<Record<string, string>>): void {
  if (store.identity() === undefined) {
    store.storeIdentity(identity);
    return;
  }
  const { storedParts, differing } = findDifferences(store, identity);
  if (differing.length === 0) return;
  const versions = `${VERSION} (${storedParts[VERSION]} there, ${identity[VERSION]} here)`;
  const differences = differing.map((name) => (name === VERSION && name in storedParts ? versions : name)).join(', ');
  const remedy = 'Restore these to continue it, start again with --new, or name another `file`';
  throw new FileFault(store.file, undefined, `it contains a study that differs in ${differences}`, remedy);
}

/** Returns the stored parts of a study's identity, and the names of the given parts that differ from them. */
function findDifferences(store: StudyStore, parts: Readonly<Record<string, string>>) {
  const { data: storedParts = {} } = z.record(z.string(), z.string()).safeParse(store.identity());
  return { storedParts, differing: Object.keys(parts).filter((name) => storedParts[name] !== parts[name]) };
}
