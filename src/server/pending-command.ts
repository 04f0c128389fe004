/** What waits in a `CommandQueue`: tasks with their commands, and results that may come later. */
import { type CloseReason, type EpochMs, Fault } from '../domain/index.ts';
import {
  EventList,
  type ExchangeCommand,
  type ExchangeEvent,
  type ExchangeSink,
  type Hash,
  type OrderTerms,
  type RareEvent,
  type Refusal,
  type StateMachine,
  type StateWriter,
} from '../exchange/index.ts';

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
  onCommitted(events: readonly ExchangeEvent[], command: ExchangeCommand, at: EpochMs): void;
  /** All commands of the turn were reported. Not called for a turn that changed nothing. */
  onTurnEnd?(): void;
}

/** A task in the queue. Its command's events are collected in it. */
export interface QueuedCommand extends ExchangeSink {
  readonly task: Task<unknown>;
  readonly events: readonly ExchangeEvent[];
  command: ExchangeCommand | undefined;
  /** Time of the exchange after the command changed its state; undefined before, and when it changed nothing. */
  appliedAt: EpochMs | undefined;
  /** Makes the answer. */
  settle(): void;
  fail(error: unknown): void;
}

/** One object for task, events and result, because there is one for each order (bench/server.ts). */
export class PendingCommand<Result> extends EventList implements QueuedCommand {
  readonly task: Task<Result>;
  command: ExchangeCommand | undefined = undefined;
  appliedAt: EpochMs | undefined = undefined;
  readonly #pending: PendingResult<Result>;

  constructor(task: Task<Result>, pending: PendingResult<Result>) {
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

/** A result that may be there at once or later: a promise is made only when a caller has to wait. */
export class PendingResult<Result> {
  #outcome: { readonly value: Result } | { readonly error: unknown } | undefined;
  #resolve: ((value: Result) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /** Calls `make` for the result, unless there is a result or an error already. */
  settle(make: () => Result): void {
    if (this.#outcome !== undefined) return;
    try {
      const value = make();
      this.#outcome = { value };
      this.#resolve?.(value);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = { error };
    this.#reject?.(error);
  }

  /** The result, or a promise of it. Call it once. @throws the error that it failed with */
  result(): Result | Promise<Result> {
    const outcome = this.#outcome;
    if (outcome === undefined) {
      return new Promise((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
      });
    }
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }
}

/** Called when a command has changed the state. @param isRefused the command, or an entry of it, was refused */
export type OnApplied = (command: ExchangeCommand, isRefused: boolean) => void;

/** A state machine that reports each command that changed it, before the command goes to the journal. */
export class WatchedMachine implements StateMachine {
  readonly #machine: StateMachine;
  readonly #onApplied: OnApplied;
  readonly #watch = new RefusalWatch();

  constructor(machine: StateMachine, onApplied: OnApplied) {
    this.#machine = machine;
    this.#onApplied = onApplied;
  }

  get seq(): number {
    return this.#machine.seq;
  }

  get now(): number {
    return this.#machine.now;
  }

  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    const before = this.#machine.seq;
    this.#watch.begin(sink);
    this.#machine.apply(command, this.#watch);
    if (this.#machine.seq !== before) this.#onApplied(command, this.#watch.isRefused);
  }

  stateHash(): Hash {
    return this.#machine.stateHash();
  }

  writeSnapshot(writer: StateWriter): Hash {
    return this.#machine.writeSnapshot(writer);
  }
}

/** Passes everything on and notes refusals. */
class RefusalWatch implements ExchangeSink {
  isRefused = false;
  #sink: ExchangeSink | undefined;

  begin(sink: ExchangeSink): void {
    this.#sink = sink;
    this.isRefused = false;
  }

  accepted(seq: number, order: number, account: number, terms: OrderTerms): void {
    this.#sink?.accepted(seq, order, account, terms);
  }

  traded(...trade: Parameters<ExchangeSink['traded']>): void {
    this.#sink?.traded(...trade);
  }

  reduced(seq: number, order: number, remaining: number): void {
    this.#sink?.reduced(seq, order, remaining);
  }

  closed(seq: number, order: number, unfilled: number, reason: CloseReason): void {
    this.#sink?.closed(seq, order, unfilled, reason);
  }

  happened(seq: number, event: RareEvent): void {
    this.#sink?.happened(seq, event);
  }

  refused(entry: number, refusal: Refusal): void {
    this.isRefused = true;
    this.#sink?.refused(entry, refusal);
  }

  duplicate(entry: number, order: number): void {
    this.#sink?.duplicate(entry, order);
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

/** The clock of the server jumped further than the exchange follows. */
export function clockAheadFault(): Fault {
  const message =
    'the clock is further ahead of the last event than the exchange follows: set it right, or let it follow further (maxTimeStep)';
  return new Fault('CLOCK_AHEAD', message);
}
