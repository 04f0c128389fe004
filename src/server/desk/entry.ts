import type { ExchangeCommand, ExchangeEvent } from '../../exchange/index.ts';
import type { Pending } from './pending.ts';
import type { Task } from './task.ts';

/** A task in its turn. */
export interface Entry {
  readonly task: Task<unknown>;
  /** Has it answer. */
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
  readonly events: ExchangeEvent[];
  command: ExchangeCommand | undefined;
  hasChanged: boolean;
}

/** A task that waits for its turn. */
export function entryOf<Result>(task: Task<Result>, pending: Pending<Result>): Entry {
  const events: ExchangeEvent[] = [];
  return {
    task,
    settle: () => pending.settle(() => task.answer(events)),
    fail: (error) => pending.fail(error),
    events,
    command: undefined,
    hasChanged: false,
  };
}
