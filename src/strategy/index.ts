export {
  type CancelRejected,
  type ClaimIntent,
  type ConvertIntent,
  defineStrategy,
  defineWrapper,
  type FillReversed,
  type Intent,
  type Intents,
  type LogFields,
  type LogLevel,
  type MarketTrade,
  type OrderAccepted,
  type OrderClosed,
  type OrderEvent,
  type OrderFilled,
  type OrderReduced,
  type OrderRejected,
  type QuoteIntent,
  type Strategy,
  type StrategyContext,
  type StrategyHandlers,
  type StrategyLog,
  type StrategyScope,
  type StrategyState,
  type StrategyTimers,
  type StrategyWrapper,
  type TakeIntent,
  type TimerDelay,
  type TimerSpec,
  type WrapperContext,
} from './contract.ts';
export {
  estimatingMaker,
  type MakerInputs,
  type MakerModel,
  type MakerOrderParams,
  requireHorizon,
  secondsLeft,
} from './estimating-maker.ts';
export { Ema, TimeEma } from './indicators/ema.ts';
export { OrderFlowImbalance } from './indicators/order-flow-imbalance.ts';
export { type MeasuredVariance, RealizedVolatility } from './indicators/realized-volatility.ts';
export { type Bar, Bars, TradeIntensity, type TradeRates, Vwap } from './indicators/trades.ts';
export { type SampleWindow, StepGrid } from './indicators/window.ts';
export { isQuotable, makerHandlers, makerQuotes, type QuoteFunction, type QuoteSpec, withinPosition } from './maker.ts';
export { type MakerEstimateParams, MakerEstimates } from './maker-estimates.ts';
export {
  fillMargin,
  gammaFromShift,
  halfSpread,
  logistic,
  logit,
  type Reservation,
  reservationPrice,
  type SpreadInputs,
  varianceLeft,
} from './maker-formulas.ts';
export { enoughSteps, fillRateShape, horizonShape, makerOrderShape, volatilityShape } from './maker-params.ts';
export { nearest } from './nearest.ts';
export { fileVersion, parseStrict } from './parse-strict.ts';
export { isoTime, whole, within } from './schema-parts.ts';
export {
  checkStrategyKeys,
  paramNumber,
  type StrategyKeys,
  strategiesShape,
  strategyEntries,
} from './strategies-schema.ts';
