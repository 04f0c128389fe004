export { orderReasonsOf } from './order-reasons.ts';
export { type Card, renderLiveReport } from './report/live-page.ts';
export { renderReport } from './report/page.ts';
export { checkBacktest, runBacktest, runForResult } from './run-backtest.ts';
export {
  type BacktestOptions,
  type BacktestRun,
  type Machine,
  type Progress,
  type RunDetail,
  type RunResult,
  returnOnUse,
} from './run-result.ts';
export { parseRunSpec, type RunSpec, runSpecSchema } from './run-spec.ts';
