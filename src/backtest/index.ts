export { type Card, renderLiveReport } from './report/live-page.ts';
export { renderReport } from './report/page.ts';
export { returnOnUse } from './return-on-use.ts';
export { checkBacktest, runBacktest, runForResult } from './run-backtest.ts';
export type { RunDetail } from './run-detail.ts';
export type { BacktestOptions, BacktestRun, Machine, Progress, RunResult } from './run-result.ts';
export { parseRunSpec, type RunSpec, runSpecSchema } from './run-spec.ts';
