export {
  type BenchmarkCell,
  type BenchmarkRegime,
  type BenchmarkRow,
  type BenchmarkStrategy,
  runBenchmark,
} from './benchmark/run-benchmark.ts';
export {
  byImportance,
  cellsOf,
  cellText,
  endText,
  heatMap,
  labelOf,
  numberText,
  outOfSampleText,
  type PlottedTrial,
  plottedTrials,
} from './report/plotted-trials.ts';
export { renderStudy } from './report/study-page.ts';
export { type Dimension, positionOf } from './search/space.ts';
export { Pace } from './study/pace.ts';
export { readStudy, runStudy, type StudyInput, type StudyProgress } from './study/run-study.ts';
export { readStudyFile } from './study/study-file.ts';
export { type EndedStudy, type StudyResult, studyResult } from './study/study-result.ts';
export { parseStudy, type StudySpec, studySchema } from './study/study-spec.ts';
export { TrialPool, type TrialWorkers } from './study/trial-pool.ts';
export type { MeanPnl } from './study/verdict.ts';
