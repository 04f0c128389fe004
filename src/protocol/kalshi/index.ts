export { type KalshiPrices, readKalshiMessage } from './market-messages.ts';
export { type KalshiMarketRecord, readKalshiMarketRecord } from './market-records.ts';
export type { KalshiDelta, KalshiMessage, KalshiSnapshot, KalshiTrade } from './message-types.ts';
export { SequenceTracker } from './sequence.ts';
