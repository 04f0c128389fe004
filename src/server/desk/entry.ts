import { EventList, type ExchangeCommand, type ExchangeEvent, type ExchangeSink } from '../../exchange/index.ts';
import type { Pending } from './pending.ts';
import type { Task } from './task.ts';

/** A task in its turn; what its command tells is told to it. */
export interface Entry extends ExchangeSink {
  readonly task: Task<unknown>;
  readonly events: readonly ExchangeEvent[];
  command: ExchangeCommand | undefined;
  hasChanged: boolean;
  /** Has it answer. */
  settle(): void;
  fail(error: unknown): void;
}

/** A task that waits for its turn. One object, as there is one for each order (bench/server.ts). */
export class TaskEntry<Result> extends EventList implements Entry {
  readonly task: Task<Result>;
  command: ExchangeCommand | undefined = undefined;
  hasChanged = false;
  readonly #pending: Pending<Result>;

  constructor(task: Task<Result>, pending: Pending<Result>) {
    super();
    this.task = task;
    this.#pending = pending;
  }

  settle(): void {
    this.#pending.settle(() => this.task.answer(this.events));
  }

  fail(error: unknown): void {
    this.#pending.fail(error);
  }
}
