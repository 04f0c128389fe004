export { type BetfairCounts, roundingLoss } from './betfair/counts.ts';
export { type BetfairTape, importBetfair } from './betfair/import.ts';
export { classicOdds, oddsGrid } from './betfair/odds.ts';
export { CaptureWriter } from './captures/capture-writer.ts';
export { restoreFromCsv } from './catalogue/csv-tape.ts';
export { cutTape } from './catalogue/cut-tape.ts';
export { exportCsv } from './catalogue/export-csv.ts';
export { type FoundTape, findTapes } from './catalogue/find-tapes.ts';
export { joinTapes } from './catalogue/join-tapes.ts';
export { MarketFilter } from './catalogue/market-filter.ts';
export { exportParquet } from './catalogue/parquet-file.ts';
export { restoreFromParquet } from './catalogue/parquet-tape.ts';
export { PartialFile } from './catalogue/partial-file.ts';
export { queryTapes } from './catalogue/query-tapes.ts';
export { isTapeFolder, openTapeFolder, type TapeFolder } from './catalogue/tape-folder.ts';
export { AheadDecoder } from './decode-ahead.ts';
export { ImportCounts } from './import/counts.ts';
export { type FileImport, type ImportFormat, importFiles } from './import/import-files.ts';
export type { ImportedTape } from './import/import-tapes.ts';
export { mappingSchema } from './import/mapping.ts';
export type { MarketImport } from './import/market-import.ts';
export type { ImportStatus, MarketRules } from './import/market-rows.ts';
export { type Proposal, sniff } from './import/sniff.ts';
export { TapeImport, type TapeImportOptions } from './import/tape-import.ts';
export { importKalshi } from './kalshi/import.ts';
export { readLatencyFile } from './latency-file.ts';
export { importPolymarket } from './polymarket/import.ts';
export type { MarketQuality } from './quality/market-quality.ts';
export { MarketReplay } from './quality/market-replay.ts';
export { FLOW_HORIZONS_MS, TakerFlow } from './quality/taker-flow.ts';
export { checkTape, type TapeQuality } from './quality/tape-quality.ts';
export { FrameLog } from './recording/frame-log.ts';
export { openRecordedRows, type RecordedRows } from './recording/open-recording.ts';
export { chainedFeed, partsOf } from './recording/parts.ts';
export { type RecordedFrame, readFrames } from './recording/read-frames.ts';
export { readStepLog } from './recording/read-steps.ts';
export { Recording, type Rotation, recordedVenue } from './recording/recording.ts';
export { isInterrupted, repairRecording } from './recording/repair-recording.ts';
export { recordedStore, StepLog } from './recording/step-log.ts';
export { isRemote, localTapes, type TapeEntry } from './remote/local-tapes.ts';
export type { S3Credentials } from './remote/s3.ts';
export {
  parseSignal,
  readSignals,
  type Signal,
  type TimedSignal,
} from './signals.ts';
export { generateTape } from './synthetic/generate.ts';
export { checkRecipe, DEFAULT_RECIPE, RECIPE_RANGES, type SyntheticRecipe } from './synthetic/recipe.ts';
export { TapeFile } from './tape-file.ts';
export { type TapeHead, TapeWriter } from './tape-writer.ts';
