export { type Exposure, exposureIn, exposureOf, type MarketExposure } from './exposure.ts';
export { createRiskGate } from './gate.ts';
export {
  LATER_LIMITS,
  LIMIT_KEYS,
  LIMIT_UNITS,
  LIMITS,
  type LimitKey,
  type RiskLimits,
  riskLimits,
  riskSchema,
} from './limits.ts';
export { breachText } from './loss-watch.ts';
export { exceededOrderLimit } from './order-limits.ts';
export type { RiskGate, RiskMode, RiskSnapshot } from './policy.ts';
