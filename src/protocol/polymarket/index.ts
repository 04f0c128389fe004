export {
  type PolymarketPaymentRecord,
  type PolymarketTradeStatus,
  readPolymarketOrderRecord,
  readPolymarketOwnTrade,
  readPolymarketRebate,
  readPolymarketReward,
} from './account-records.ts';
export { readPolymarketCancelAnswer, readPolymarketPlaceAnswer } from './answers.ts';
export { computeBookHash } from './book-hash.ts';
export {
  POLYMARKET_CONTRACTS,
  POLYMARKET_EXCHANGES,
  type PolymarketContracts,
  type PolymarketExchange,
  type PolymarketOrderVersion,
  polymarketDomain,
  polymarketExchange,
} from './contracts.ts';
export { POLYMARKET_ERRORS, readPolymarketError } from './errors.ts';
export { readPolymarketEvent } from './frequent-events.ts';
export {
  type PolymarketBook,
  type PolymarketEvent,
  type PolymarketPriceChange,
  type PolymarketTouch,
  type PolymarketTrade,
  readPolymarketFrame,
} from './market-events.ts';
export { type PolymarketMarketRecord, readPolymarketMarketRecord } from './market-records.ts';
export {
  type PolymarketListing,
  type PolymarketMarketState,
  type PolymarketTradingTerms,
  readPolymarketListing,
  readPolymarketMarketState,
  readPolymarketTradingTerms,
} from './market-terms.ts';
export {
  areTakerDecimalsValid,
  dollarsText,
  polymarketAmounts,
  polymarketTerms,
  priceText,
  sharesText,
} from './order-amounts.ts';
export { type PolymarketOrderBody, polymarketOrderText, readPolymarketOrder } from './order-body.ts';
export { POLYMARKET_TIERS, type PolymarketTier, polymarketBuckets } from './rate-limits.ts';
export { type L2Request, l2SecretBytes, l2Signature, readL1Headers, readL2Headers } from './request-signature.ts';
export { isPolymarketTradeRecord, type PolymarketTradeRecord, readPolymarketTradeRecord } from './trade-records.ts';
