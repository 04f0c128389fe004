import { Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';

/**
 * An invariant of the exchange is broken: it stops with the command that did it, and goes on with nothing. Its state is
 * not to be trusted any more; restore the last snapshot and replay the journal up to the command.
 */
export class ExchangeStopped extends Fault {
  readonly command: ExchangeCommand;

  constructor(command: ExchangeCommand, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super('EXCHANGE_STOPPED', `the exchange stopped at a command "${command.type}" of ${command.time}: ${why}`, {
      cause,
    });
    this.name = 'ExchangeStopped';
    this.command = command;
  }
}
