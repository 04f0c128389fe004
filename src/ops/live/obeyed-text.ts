/** What an operator's word comes to: refused where it would change nothing, and told as it is. */
import { InputFault, type OperatorCommand } from '../../domain/index.ts';
import type { RiskGate, RiskMode } from '../../risk/index.ts';

type Mode = Pick<RiskGate, 'mode' | 'reason'>;

/** Words that a stricter mode takes no notice of. */
const IGNORED: Readonly<Partial<Record<RiskMode, ReadonlySet<OperatorCommand>>>> = {
  KILLED: new Set(['pause', 'reduce', 'flatten']),
  PAUSED: new Set(['reduce']),
};

/** @throws InputFault for a command that would change nothing: it names the mode and how to leave it */
export function demandAllowed(command: OperatorCommand, { mode, reason }: Mode, resume: string): void {
  if (IGNORED[mode]?.has(command) !== true) return;
  const why = reason === undefined ? '' : ` (${reason})`;
  throw new InputFault('command', command, `\`${resume}\` first: the bot is still ${mode}${why} and sends nothing`);
}

export function obeyedText(command: Exclude<OperatorCommand, 'kill'>, { mode, reason }: Mode, resume: string): string {
  // Losses are looked at with each word.
  if (mode === 'KILLED' && command !== 'cancelAll') return `KILLED${reason === undefined ? '' : ` (${reason})`}`;
  switch (command) {
    case 'cancelAll':
      return mode === 'ACTIVE'
        ? 'every order of the bot is being cancelled; it may quote again at once'
        : `every order of the bot is being cancelled; it is ${mode} as before`;
    case 'pause':
      return `paused: quotes are withdrawn, nothing more is sent until \`${resume}\``;
    case 'reduce':
      return `reducing: only what shrinks positions is sent until \`${resume}\``;
    case 'flatten':
      return mode === 'PAUSED'
        ? `nothing is held that can be taken out: paused, nothing more is sent until \`${resume}\``
        : 'flattening: quotes are withdrawn, positions are taken out, then the bot pauses; `status` says when';
    case 'resume':
      return 'trading again';
  }
}

/** What a kill came to. @param verified what the venue said; undefined where it did not answer in time */
export function killedText(
  why: string,
  verified: { readonly isVerified: boolean; readonly open: number | undefined } | undefined,
  { resume, listOrders }: { readonly resume: string; readonly listOrders: string },
): string {
  if (verified?.isVerified === true) {
    return `killed (${why}): no order is open at the venue. Nothing is sent until \`${resume}\``;
  }
  const count = verified?.open ?? 'an unknown number of';
  return `killed (${why}), NOT VERIFIED: ${count} orders may be open. Look at once: \`${listOrders}\``;
}
