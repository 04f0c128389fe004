export { readKalshiMessage } from './frequent-messages.ts';
export type { KalshiDelta, KalshiLifecycle, KalshiMessage, KalshiSnapshot, KalshiTrade } from './market-messages.ts';
export { type KalshiMarketRecord, readKalshiMarketRecord } from './market-records.ts';
export { type SequenceStep, SequenceTracker } from './sequence.ts';
