/** Dependencies and tasks of `CommandQueue`, and the faults after its end. */
import type { Clock } from '../clock/index.ts';
import { type EpochMs, Fault } from '../domain/index.ts';
import type { DurableExchange, ExchangeCommand, ExchangeEvent, ExchangeView, Registry } from '../exchange/index.ts';

/** A command for the exchange and the answer that is made from its events. */
export interface Task<Result> {
  /**
   * Makes the command when its turn has come. The view and the identities include all earlier commands, which may not be durable yet:
   * only `answer` may show anything of them. Undefined for no command. What it throws goes to the caller.
   */
  command(): ExchangeCommand | undefined;
  /**
   * The command changed the state and is not durable yet: registry rows that are put here go into its transaction. Not called when
   * the command, or an entry of it, was refused or changed nothing. What it throws stops the queue.
   */
  onApplied?(): void;
  /**
   * Makes the answer when all of the turn is durable and the exchange stands exactly there. What it throws goes to the caller.
   * @param events of the command, including refusals; empty without a command
   */
  answer(events: readonly ExchangeEvent[]): Result;
}

/** Is notified of everything that changes the exchange. What it throws stops the queue. */
export interface Watcher {
  /**
   * A command changed the state and is durable. Called once for each such command, in order. The exchange stands at the end of the
   * turn, which may be some commands further.
   * @param at time of the exchange right after the command
   */
  onCommitted?(events: readonly ExchangeEvent[], command: ExchangeCommand, at: EpochMs): void;
  /** All commands of the turn were reported. Not called for a turn that changed nothing. */
  onTurnEnd?(): void;
}

export interface CommandQueueOptions {
  readonly exchange: DurableExchange;
  readonly view: ExchangeView;
  /** From the same store as the journal: its changes go with the next batch. */
  readonly registry: Pick<Registry, 'put'>;
  readonly clock: Clock;
  /** The exchange has stopped for good. Called once; the process has to end. */
  readonly onStop: (cause: unknown) => void;
  /** Most waiting tasks, and most waiting reads; more are refused. Default 20,000. */
  readonly maxWaiting?: number;
}

/** The exchange takes no commands because the server is closing. */
export function closingFault(): Fault {
  return new Fault('EXCHANGE_CLOSING', 'the exchange takes no commands any more: the server is closing');
}

/** The exchange stopped for good. */
export function stoppedFault(cause: unknown): Fault {
  return new Fault('EXCHANGE_STOPPED', 'the exchange has stopped: a new start keeps everything that is durable', {
    cause,
  });
}
