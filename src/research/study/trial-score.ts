import { meanError } from '../judge/mean-error.ts';
import type { Finished } from '../search/pareto.ts';
import type { Values } from '../search/space.ts';
import { objectiveFigures, type RunFigures } from './figures.ts';
import { marketPnls } from './market-pnl.ts';
import type { Objective } from './study-spec.ts';
import type { StudyTape } from './study-tapes.ts';

/** A trial with its objectives, or its problem. */
export interface ScoredTrial extends Finished {
  /** Standard error of the mean P&L of a market, USD. */
  readonly error: number;
  /** Why the trial failed; undefined if all its backtests succeeded. */
  readonly problem: string | undefined;
}

/** @param runs in the order of `tapes`, or the problem of a failed run */
export function scoreOf(
  number: number,
  values: Values,
  runs: readonly RunFigures[] | string,
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
  const error = meanError(marketPnls(tapes, runs));
  const figures: Readonly<Record<string, number>> = objectiveFigures(runs, error);
  const scores = objectives.map(({ formula, direction }) => {
    const value = formula((name) => figures[name] ?? Number.NaN);
    return direction === 'maximise' ? value : -value;
  });
  const wrong = scores.findIndex((score) => !Number.isFinite(score));
  if (wrong >= 0) {
    const cause = 'a division by 0, or a root of a negative number. Guard it, as in pnl / max(drawdown, 1)';
    return failed(`the objective "${objectives[wrong]?.text}" is not a number: ${cause}`);
  }
  return { number, values, objectives: scores, error, problem: undefined };
}
