import { DAY_MS } from '../../domain/index.ts';
import { type MarketPnl, meanError } from '../judge/mean-error.ts';
import type { FinishedTrial } from '../search/pareto.ts';
import type { Values } from '../search/space.ts';
import { objectiveMetrics, type RunMetrics } from './run-metrics.ts';
import type { Objective } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';

/** A trial with its objectives, or its problem. */
export interface ScoredTrial extends FinishedTrial {
  /** Standard error of the mean P&L of a market, USD. */
  readonly error: number;
  /** Why the trial failed; undefined if all its backtests succeeded. */
  readonly problem: string | undefined;
}

/** @param runs in the order of `tapes`, or the problem of a failed run */
export function scoreTrial(
  number: number,
  values: Values,
  runs: readonly RunMetrics[] | string,
  tapes: readonly StudyTape[],
  objectives: readonly Objective[],
): ScoredTrial {
  const failed = (problem: string): ScoredTrial => ({
    number,
    values,
    objectives: objectives.map(() => Number.NEGATIVE_INFINITY),
    error: 0,
    problem,
  });
  if (typeof runs === 'string') return failed(runs);
  const error = meanError(computeMarketPnls(tapes, runs));
  const metrics: Readonly<Record<string, number>> = objectiveMetrics(runs, error);
  const scores = objectives.map(({ formula, direction }) => {
    const value = formula((name) => metrics[name] ?? Number.NaN);
    return direction === 'maximise' ? value : -value;
  });
  const invalid = scores.findIndex((score) => !Number.isFinite(score));
  if (invalid >= 0) {
    const cause = 'a division by 0, or a root of a negative number. Guard it, as in pnl / max(drawdown, 1)';
    return failed(`the objective "${objectives[invalid]?.text}" is not a number: ${cause}`);
  }
  return { number, values, objectives: scores, error, problem: undefined };
}

const MICROS_PER_UNIT = 1_000_000;

/** Returns a trial's P&L by market, sorted by the tapes' ends. @param runs in the order of `tapes` */
export function computeMarketPnls(tapes: readonly StudyTape[], runs: readonly RunMetrics[]): readonly MarketPnl[] {
  return tapes
    .flatMap(({ markets }, index) =>
      markets.map(({ slug, event, end }) => ({
        event,
        end,
        pnl: (runs[index]?.markets.find((market) => market.slug === slug)?.pnl ?? 0) / MICROS_PER_UNIT,
      })),
    )
    .toSorted((a, b) => a.end - b.end)
    .map(({ end, ...market }) => ({ ...market, day: Math.floor(end / DAY_MS) }));
}
