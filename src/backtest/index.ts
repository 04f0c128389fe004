export { type Attribution, attributeDifference, type SessionOutcome } from './compare/attribution.ts';
export { baselineSpecs, randomSpecs } from './compare/baselines.ts';
export {
  type Calibration,
  type CalibrationSession,
  calibrate,
  type LatencyPercentiles,
  testCalibration,
} from './compare/calibration.ts';
export {
  type ComparedMetrics,
  type ComparedRun,
  type Comparison,
  compareRuns,
  type RunDifference,
} from './compare/compare-runs.ts';
export { readResult } from './compare/read-result.ts';
export { runSensitivity, type SensitivityCell } from './compare/sensitivity.ts';
export { configurationFacts } from './facts.ts';
export { readLatency } from './latency-files.ts';
export { findRunTapes, withLocalTapes } from './open-tapes.ts';
export { type Card, renderDemoReport } from './report/demo-page.ts';
export { writeReport } from './report/write-report.ts';
export { checkBacktest, runBacktest, runForResult } from './run-backtest.ts';
export type { BacktestOptions, Machine, Progress, RemoteAccess } from './run-options.ts';
export {
  type BacktestRun,
  markNote,
  type RunDetail,
  type RunResult,
  returnOnUse,
  splitOrderReasons,
} from './run-result.ts';
export { parseRunSpec, parseUptimeConditions, type RunSpec, runSpecSchema } from './run-spec.ts';
export { type MeasuredSession, sessionResults } from './session/session-run.ts';
export { toTables, writeTables } from './tables/write-tables.ts';
