export { readKalshiMessage } from './market-messages.ts';
export { type KalshiMarketRecord, readKalshiMarketRecord } from './market-records.ts';
export type { KalshiDelta, KalshiLifecycle, KalshiMessage, KalshiSnapshot, KalshiTrade } from './message-types.ts';
export { type SequenceStep, SequenceTracker } from './sequence.ts';
