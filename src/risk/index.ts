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
export { exceededOrderLimit } from './line-check.ts';
export { breachText } from './loss-watch.ts';
export type { RiskGate, RiskMode, RiskSnapshot } from './policy.ts';
