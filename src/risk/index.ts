export type { RiskGate, RiskMode, Verdict } from './policy.ts';
