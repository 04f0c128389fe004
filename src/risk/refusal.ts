import type { MarketNo, Refused, RiskCode } from '../domain/index.ts';

/** A refusal with the two numbers that were compared. */
export function refusal(market: MarketNo, code: RiskCode, limit: number, was: number): Refused {
  return { ok: false, market, code, limit, was };
}
