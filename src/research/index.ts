export {
  type BenchmarkCell,
  type BenchmarkRegime,
  type BenchmarkRow,
  type BenchmarkStrategy,
  runBenchmark,
} from './benchmark/run-benchmark.ts';
export {
  cellIndexes,
  computeHeatMap,
  formatCell,
  formatNumber,
  formatOutOfSample,
  formatRangeEnd,
  type PlottedTrial,
  parameterLabel,
  sortByImportance,
  toPlottedTrials,
} from './report/plotted-trials.ts';
export { renderStudy } from './report/study-page.ts';
export { type Dimension, fractionOfRange } from './search/space.ts';
export { CompletionRate } from './study/completion-rate.ts';
export { findChangedInputs, readStudy, runStudy, type StudyInput, type StudyProgress } from './study/run-study.ts';
export { readStudyFile } from './study/study-file.ts';
export { computeStudyResult, type StudyData, type StudyResult } from './study/study-result.ts';
export { parseStudy, type StudySpec, studySchema } from './study/study-spec.ts';
export { TrialPool, type TrialWorkers } from './study/trial-pool.ts';
export type { MeanPnl } from './study/verdict.ts';
