export {
  defineStrategy,
  defineWrapper,
  type Intents,
  type LogFields,
  type LogLevel,
  type MarketTrade,
  type Strategy,
  type StrategyContext,
  type StrategyHandlers,
  type StrategyLog,
  type StrategyScope,
  type StrategyState,
  type StrategyTimers,
  type StrategyWrapper,
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
export {
  type Bar,
  Bars,
  Ema,
  type MeasuredVariance,
  OrderFlowImbalance,
  RealizedVolatility,
  type SampleWindow,
  StepGrid,
  TimeEma,
  TradeIntensity,
  type TradeRates,
  Vwap,
} from './indicators/index.ts';
export type { ClaimIntent, ConvertIntent, Intent, QuoteIntent, TakeIntent } from './intent.ts';
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
export type {
  CancelRejected,
  FillReversed,
  OrderAccepted,
  OrderClosed,
  OrderEvent,
  OrderFilled,
  OrderReduced,
  OrderRejected,
} from './order-events.ts';
export { fileVersion, parseStrict } from './parse-strict.ts';
export { isoTime, whole, within } from './schema-parts.ts';
export {
  paramNumber,
  refuseBothForms,
  type StrategyKeys,
  strategiesShape,
  strategyEntries,
} from './strategies-schema.ts';
