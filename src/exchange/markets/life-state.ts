/** The states of a market's life: the nine of the venue, with one PENDING_BLOCKCHAIN for each step that it waits for. */
import { isFinal, type MarketStatus } from '../../domain/index.ts';
import type { ChainStep } from '../market-command.ts';

/** A state, with the chain's step where it waits for one. */
export type LifeState = Exclude<MarketStatus, 'PENDING_BLOCKCHAIN'> | `PENDING_BLOCKCHAIN (${ChainStep})`;

/** Waits for the market's contract. */
export const DEPLOY = 'PENDING_BLOCKCHAIN (DEPLOY)';
/** Waits for the payout's report. */
export const REPORT_PAYOUT = 'PENDING_BLOCKCHAIN (REPORT_PAYOUT)';

/** All states, in the order in which a life usually passes them. */
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

/** The state of a status and the step it waits for. */
export function lifeStateOf(status: MarketStatus, step: ChainStep | undefined): LifeState {
  if (status !== 'PENDING_BLOCKCHAIN') return status;
  return step === 'DEPLOY' ? DEPLOY : REPORT_PAYOUT;
}

/** The venue's name of a state. */
export function statusOf(state: LifeState): MarketStatus {
  return state === DEPLOY || state === REPORT_PAYOUT ? 'PENDING_BLOCKCHAIN' : state;
}

/** The chain step that a state waits for, if any. */
export function stepOf(state: LifeState): ChainStep | undefined {
  if (state === DEPLOY) return 'DEPLOY';
  return state === REPORT_PAYOUT ? 'REPORT_PAYOUT' : undefined;
}

export function isLast(state: LifeState): boolean {
  return isFinal(statusOf(state));
}
