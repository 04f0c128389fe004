/** What a study found: the object that `optimize --json` prints, and what its report shows. */
import { epochMs, formatTime } from '../../domain/index.ts';
import { type Importance, parameterImportance } from '../search/importance.ts';
import { paretoFront } from '../search/pareto.ts';
import type { Dimension, Values } from '../search/space.ts';
import { marketPnls, meanError } from './market-pnl.ts';
import type { StudyRuns } from './study-runs.ts';
import type { Objective, StudySpec } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';
import type { TestSplit } from './study-test.ts';
import { type ScoredTrial, scoreOf } from './trial-score.ts';

/** A trial as it is shown: objectives in the direction in which they were written. */
export interface TrialResult {
  readonly number: number;
  readonly params: Values;
  /** By text of the objective. */
  readonly values: Readonly<Record<string, number>>;
}

/** The mean P&L of a market, USD, in a test or of a control. */
export interface MeanPnl {
  readonly name: string;
  readonly markets: number;
  readonly pnl: number;
  /** Standard error of `pnl`. */
  readonly error: number;
}

export interface TestResult {
  /** ISO 8601. */
  readonly from: string;
  /** Trial that was best before. */
  readonly trial: number;
  /** On the markets before. */
  readonly before: MeanPnl;
  /** On the markets of the test. */
  readonly test: MeanPnl;
}

export interface StudyResult {
  readonly trials: { readonly done: number; readonly failed: number };
  /** Null when every trial failed. With several objectives, that of the front with the best first one. */
  readonly best: TrialResult | null;
  /** The ten with the best first objective. */
  readonly top: readonly TrialResult[];
  /** Trials that no other trial beats in every objective; with one objective the best alone. */
  readonly front: readonly TrialResult[];
  /** For the first objective. */
  readonly importance: readonly Importance[];
  /** Problems of failed trials, the most frequent first. */
  readonly problems: Readonly<Record<string, number>>;
  /** Deflated Sharpe ratio of the best trial over markets, 0..1; null where it cannot be computed. */
  readonly dsr: number | null;
  /** Probability of backtest overfitting, 0..1; null where it cannot be computed. */
  readonly pbo: number | null;
  readonly tests: readonly TestResult[];
  readonly controls: readonly MeanPnl[];
  /** Sentences for people. */
  readonly warnings: readonly string[];
}

/** A study whose backtests have ended. */
export interface EndedStudy {
  readonly spec: StudySpec;
  readonly dimensions: readonly Dimension[];
  readonly objectives: readonly Objective[];
  readonly training: readonly StudyTape[];
  readonly tests: readonly TestSplit[];
  /** Of the trials that ran on all tapes of the training. */
  readonly scores: readonly ScoredTrial[];
  readonly runs: StudyRuns;
  /** Names. */
  readonly controls: readonly string[];
}

/** The trial with the best first objective on some of the tapes; on ties the lower number. */
export function bestTrial(
  scores: readonly ScoredTrial[],
  runs: StudyRuns,
  objectives: readonly Objective[],
  tapes: readonly StudyTape[],
): ScoredTrial | undefined {
  return bestOf(
    scores.map(({ number, values }) =>
      scoreOf(number, values, runs.of(`${number}`, tapes) ?? 'it has not run', tapes, objectives),
    ),
  );
}

function bestOf(scores: readonly ScoredTrial[]): ScoredTrial | undefined {
  const done = scores.filter(({ problem }) => problem === undefined);
  return done.reduce<ScoredTrial | undefined>(
    (best, score) => (best === undefined || (score.objectives[0] ?? 0) > (best.objectives[0] ?? 0) ? score : best),
    undefined,
  );
}

const MOST_SHOWN = 10;

export function studyResult(study: EndedStudy): StudyResult {
  const { dimensions, objectives, training, tests, scores, runs, controls } = study;
  const done = scores.filter(({ problem }) => problem === undefined);
  const best = bestOf(done);
  const shown = ({ number, values, objectives: found }: ScoredTrial): TrialResult => ({
    number,
    params: values,
    values: Object.fromEntries(
      objectives.map(({ text, direction }, at) => [text, (direction === 'maximise' ? 1 : -1) * (found[at] ?? 0)]),
    ),
  });
  const front = new Set(paretoFront(done).map(({ number }) => number));
  return {
    trials: { done: done.length, failed: scores.length - done.length },
    best: best === undefined ? null : shown(best),
    top: done
      .toSorted((a, b) => (b.objectives[0] ?? 0) - (a.objectives[0] ?? 0) || a.number - b.number)
      .slice(0, MOST_SHOWN)
      .map(shown),
    front: done.filter(({ number }) => front.has(number)).map(shown),
    importance: parameterImportance(dimensions, done),
    problems: problemsOf(scores),
    dsr: null,
    pbo: null,
    tests: tests.flatMap(({ from, train, test }) => {
      const chosen = bestTrial(scores, runs, objectives, train);
      if (chosen === undefined) return [];
      const subject = `${chosen.number}`;
      const [before, after] = [meanPnl('before', subject, train, runs), meanPnl('test', subject, test, runs)];
      if (before === undefined || after === undefined) return [];
      return [{ from: formatTime(epochMs(from)), trial: chosen.number, before, test: after }];
    }),
    controls: controls.flatMap((name) => meanPnl(name, name, training, runs) ?? []),
    warnings: [],
  };
}

/** Undefined where a backtest failed. */
function meanPnl(name: string, subject: string, tapes: readonly StudyTape[], runs: StudyRuns): MeanPnl | undefined {
  const found = runs.of(subject, tapes);
  if (found === undefined || typeof found === 'string') return undefined;
  const pnls = marketPnls(tapes, found);
  const pnl = pnls.reduce((sum, market) => sum + market.pnl, 0) / pnls.length;
  return { name, markets: pnls.length, pnl, error: meanError(tapes, found) };
}

function problemsOf(scores: readonly ScoredTrial[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { problem } of scores) if (problem !== undefined) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}
