/** The states of the lifecycle: the venue's nine statuses, with one PENDING_BLOCKCHAIN for each chain step. */
import { isFinal, type MarketStatus } from '../../domain/index.ts';
import type { ChainStep } from '../market-command.ts';

/** A status, with the chain step if it waits for one. */
export type LifeState = Exclude<MarketStatus, 'PENDING_BLOCKCHAIN'> | `PENDING_BLOCKCHAIN (${ChainStep})`;

/** Waits for the deployment of the market's contract. */
export const DEPLOY = 'PENDING_BLOCKCHAIN (DEPLOY)';
/** Waits for the report of the payout. */
export const REPORT_PAYOUT = 'PENDING_BLOCKCHAIN (REPORT_PAYOUT)';

/** All states, in their usual order. */
export const LIFE_STATES: readonly LifeState[] = [
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

export function lifeStateOf(status: MarketStatus, step: ChainStep | undefined): LifeState {
  if (status !== 'PENDING_BLOCKCHAIN') return status;
  return step === 'DEPLOY' ? DEPLOY : REPORT_PAYOUT;
}

/** Returns the venue's status of a state. */
export function statusOf(state: LifeState): MarketStatus {
  return state === DEPLOY || state === REPORT_PAYOUT ? 'PENDING_BLOCKCHAIN' : state;
}

/** Returns the chain step that a state waits for, if any. */
export function stepOf(state: LifeState): ChainStep | undefined {
  if (state === DEPLOY) return 'DEPLOY';
  return state === REPORT_PAYOUT ? 'REPORT_PAYOUT' : undefined;
}

export function isLast(state: LifeState): boolean {
  return isFinal(statusOf(state));
}
