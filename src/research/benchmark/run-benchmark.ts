/** Runs all strategies on the same markets under two queue models, and summarises them as one table. */
import type { RunSpec } from '../../backtest/index.ts';
import { meanError, meanOf, PASSING_ERRORS } from '../judge/mean-error.ts';
import type { RunMetrics } from '../study/run-metrics.ts';
import { forEachConcurrently, type TrialOutcome, type TrialPool } from '../study/trial-pool.ts';

export interface BenchmarkRegime {
  readonly name: string;
  readonly tapes: readonly string[];
}

export interface BenchmarkStrategy {
  readonly name: string;
  readonly spec: (tape: string, queue: RunSpec['queue']) => RunSpec;
  /** Base of relative paths in the spec. */
  readonly baseDir: string;
}

/** Results of a strategy in a regime under one queue model: means over markets, in USD and shares. */
export interface BenchmarkCell {
  readonly pnl: number;
  /** Standard error of `pnl`; 0 for a single market. */
  readonly error: number;
  /** Earnings of maker fills against the mid 30 s later, with fees and rewards. */
  readonly afterMarkout: number;
  readonly fills: number;
  readonly drawdown: number;
  /** Largest |YES - NO| of any market. */
  readonly inventory: number;
  /** Mean share of the time with quotes on both sides, 0..1; null if no market had a two-sided book. */
  readonly twoSided: number | null;
}

export type BenchmarkVerdict = 'lost' | 'earned' | 'nothing' | 'no result';

export interface BenchmarkRow {
  readonly regime: string;
  readonly strategy: string;
  readonly markets: number;
  /** Results by queue model; null if a backtest failed. */
  readonly cells: Readonly<Record<QueueName, BenchmarkCell>> | null;
  readonly problem: string | null;
  /** `earned` or `lost`: P&L is 1.645 standard errors above or below 0 under both queue models. `nothing`: no fills. */
  readonly verdict: BenchmarkVerdict;
}

const QUEUES = {
  'risk-averse': { model: 'risk-averse' },
  power: { model: 'power', n: 2, variant: 'split' },
} as const satisfies Readonly<Record<string, RunSpec['queue']>>;
type QueueName = keyof typeof QUEUES;
const QUEUE_NAMES: readonly QueueName[] = ['risk-averse', 'power'];

const MICROS_PER_UNIT = 1_000_000;

export interface BenchmarkOptions {
  readonly regimes: readonly BenchmarkRegime[];
  readonly strategies: readonly BenchmarkStrategy[];
  readonly strategyFolders: readonly string[];
  readonly version: string;
  readonly pool: TrialPool;
  readonly signal: AbortSignal;
  readonly onRun: (done: number, total: number) => void;
}

/** Returns rows by regime, then by strategy. @throws Fault ABORTED when `signal` fires */
export async function runBenchmark(options: BenchmarkOptions): Promise<readonly BenchmarkRow[]> {
  const { regimes, strategies, strategyFolders, version, pool, signal, onRun } = options;
  const jobs = regimes.flatMap((regime) =>
    strategies.flatMap((strategy) =>
      QUEUE_NAMES.flatMap((queue) => regime.tapes.map((tape) => ({ regime, strategy, queue, tape }))),
    ),
  );
  const outcomes = new Map<string, TrialOutcome>();
  await forEachConcurrently(jobs, pool, async ({ strategy, queue, tape }) => {
    const spec = { ...strategy.spec(tape, QUEUES[queue]), report_dir: null };
    const job = { spec, baseDir: strategy.baseDir, strategyFolders, version, detailed: true };
    const outcome = await pool.run(job, signal);
    outcomes.set(toKey(strategy.name, queue, tape), outcome);
    onRun(outcomes.size, jobs.length);
  });
  return regimes.flatMap((regime) => strategies.map(({ name }) => makeRow(regime, name, outcomes)));
}

function toKey(strategy: string, queue: string, tape: string): string {
  return `${strategy}\n${queue}\n${tape}`;
}

function makeRow(
  { name: regime, tapes }: BenchmarkRegime,
  strategy: string,
  outcomes: ReadonlyMap<string, TrialOutcome>,
): BenchmarkRow {
  const getOutcomes = (queue: QueueName) => tapes.flatMap((tape) => outcomes.get(toKey(strategy, queue, tape)) ?? []);
  const found = QUEUE_NAMES.flatMap(getOutcomes);
  const failed = found.find((outcome) => 'problem' in outcome);
  const row = { regime, strategy, markets: tapes.length };
  if (failed !== undefined) return { ...row, cells: null, problem: failed.problem, verdict: 'no result' };
  const getMetrics = (queue: QueueName) =>
    getOutcomes(queue).flatMap((outcome) => ('figures' in outcome ? [outcome.figures] : []));
  const cells = { 'risk-averse': makeCell(getMetrics('risk-averse')), power: makeCell(getMetrics('power')) };
  return { ...row, cells, problem: null, verdict: decideVerdict([cells['risk-averse'], cells.power]) };
}

function makeCell(runs: readonly RunMetrics[]): BenchmarkCell {
  const mean = (metric: (run: RunMetrics) => number): number => meanOf(runs.map(metric)) / MICROS_PER_UNIT;
  const pnls = runs.map(({ pnl }, index) => ({ event: `${index}`, day: index, pnl: pnl / MICROS_PER_UNIT }));
  const uptimes = runs.flatMap(({ twoSided }) => twoSided ?? []);
  return {
    pnl: mean(({ pnl }) => pnl),
    error: meanError(pnls),
    afterMarkout: mean(({ pnlAfterMarkout }) => pnlAfterMarkout),
    fills: meanOf(runs.map(({ fills }) => fills)),
    drawdown: mean(({ maxDrawdown }) => maxDrawdown),
    inventory: runs.reduce((max, { maxInventory }) => Math.max(max, maxInventory), 0) / MICROS_PER_UNIT,
    twoSided: uptimes.length === 0 ? null : meanOf(uptimes),
  };
}

/** Returns the verdict over all queue models. A single market gives `no result`, unless nothing was traded. */
export function decideVerdict(cells: readonly BenchmarkCell[]): BenchmarkVerdict {
  if (cells.every(({ fills }) => fills === 0)) return 'nothing';
  if (cells.some(({ error }) => error === 0)) return 'no result';
  if (cells.every(({ pnl, error }) => pnl > PASSING_ERRORS * error)) return 'earned';
  return cells.every(({ pnl, error }) => pnl < -PASSING_ERRORS * error) ? 'lost' : 'no result';
}
