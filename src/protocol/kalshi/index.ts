export { readKalshiMessage } from './market-messages.ts';
export { readKalshiMarketRecord } from './market-records.ts';
export { SequenceTracker } from './sequence.ts';
