export { computeExposure, computeMarketExposure, type Exposure, type MarketExposure } from './exposure.ts';
export { createRiskGate } from './gate.ts';
export {
  exceededOrderLimit,
  LIMIT_KEYS,
  LIMIT_UNITS,
  LIMITS,
  type LimitKey,
  NEWER_LIMIT_DEFAULTS,
  type RiskLimits,
  riskLimits,
  riskSchema,
} from './limits.ts';
export { breachText } from './loss-watch.ts';
export type { RiskGate, RiskMode, RiskSnapshot } from './policy.ts';
