import type { Clock } from '../clock/index.ts';
import { type EpochMs, Fault } from '../domain/index.ts';
import type { DurableExchange, ExchangeCommand, ExchangeEvent, ExchangeView, Registry } from '../exchange/index.ts';

/** A command, and a function that makes an answer from the command's events. */
export interface Task<Result> {
  /**
   * Makes the command during the batch; undefined for no command. The caller gets any error that this function throws.
   * The view includes commands that may not be durable yet, so only `answer` may return data of the view.
   */
  command(): ExchangeCommand | undefined;
  /**
   * Called after the command changed the state, before the change is durable. Registry rows put here join the command's
   * transaction. Not called if the command, or an entry of the command, was refused. An error stops the queue.
   */
  onApplied?(): void;
  /**
   * Makes the answer when the whole batch is durable. The exchange has then executed all commands of the batch. The
   * caller gets any error that this function throws.
   * @param events the command's events, including refusals; empty without a command
   */
  answer(events: readonly ExchangeEvent[]): Result;
}

/** Receives all changes of the exchange. An error stops the queue. */
export interface Watcher {
  /**
   * Called once for each command that changed the state, in order, when the command is durable. The exchange may then
   * have executed later commands of the batch.
   * @param at time of the exchange after the command
   */
  onCommitted?(events: readonly ExchangeEvent[], command: ExchangeCommand, at: EpochMs): void;
  /** Called after the last `onCommitted` of a batch that changed something. */
  onBatchEnd?(): void;
}

export interface CommandQueueOptions {
  readonly exchange: DurableExchange;
  readonly view: ExchangeView;
  /** Belongs to the same store as the journal, so that registry changes join the next batch. */
  readonly registry: Pick<Registry, 'put'>;
  readonly clock: Clock;
  /** Called once when the exchange has stopped permanently. The host must end the process. */
  readonly onStop: (cause: unknown) => void;
}

export function closingFault() {
  return new Fault('EXCHANGE_CLOSING', 'the exchange accepts no commands: the server is closing');
}

/** @throws Fault with the problem and the exchange's reason if a refusal is among the events of a command */
export function assertAccepted(events: readonly ExchangeEvent[], code: string, problem: string): void {
  const refusal = events.find((event) => event.type === 'refused')?.refusal;
  if (refusal === undefined) return;
  const { reason, field } = refusal;
  throw new Fault(code, `${problem}: ${field === undefined ? reason : `${reason} ${field}`}`);
}

export function stoppedFault(cause: unknown): Fault {
  return new Fault('EXCHANGE_STOPPED', 'the exchange has stopped: restart the server; acknowledged commands are kept', {
    cause,
  });
}
