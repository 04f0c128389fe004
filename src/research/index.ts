export { normalCdf, normalQuantile } from './normal.ts';
export { gridSize } from './search/grid.ts';
export {
  drawEvents,
  type HalvingCost,
  type HalvingOptions,
  halvingCost,
  halvingRungs,
  promoted,
  promotedAtOnce,
  type Rung,
  type RungResult,
} from './search/halving.ts';
export { type Importance, parameterImportance } from './search/importance.ts';
export { dominationRanks, type Finished, paretoFront } from './search/pareto.ts';
export { createSearch, type Search, type SearchMethod } from './search/search.ts';
export type { Condition, Dimension, ParameterValue, Values } from './search/space.ts';
export { readStudy, runStudy, type StudyInput, type StudyOptions, type StudyProgress } from './study/run-study.ts';
export {
  type EndedStudy,
  type MeanPnl,
  type StudyResult,
  studyResult,
  type TestResult,
  type TrialResult,
} from './study/study-result.ts';
export { parseStudy, type StudySpec, studySchema } from './study/study-spec.ts';
