/** Texts about the mode of a bot: results of commands, why it sends no orders, remedies. `resume` is a command line. */
import { Fault, type OperatorCommand } from '../../domain/index.ts';
import type { RiskGate, RiskMode } from '../../risk/index.ts';

type Mode = Pick<RiskGate, 'mode' | 'reason'>;

/** Commands without effect in a mode, because the mode already allows less than the command would. */
const INEFFECTIVE_COMMANDS: Readonly<Partial<Record<RiskMode, ReadonlySet<OperatorCommand>>>> = {
  KILLED: new Set(['pause', 'reduce', 'flatten']),
  PAUSED: new Set(['reduce']),
};

/** @throws Fault INPUT for a command without effect in this mode, with the command that leaves it */
export function assertAllowed(command: OperatorCommand, { mode, reason }: Mode, resume: string): void {
  if (INEFFECTIVE_COMMANDS[mode]?.has(command) !== true) return;
  const reasonText = reason === undefined ? '' : ` (${reason})`;
  throw new Fault('INPUT', `\`${resume}\` first: the bot is still ${mode}${reasonText} and sends nothing`);
}

export function commandText(command: Exclude<OperatorCommand, 'kill'>, { mode, reason }: Mode, resume: string): string {
  // Each command checks the loss limits, which can kill trading.
  if (mode === 'KILLED' && command !== 'cancelAll') return `KILLED${reason === undefined ? '' : ` (${reason})`}`;
  switch (command) {
    case 'cancelAll':
      return mode === 'ACTIVE'
        ? 'every order of the bot is being cancelled; it may quote again at once'
        : `every order of the bot is being cancelled; it is ${mode} as before`;
    case 'pause':
      return `paused: quotes are withdrawn, nothing more is sent until \`${resume}\``;
    case 'reduce':
      return `reducing: only orders that reduce positions are sent until \`${resume}\``;
    case 'flatten':
      return mode === 'PAUSED'
        ? `no position can be closed: paused, nothing more is sent until \`${resume}\``
        : 'flattening: quotes are withdrawn, positions are closed, then the bot pauses; `status` shows when';
    case 'resume':
      return 'trading again';
  }
}

/** Returns the text for a kill. @param verified result of the check; undefined if the venue did not answer in time */
export function killedText(
  killReason: string,
  verified: { readonly isVerified: boolean; readonly open: number | undefined } | undefined,
  { resume, listOrders }: { readonly resume: string; readonly listOrders: string },
): string {
  if (verified?.isVerified === true)
    return `killed (${killReason}): no order is open at the venue. Nothing is sent until \`${resume}\``;
  const count = verified?.open ?? 'an unknown number of';
  return `killed (${killReason}), NOT VERIFIED: ${count} orders may be open. Look at once: \`${listOrders}\``;
}

/** Returns the step that lets a bot send orders again; null while the bot is ACTIVE and the venue NORMAL. */
export function nextStep(mode: RiskMode, venueMode: string, resume: string): string | null {
  if (mode !== 'ACTIVE') return resume;
  return venueMode === 'NORMAL' ? null : 'wait: the bot quotes again when the venue is NORMAL';
}

/** Returns why the venue accepts no orders; null while the venue is NORMAL. @param problem why the mode is unknown */
export function venueModeReason(venueMode: string, problem: string | undefined): string | null {
  if (venueMode === 'NORMAL') return null;
  return problem ?? `the venue reports ${venueMode}`;
}
