export { bookHash } from './book-hash.ts';
export { polymarketFrame, readPolymarketEvent } from './market-events.ts';
export { readPolymarketMarketRecord } from './market-records.ts';
export { isPolymarketTradeRecord, readPolymarketTradeRecord } from './trade-records.ts';
