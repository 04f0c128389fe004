/** The states of the lifecycle: the venue's nine statuses, with one PENDING_BLOCKCHAIN for each chain step. */
import { FULL_BPS, isFinal, type MarketStatus } from '../../domain/index.ts';
import type { ChainStep, Decision } from '../market-command.ts';
import type { Json } from './canonical-json.ts';
import type { MarketRecord } from './market-record.ts';

export type LifecycleState = Exclude<MarketStatus, 'PENDING_BLOCKCHAIN'> | `PENDING_BLOCKCHAIN (${ChainStep})`;

/** Waits for the deployment of the market's contract. */
export const DEPLOY = 'PENDING_BLOCKCHAIN (DEPLOY)';
/** Waits for the report of the payout. */
export const REPORT_PAYOUT = 'PENDING_BLOCKCHAIN (REPORT_PAYOUT)';

/** All states, in the order of their codes in a snapshot. */
export const LIFECYCLE_STATES: readonly LifecycleState[] = [
  DEPLOY,
  'OPEN',
  'PENDING_RESOLUTION',
  'RESOLVED',
  REPORT_PAYOUT,
  'RESOLVED_YES',
  'RESOLVED_NO',
  'RESOLVED_UNCERTAIN',
  'RESOLUTION_FAILED',
  'CANCELLED',
];

export function toLifecycleState({
  status,
  chainStep: step,
}: Pick<MarketRecord, 'status' | 'chainStep'>): LifecycleState {
  if (status !== 'PENDING_BLOCKCHAIN') return status;
  return step === 'DEPLOY' ? DEPLOY : REPORT_PAYOUT;
}

export function toMarketStatus(state: LifecycleState): MarketStatus {
  return state === DEPLOY || state === REPORT_PAYOUT ? 'PENDING_BLOCKCHAIN' : state;
}

export function toChainStep(state: LifecycleState): ChainStep | undefined {
  if (state === DEPLOY) return 'DEPLOY';
  return state === REPORT_PAYOUT ? 'REPORT_PAYOUT' : undefined;
}

export function isFinalState(state: LifecycleState): boolean {
  return isFinal(toMarketStatus(state));
}

/** All decisions, in the order of their codes in a snapshot. */
export const DECISIONS: readonly Decision[] = ['YES', 'NO', 'CANCELLED', undefined];

export type PayingDecision = Exclude<Decision, 'CANCELLED'>;
type ResolutionOutcome = 'RESOLVED_YES' | 'RESOLVED_NO' | 'CANCELLED';

/** Returns the payout of one YES share in bps: half for "cannot be decided". */
export function payoutFor(decision: PayingDecision): number {
  if (decision === undefined) return FULL_BPS / 2;
  return decision === 'YES' ? FULL_BPS : 0;
}

export function finalStateFor(yesPayoutBps: number | undefined): LifecycleState {
  if (yesPayoutBps === FULL_BPS) return 'RESOLVED_YES';
  return yesPayoutBps === 0 ? 'RESOLVED_NO' : 'RESOLVED_UNCERTAIN';
}

/** Returns the venue's `ResolutionOutcome`; undefined before a decision and for RESOLVED_UNCERTAIN. */
export function toResolutionOutcome({ status, yesPayoutBps }: MarketRecord): ResolutionOutcome | undefined {
  if (status === 'CANCELLED') return 'CANCELLED';
  if (yesPayoutBps === undefined || yesPayoutBps === FULL_BPS / 2) return undefined;
  return yesPayoutBps === 0 ? 'RESOLVED_NO' : 'RESOLVED_YES';
}

/** Returns the `data` of a step with a decision or payout. */
export function outcomeData(market: MarketRecord): Json {
  const { yesPayoutBps = null } = market;
  const noPayoutBps = yesPayoutBps === null ? null : FULL_BPS - yesPayoutBps;
  return { noPayoutBps, outcome: toResolutionOutcome(market) ?? null, yesPayoutBps };
}
