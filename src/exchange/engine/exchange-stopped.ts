import { Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';

/**
 * An invariant of the exchange is broken: it stops with the command that broke it and accepts no more commands. Its
 * state is unreliable; restore the last snapshot and replay the journal up to the command.
 */
export class ExchangeStopped extends Fault {
  readonly command: ExchangeCommand;

  constructor(command: ExchangeCommand, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const what = `a command "${said(command, 'type')}" of ${said(command, 'time')}`;
    super('EXCHANGE_STOPPED', `the exchange stopped at ${what}: ${why}`, { cause });
    this.name = 'ExchangeStopped';
    this.command = command;
  }
}

/** A member of any type as a text: an unprintable value must not prevent the stop. */
function said(command: ExchangeCommand, member: 'type' | 'time'): string {
  try {
    return String(command[member]);
  } catch {
    return '?';
  }
}
