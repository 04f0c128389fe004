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
