export {
  type BenchmarkCell,
  type BenchmarkRegime,
  type BenchmarkRow,
  type BenchmarkStrategy,
  runBenchmark,
  verdictOf,
} from './benchmark/run-benchmark.ts';
export { normalCdf, normalQuantile } from './normal.ts';
export {
  byImportance,
  cellsOf,
  cellText,
  type DrawnTrial,
  drawnTrials,
  endText,
  heatMap,
  labelOf,
  positionOf,
} from './report/drawn-trials.ts';
export { figureText, outOfSampleText } from './report/figure-text.ts';
export { renderStudy } from './report/study-page.ts';
export { gridSize } from './search/grid.ts';
export {
  drawEvents,
  halvingCost,
  halvingRungs,
  promoted,
  type Rung,
  type RungResult,
} from './search/halving.ts';
export { parameterImportance } from './search/importance.ts';
export { dominationRanks, type Finished, paretoFront } from './search/pareto.ts';
export { createSearch, type Search, type SearchMethod } from './search/search.ts';
export type { Condition, Dimension, ParameterValue, Values } from './search/space.ts';
export { Pace } from './study/pace.ts';
export { readStudy, runStudy, type StudyInput, type StudyProgress } from './study/run-study.ts';
export { readStudyFile } from './study/study-file.ts';
export { type EndedStudy, type StudyResult, studyResult } from './study/study-result.ts';
export { parseStudy, type StudySpec, studySchema } from './study/study-spec.ts';
export { TrialPool, type TrialWorkers } from './study/trial-pool.ts';
export type { MeanPnl } from './study/verdict.ts';
