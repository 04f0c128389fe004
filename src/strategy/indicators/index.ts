export { Ema, TimeEma } from './ema.ts';
export { OrderFlowImbalance } from './order-flow-imbalance.ts';
export { type MeasuredVariance, RealizedVolatility } from './realized-volatility.ts';
export { type Bar, Bars, TradeIntensity, type TradeRates, Vwap } from './trades.ts';
export { type SampleWindow, StepGrid } from './window.ts';
