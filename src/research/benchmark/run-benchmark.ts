/** All strategies on the same markets under two queue models: one table of all results. */
import type { RunSpec } from '../../backtest/index.ts';
import { type MarketPnl, meanError, meanOf } from '../judge/mean-error.ts';
import type { RunFigures } from '../study/figures.ts';
import { forEachOf, type TrialOutcome, type TrialPool } from '../study/trial-pool.ts';

/** Markets of one kind. */
export interface BenchmarkRegime {
  readonly name: string;
  /** Paths of tapes. */
  readonly tapes: readonly string[];
}

export interface BenchmarkStrategy {
  readonly name: string;
  /** On one tape under one queue model. */
  readonly spec: (tape: string, queue: RunSpec['queue']) => RunSpec;
  /** Paths in its spec are relative to this folder. */
  readonly baseDir: string;
}

/** A strategy in a regime under one queue model. Money is USD, sizes are shares; means over markets. */
export interface BenchmarkCell {
  readonly pnl: number;
  /** Standard error of `pnl`; 0 for a single market. */
  readonly error: number;
  /** What maker fills earned against the mid 30 s later, with fees and rewards. */
  readonly afterMarkout: number;
  readonly fills: number;
  readonly drawdown: number;
  /** Largest |YES - NO| of any market. */
  readonly inventory: number;
  /** Mean share of the time with quotes on both sides, 0..1; null where no market had a two-sided book. */
  readonly twoSided: number | null;
}

export type BenchmarkVerdict = 'lost' | 'earned' | 'nothing' | 'no result';

export interface BenchmarkRow {
  readonly regime: string;
  readonly strategy: string;
  readonly markets: number;
  /** By queue model; null where a backtest failed. */
  readonly cells: Readonly<Record<QueueName, BenchmarkCell>> | null;
  /** Why a backtest failed. */
  readonly problem: string | null;
  /** Of the worse queue model; `no result` where both differ in sign, or within 1.645 standard errors of 0. */
  readonly verdict: BenchmarkVerdict;
}

const QUEUES = {
  'risk-averse': { model: 'risk-averse' },
  power: { model: 'power', n: 2, variant: 'split' },
} as const satisfies Readonly<Record<string, RunSpec['queue']>>;
type QueueName = keyof typeof QUEUES;
const QUEUE_NAMES: readonly QueueName[] = ['risk-averse', 'power'];

const MICROS = 1_000_000;
/** Of a normal distribution, one-sided 5 %. */
const ERRORS = 1.645;

export interface BenchmarkOptions {
  readonly regimes: readonly BenchmarkRegime[];
  readonly strategies: readonly BenchmarkStrategy[];
  readonly strategyFolders: readonly string[];
  readonly version: string;
  readonly pool: TrialPool;
  readonly signal: AbortSignal;
  readonly onRun: (done: number, total: number) => void;
}

/** Rows by regime, then by strategy. @throws Fault ABORTED when `signal` fires */
export async function runBenchmark(options: BenchmarkOptions): Promise<readonly BenchmarkRow[]> {
  const { regimes, strategies, strategyFolders, version, pool, signal, onRun } = options;
  const jobs = regimes.flatMap((regime) =>
    strategies.flatMap((strategy) =>
      QUEUE_NAMES.flatMap((queue) => regime.tapes.map((tape) => ({ regime, strategy, queue, tape }))),
    ),
  );
  const outcomes = new Map<string, TrialOutcome>();
  await forEachOf(jobs, pool, async ({ strategy, queue, tape }) => {
    const spec = { ...strategy.spec(tape, QUEUES[queue]), report_dir: null };
    const outcome = await pool.run(
      { spec, baseDir: strategy.baseDir, strategyFolders, version, detailed: true },
      signal,
    );
    outcomes.set(keyOf(strategy.name, queue, tape), outcome);
    onRun(outcomes.size, jobs.length);
  });
  return regimes.flatMap((regime) => strategies.map(({ name }) => rowOf(regime, name, outcomes)));
}

function keyOf(strategy: string, queue: string, tape: string): string {
  return `${strategy}\n${queue}\n${tape}`;
}

function rowOf(
  { name: regime, tapes }: BenchmarkRegime,
  strategy: string,
  outcomes: ReadonlyMap<string, TrialOutcome>,
): BenchmarkRow {
  const of = (queue: QueueName) => tapes.flatMap((tape) => outcomes.get(keyOf(strategy, queue, tape)) ?? []);
  const found = QUEUE_NAMES.flatMap(of);
  const failed = found.find((outcome) => 'problem' in outcome);
  const row = { regime, strategy, markets: tapes.length };
  if (failed !== undefined && 'problem' in failed)
    return { ...row, cells: null, problem: failed.problem, verdict: 'no result' };
  const figures = (queue: QueueName) => of(queue).flatMap((outcome) => ('figures' in outcome ? [outcome.figures] : []));
  const cells = { 'risk-averse': cellOf(figures('risk-averse')), power: cellOf(figures('power')) };
  return { ...row, cells, problem: null, verdict: verdictOf([cells['risk-averse'], cells.power]) };
}

function cellOf(runs: readonly RunFigures[]): BenchmarkCell {
  const mean = (of: (run: RunFigures) => number): number => meanOf(runs.map(of)) / MICROS;
  const pnls = runs.flatMap(({ markets }, at): readonly MarketPnl[] =>
    markets.map(({ slug, pnl }) => ({ market: slug, event: `${at}`, day: at, pnl: pnl / MICROS })),
  );
  const uptimes = runs.flatMap(({ twoSided }) => twoSided ?? []);
  return {
    pnl: mean(({ pnl }) => pnl),
    error: meanError(pnls),
    afterMarkout: mean(({ pnlAfterMarkout }) => pnlAfterMarkout),
    fills: meanOf(runs.map(({ fills }) => fills)),
    drawdown: mean(({ maxDrawdown }) => maxDrawdown),
    inventory: runs.reduce((most, { maxInventory }) => Math.max(most, maxInventory), 0) / MICROS,
    twoSided: uptimes.length === 0 ? null : meanOf(uptimes),
  };
}

/** Of all queue models together: the worse one counts. A single market is no result unless nothing was traded. */
export function verdictOf(cells: readonly BenchmarkCell[]): BenchmarkVerdict {
  if (cells.every(({ fills }) => fills === 0)) return 'nothing';
  if (cells.some(({ error }) => error === 0)) return 'no result';
  if (cells.every(({ pnl, error }) => pnl > ERRORS * error)) return 'earned';
  return cells.every(({ pnl, error }) => pnl < -ERRORS * error) ? 'lost' : 'no result';
}
