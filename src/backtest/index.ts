export type { RunDetail } from './run-detail.ts';
export type {
  BacktestOptions,
  BacktestRun,
  Machine,
  Progress,
  RunBacktest,
  RunResult,
} from './run-result.ts';
export { parseRunSpec, type RunSpec, runSpecSchema } from './run-spec.ts';
