export { BookSnapshots, type SnapshotRow } from './book-snapshots.ts';
export { ANY_LEVEL_FLAG, LevelFlags } from './level-flags.ts';
export {
  checkQueue,
  createQueueModel,
  liveQueueSchema,
  type ModelOptions,
  modelsJson,
  queueSchema,
  type TradesOnly,
  tapeStart,
  tradesOnlyOptions,
  tradesOnlySchema,
} from './options.ts';
export { OutsideBook } from './outside-book.ts';
export { OutsideFlow } from './outside-flow.ts';
export { OwnQueues } from './own-queues.ts';
export { recordingBooks } from './played-book.ts';
export type { QueueModel } from './queue.ts';
export { Replay } from './replay.ts';
export { ReplayBook } from './replay-book.ts';
export { ReplayFeed, ResolutionCheckFeed } from './replay-feed.ts';
export { encodeRows, type TapeMessage, TapeMessageReader } from './tape-message-reader.ts';
