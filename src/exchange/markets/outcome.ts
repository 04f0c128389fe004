/** Payouts, final states and API names of decisions. */
import { FULL_BPS } from '../../domain/index.ts';
import type { Decision } from '../market-command.ts';
import type { Json } from './canonical-json.ts';
import type { LifeState } from './life-state.ts';
import type { MarketRecord } from './market-record.ts';

/** All decisions, in the order of their codes in a state. */
export const DECISIONS: readonly Decision[] = ['YES', 'NO', 'CANCELLED', undefined];

export type PayingDecision = Exclude<Decision, 'CANCELLED'>;
/** The venue's `ResolutionOutcome`. */
export type Outcome = 'RESOLVED_YES' | 'RESOLVED_NO' | 'CANCELLED';

/** Payout of one YES share in bps: all, nothing, or half if it cannot be decided. */
export function payoutFor(decision: PayingDecision): number {
  if (decision === undefined) return FULL_BPS / 2;
  return decision === 'YES' ? FULL_BPS : 0;
}

/** The final state of a payout. */
export function finalStateFor(yesPayoutBps: number | undefined): LifeState {
  if (yesPayoutBps === FULL_BPS) return 'RESOLVED_YES';
  return yesPayoutBps === 0 ? 'RESOLVED_NO' : 'RESOLVED_UNCERTAIN';
}

/** The decided outcome; undefined before a decision, and for UNCERTAIN. */
export function outcomeOf({ status, yesPayoutBps }: MarketRecord): Outcome | undefined {
  if (status === 'CANCELLED') return 'CANCELLED';
  if (yesPayoutBps === undefined || yesPayoutBps === FULL_BPS / 2) return undefined;
  return yesPayoutBps === 0 ? 'RESOLVED_NO' : 'RESOLVED_YES';
}

/** `data` of a step with a decision or payout: `{noPayoutBps, outcome, yesPayoutBps}`, each nullable. */
export function outcomeData(market: MarketRecord): Json {
  const { yesPayoutBps = null } = market;
  const noPayoutBps = yesPayoutBps === null ? null : FULL_BPS - yesPayoutBps;
  return { noPayoutBps, outcome: outcomeOf(market) ?? null, yesPayoutBps };
}
