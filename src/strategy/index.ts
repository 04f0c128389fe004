export {
  defineStrategy,
  type MarketTrade,
  type OrderNews,
  type Strategy,
  type StrategyContext,
  type StrategyHandlers,
  type TimerSpec,
  type Wishes,
} from './contract.ts';
export { type MakerWish, makerHandlers } from './maker-handlers.ts';
export { isQuotable, makerQuotes, type QuoteWish } from './maker-quotes.ts';
export { nearest } from './nearest.ts';
export { parseStrict } from './parse-strict.ts';
