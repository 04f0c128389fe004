/** Tasks that wait in a `CommandQueue`, and their results. */
import { Fault } from '../domain/index.ts';
import type { AppliedCommand, ExchangeCommand, ExchangeEvent } from '../exchange/index.ts';

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

/** A result that may be there at once or later: a promise is made only when a caller has to wait. */
export class PendingResult<Result> {
  #outcome: { readonly value: Result } | { readonly error: unknown } | undefined;
  #promise: { resolve(value: Result): void; reject(error: unknown): void } | undefined;

  get isSettled(): boolean {
    return this.#outcome !== undefined;
  }

  /** Does nothing when it is settled, as `fail`. */
  resolve(value: Result): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { value };
    this.#promise?.resolve(value);
  }

  fail(error: unknown): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { error };
    this.#promise?.reject(error);
  }

  /** The result, or a promise of it. Call it once. @throws the error that it failed with */
  result(): Result | Promise<Result> {
    const outcome = this.#outcome;
    if (outcome === undefined) {
      return new Promise((resolve, reject) => {
        this.#promise = { resolve, reject };
      });
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
}

/** A task with its result. Its command is applied once its turn has come. */
export class QueuedTask<Result> extends PendingResult<Result> {
  readonly task: Task<Result>;
  applied: AppliedCommand | undefined;

  constructor(task: Task<Result>) {
    super();
    this.task = task;
  }
}

/** The exchange takes no commands because the server is closing. */
export function closingFault(): Fault {
  return new Fault('EXCHANGE_CLOSING', 'the exchange takes no commands any more: the server is closing');
}

/** The exchange stopped for good. */
export function stoppedFault(cause: unknown): Fault {
  return new Fault('EXCHANGE_STOPPED', 'the exchange has stopped: what is durable stands after a new start', { cause });
}
