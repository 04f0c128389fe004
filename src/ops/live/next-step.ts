/** Why a bot sends no orders, and what ends that: for `status`. */
import type { RiskMode } from '../../risk/index.ts';

/** @param resume the command line that ends a mode. @returns null while the bot is ACTIVE and the venue NORMAL */
export function nextStep(mode: RiskMode, venueMode: string, resume: string): string | null {
  if (mode !== 'ACTIVE') return resume;
  return venueMode === 'NORMAL' ? null : 'wait: the bot quotes again when the venue is NORMAL';
}

/** @param problem why the venue's mode is not known */
export function venueModeReason(venueMode: string, problem: string | undefined): string | null {
  if (venueMode === 'NORMAL') return null;
  return problem ?? `the venue says that it is ${venueMode}`;
}
