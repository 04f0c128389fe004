/** The result of a study, which `optimize --json` prints and its report shows. */
import { epochMs, formatTime } from '../../domain/index.ts';
import { type MarketPnl, meanOf } from '../judge/mean-error.ts';
import { type Importance, parameterImportance } from '../search/importance.ts';
import { paretoFront } from '../search/pareto.ts';
import { type Dimension, fractionOfRange, type Values } from '../search/space.ts';
import type { StudyRuns } from './study-runs.ts';
import type { Objective, StudySpec } from './study-spec.ts';
import type { TestSplit } from './study-splits.ts';
import type { StudyTape } from './study-tapes.ts';
import { computeMarketPnls, type ScoredTrial, scoreTrial } from './trial-score.ts';
import {
  computeDifference,
  computeOutOfSample,
  computeSignificance,
  listWarnings,
  type MeanPnl,
  meanPnl,
  type OutOfSample,
  type Significance,
} from './verdict.ts';

interface TrialResult {
  readonly number: number;
  readonly params: Values;
  /** By the text of the objective, with the sign of the configuration. */
  readonly values: Readonly<Record<string, number>>;
}

interface ControlResult extends MeanPnl {
  /** P&L on the markets of all tests; null without tests. */
  readonly test: MeanPnl | null;
}

interface TestResult {
  /** ISO 8601. */
  readonly from: string;
  /** Number of the best trial on the markets before the test. */
  readonly trial: number;
  /** P&L on the markets before and in the test. */
  readonly before: MeanPnl;
  readonly test: MeanPnl;
}

export interface StudyResult extends Significance {
  readonly trials: { readonly done: number; readonly failed: number };
  /** The trial with the best first objective; null when every trial failed. */
  readonly best: TrialResult | null;
  /** Trial nearest to the median parameters of the best tenth; depends less on luck than `best`. Null if all failed. */
  readonly middle: TrialResult | null;
  /** The ten trials with the best first objective. */
  readonly top: readonly TrialResult[];
  /** Trials that no other trial dominates. With one objective, the best trials. */
  readonly front: readonly TrialResult[];
  readonly importance: readonly Importance[];
  /** Counts of failed trials by problem, the most frequent first. */
  readonly problems: Readonly<Record<string, number>>;
  readonly tests: readonly TestResult[];
  /** Result over the markets of all tests; null without tests. */
  readonly outOfSample: OutOfSample | null;
  readonly controls: readonly ControlResult[];
  /** Runs at random distances; null without runs. `p` = (1 + runs at least as good as `best`) / (1 + runs). */
  readonly random: { readonly runs: number; readonly pnl: number; readonly p: number } | null;
  readonly warnings: readonly string[];
}

/** Configuration, tapes and stored backtests of a finished or unfinished study. */
export interface StudyData {
  readonly spec: StudySpec;
  readonly dimensions: readonly Dimension[];
  readonly objectives: readonly Objective[];
  readonly training: readonly StudyTape[];
  readonly tests: readonly TestSplit[];
  /** Scores of the trials that ran on all training tapes. */
  readonly scores: readonly ScoredTrial[];
  readonly runs: StudyRuns;
  readonly controls: readonly string[];
}

/** Returns the first trial with the best first objective on these tapes. */
export function findBestTrial(
  { scores, runs, objectives }: Pick<StudyData, 'scores' | 'runs' | 'objectives'>,
  tapes: readonly StudyTape[],
): ScoredTrial | undefined {
  return findBest(
    scores.map(({ number, values }) =>
      scoreTrial(number, values, runs.metrics(`${number}`, tapes) ?? 'it has not run', tapes, objectives),
    ),
  );
}

function findBest(scores: readonly ScoredTrial[]): ScoredTrial | undefined {
  const done = scores.filter(({ problem }) => problem === undefined);
  return done.reduce<ScoredTrial | undefined>(
    (best, score) => (best === undefined || (score.objectives[0] ?? 0) > (best.objectives[0] ?? 0) ? score : best),
    undefined,
  );
}

