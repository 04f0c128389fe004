export { bookHash } from './book-hash.ts';
export type { PolymarketBook, PolymarketEvent, PolymarketPriceChange, PolymarketTrade } from './event-types.ts';
export { polymarketFrame, readPolymarketEvent } from './market-events.ts';
export { type PolymarketMarketRecord, readPolymarketMarketRecord } from './market-records.ts';
export {
  isPolymarketTradeRecord,
  type PolymarketTradeRecord,
  readPolymarketTradeRecord,
} from './trade-records.ts';
