export { Images, type RowFacts } from './images.ts';
export type { LevelChange } from './level-change.ts';
export { ANY_MARK, LevelMarks, MARK } from './level-marks.ts';
export { type ModelOptions, modelsJson } from './models.ts';
export {
  type QueueOptions,
  queueOf,
  queueSchema,
  type TradesOnlyOptions,
  tradesOnlyOf,
  tradesOnlySchema,
} from './options.ts';
export { OutsideBook } from './outside-book.ts';
export { OwnQueues } from './own-queues.ts';
export { recordingBooks } from './played-book.ts';
export { logQueue, powerQueue, QUEUE_VARIANTS, type QueueVariant, riskAverseQueue } from './queue.ts';
export type { QueueModel } from './queue-model.ts';
export { RecordedFlow } from './recorded-flow.ts';
export { Replay, type ReplayModels } from './replay.ts';
export { ReplayBook } from './replay-book.ts';
export { ReplayFeed } from './replay-feed.ts';
export { ResolvedOnce } from './resolved-once.ts';
export { tapeStart } from './tape-start.ts';
export { numbersOf, type TapeMessage, TapeWalk } from './tape-walk.ts';
export type { TradesOnly } from './trades-only.ts';