export function computeStudyResult(study: StudyData): StudyResult {
  const { dimensions, objectives, training, tests, scores, runs } = study;
  const done = scores.filter(({ problem }) => problem === undefined);
  const best = findBest(done);
  const toTrialResult = ({ number, values, objectives: found }: ScoredTrial): TrialResult => ({
    number,
    params: values,
    values: Object.fromEntries(
      objectives.map(({ text, direction }, index) => [text, (direction === 'maximise' ? 1 : -1) * (found[index] ?? 0)]),
    ),
  });
  const ranked = done.toSorted((a, b) => (b.objectives[0] ?? 0) - (a.objectives[0] ?? 0) || a.number - b.number);
  const middle = findMiddleTrial(dimensions, ranked);
  const testRuns = tests.flatMap((split) => evaluateTest(study, split) ?? []);
  const testPnls = testRuns.flatMap(({ after }) => after);
  const outOfSample = testPnls.length === 0 ? null : computeOutOfSample(testPnls);
  const pnls = done.map(({ number }) => computePnls(`${number}`, training, runs) ?? []);
  const bestIndex = best === undefined ? -1 : done.indexOf(best);
  const bestPnls = pnls[bestIndex] ?? [];
  const significance = computeSignificance(pnls, bestIndex);
  const controls = study.controls.flatMap((name) => {
    const inTraining = computePnls(name, training, runs);
    const inTests = testRuns.flatMap(({ tapes }) => computePnls(name, tapes, runs) ?? []);
    return inTraining === undefined ? [] : [{ name, inTraining, inTests }];
  });
  const baselines = controls.filter(({ name }) => !name.startsWith(RANDOM_PREFIX));
  const randomPnls = controls.flatMap(({ name, inTraining }) => (name.startsWith(RANDOM_PREFIX) ? [inTraining] : []));
  const random = compareRandomRuns(bestPnls, randomPnls);
  const trials = { done: done.length, failed: scores.length - done.length };
  const warnings = listWarnings({
    ...significance,
    ...trials,
    events: new Set(training.flatMap(({ markets }) => markets.map(({ event }) => event))).size,
    best: best?.values ?? {},
    dimensions,
    random,
    tests: testRuns.map(({ result: { before, test } }) => ({ before: before.pnl, test: test.pnl })),
    outOfSample,
    differences:
      best === undefined ? [] : baselines.map(({ name, inTraining }) => computeDifference(name, bestPnls, inTraining)),
    testDifferences: baselines.flatMap(({ name, inTests }) =>
      inTests.length === 0 ? [] : computeDifference(name, testPnls, inTests),
    ),
  });
  return {
    trials,
    best: best === undefined ? null : toTrialResult(best),
    middle: middle === undefined ? null : toTrialResult(middle),
    top: ranked.slice(0, 10).map(toTrialResult),
    front: paretoFront(done).map(toTrialResult),
    importance: parameterImportance(dimensions, done),
    problems: Object.fromEntries(countValues(scores.flatMap(({ problem }) => problem ?? []))),
    ...significance,
    tests: testRuns.map(({ result }) => result),
    outOfSample,
    controls: baselines.map(({ name, inTraining, inTests }) => ({
      ...meanPnl(name, inTraining),
      test: inTests.length === 0 ? null : meanPnl(name, inTests),
    })),
    random,
    warnings,
  };
}

function evaluateTest(study: StudyData, { from, train, test }: TestSplit) {
  const chosen = findBestTrial(study, train);
  if (chosen === undefined) return undefined;
  const subject = `${chosen.number}`;
  const [before, after] = [computePnls(subject, train, study.runs), computePnls(subject, test, study.runs)];
  if (before === undefined || after === undefined) return undefined;
  const means = { before: meanPnl('before', before), test: meanPnl('test', after) };
  return { result: { from: formatTime(epochMs(from)), trial: chosen.number, ...means }, after, tapes: test };
}

const RANDOM_PREFIX = 'random ';

function compareRandomRuns(
  bestPnls: readonly MarketPnl[],
  runs: readonly (readonly MarketPnl[])[],
): StudyResult['random'] {
  if (runs.length === 0 || bestPnls.length === 0) return null;
  const mean = (markets: readonly MarketPnl[]): number => meanOf(markets.map(({ pnl }) => pnl));
  const betterOrEqual = runs.filter((run) => mean(run) >= mean(bestPnls)).length;
  return { runs: runs.length, pnl: meanOf(runs.map(mean)), p: (1 + betterOrEqual) / (1 + runs.length) };
}

/** Returns the P&L by market; undefined if a backtest failed or has not run. */
function computePnls(subject: string, tapes: readonly StudyTape[], runs: StudyRuns): readonly MarketPnl[] | undefined {
  const found = runs.metrics(subject, tapes);
  return found === undefined || typeof found === 'string' ? undefined : computeMarketPnls(tapes, found);
}

/** Counts the values, the most frequent first, then in order of appearance. */
function countValues<T>(values: readonly T[]): readonly (readonly [value: T, count: number])[] {
  const groups = [...Map.groupBy(values, (value) => value)];
  return groups.map(([value, { length }]) => [value, length] as const).toSorted(([, a], [, b]) => b - a);
}

/**
 * Returns the trial nearest to the median parameters of the best tenth of trials. Distances are shares of the range,
 * logarithmic for `log` parameters. A choice other than the most frequent one has distance 1.
 * @param ranked best trial first
 */
function findMiddleTrial(dimensions: readonly Dimension[], ranked: readonly ScoredTrial[]): ScoredTrial | undefined {
  const best = ranked.slice(0, Math.max(1, Math.ceil(ranked.length / 10)));
  const distances = best.map(() => 0);
  for (const dimension of dimensions) {
    const positions = best.map(({ values: { [dimension.name]: value } }) =>
      dimension.kind === 'choice' || typeof value !== 'number' ? value : fractionOfRange(dimension, value),
    );
    const numbers = positions.filter((position) => typeof position === 'number');
    const middle = dimension.kind === 'choice' ? countValues(positions)[0]?.[0] : median(numbers);
    for (const [index, position] of positions.entries()) {
      const isCategorical = typeof position !== 'number' || typeof middle !== 'number';
      const distance = isCategorical ? Number(position !== middle) : position - middle;
      distances[index] = (distances[index] ?? 0) + distance * distance;
    }
  }
  const smallest = Math.min(...distances);
  return best[distances.indexOf(smallest)];
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [below, above] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return below === undefined || above === undefined ? undefined : (below + above) / 2;
}
