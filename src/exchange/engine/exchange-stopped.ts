import { Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';

/**
 * The exchange stopped because a command broke an invariant. Its state is unreliable: restore the last snapshot and replay
 * the journal up to the command.
 */
export class ExchangeStopped extends Fault {
  readonly command: ExchangeCommand;

  constructor(command: ExchangeCommand, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const what = `a command "${memberText(command, 'type')}" of ${memberText(command, 'time')}`;
    super('EXCHANGE_STOPPED', `the exchange stopped at ${what}: ${reason}`, { cause });
    this.name = 'ExchangeStopped';
    this.command = command;
  }
}

/** Formats a member of any type; a value that cannot be printed must not prevent the stop. */
function memberText(command: ExchangeCommand, member: 'type' | 'time'): string {
  try {
    return String(command[member]);
  } catch {
    return '?';
  }
}
