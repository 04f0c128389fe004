/**
 * The only access to the exchange: commands run in turns.
 *
 * Invariants: a turn takes all waiting tasks, applies their commands one after the other and waits until they are durable. Then it
 * notifies watchers, answers tasks and does waiting reads, in this order; then the next turn begins. So at every read and every
 * answer the exchange stands exactly where the disk does: nobody sees a consequence of something that may be lost, and no read
 * needs a copy. When the queue is idle, a read happens at once, and so does a command if the journal answers at once. After a fault
 * of the journal or a broken invariant everything fails, and the host has to end the process.
 */
import type { Clock } from '../clock/index.ts';
import type { EpochMs, Fault } from '../domain/index.ts';
import {
  type ExchangeCommand,
  type ExchangeEvent,
  type ExchangeView,
  type Journal,
  JournaledExchange,
  type JournaledOptions,
  type Registry,
  type RegistryChange,
  type StateMachine,
} from '../exchange/index.ts';
import { rateLimited } from '../protocol/index.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import {
  clockAheadFault,
  closingFault,
  PendingCommand,
  PendingResult,
  type QueuedCommand,
  stoppedFault,
  type Task,
  WatchedMachine,
  type Watcher,
} from './pending-command.ts';

/** Options of `CommandQueue`. */
export interface CommandQueueOptions
  extends Pick<JournaledOptions, 'snapshotEvery' | 'hashEvery' | 'maxTimeStep' | 'onSnapshotFault'> {
  /** After recovery. */
  readonly machine: StateMachine;
  /** The view of the machine's exchange. */
  readonly view: ExchangeView;
  /** Ends where the machine stands. */
  readonly journal: Journal;
  /** From the same store as the journal: its changes go with the next batch. */
  readonly registry: Pick<Registry, 'put'>;
  readonly clock: Clock;
  /** The exchange has stopped for good. Called once; the process has to end. */
  readonly onStop: (cause: unknown) => void;
  /** Most waiting tasks, and most waiting reads; more are refused. Default 20,000. */
  readonly maxWaiting?: number;
}

const MAX_WAITING = 20_000;
/** Retry delay for clients that are refused because too many wait, ms. */
const BUSY_RETRY_MS = 250;

/** Runs commands on the exchange and reads from it. */
export class CommandQueue {
  readonly view: ExchangeView;
  readonly #clock: Clock;
  readonly #registry: Pick<Registry, 'put'>;
  readonly #exchange: JournaledExchange;
  readonly #watchers = new Set<Watcher>();
  readonly #maxWaiting: number;
  readonly #onStop: (cause: unknown) => void;
  /** The commands of the turn. */
  #current: readonly QueuedCommand[] = [];
  #applying: QueuedCommand | undefined;
  #waiting: QueuedCommand[] = [];
  #reads: (() => void)[] = [];
  #whenIdle: (() => void)[] = [];
  readonly #timer: DeadlineTimer;
  /** A turn is running. */
  #isBusy = false;
  #durable: Pick<ExchangeView, 'seq' | 'mode'>;
  /** The exchange may be ahead of the disk. */
  #isAhead = false;
  #isClosing = false;
  #stopped: { readonly cause: unknown } | undefined;

  /** @throws RangeError as `JournaledExchange` */
  constructor(options: CommandQueueOptions) {
    const { machine, view, journal, registry, clock, onStop, maxWaiting = MAX_WAITING, ...journaled } = options;
    this.view = view;
    this.#durable = { seq: view.seq, mode: view.mode };
    this.#clock = clock;
    this.#registry = registry;
    this.#onStop = onStop;
    this.#maxWaiting = maxWaiting;
    const watched = new WatchedMachine(machine, (_command, isRefused) => this.#onApplied(isRefused));
    const onFault = (fault: Fault): void => this.stop(fault);
    this.#exchange = new JournaledExchange({ ...journaled, machine: watched, journal, onFault });
    this.#timer = new DeadlineTimer(clock, () => this.#onDeadline());
  }

  /** Server time, which commands carry. */
  get now(): EpochMs {
    return this.#clock.now();
  }

  /** The last durable event and the mode as of it. Reading it never waits. */
  get durable(): Pick<ExchangeView, 'seq' | 'mode'> {
    return this.#durable;
  }

  /** Waiting tasks and reads, for metrics. */
  get waiting(): number {
    return this.#waiting.length + this.#reads.length;
  }

  /** Starts: what fell due while the server was down happens now. Call it once, when all watchers are there. */
  start(): void {
    if (!this.#isBusy) this.#timer.set(this.view.nextDeadline);
  }

  /**
   * Runs a task in the next turn: at once when the queue is idle.
   * @returns its answer, or a promise of it when it has to wait
   * @throws what the task throws; WireFault RATE_LIMITED when too many wait; Fault when the queue is closing or has stopped
   */
  run<Result>(task: Task<Result>): Result | Promise<Result> {
    this.#assertRunning();
    if (this.#isClosing) throw closingFault();
    if (this.#waiting.length >= this.#maxWaiting) throw rateLimited(BUSY_RETRY_MS);
    const pending = new PendingResult<Result>();
    this.#enqueue(new PendingCommand(task, pending));
    return pending.result();
  }

  /**
   * Runs a command. Resolves with its events, including refusals, when it is durable. By then the exchange may be further and ahead
   * of the disk: use `run` to show a consequence.
   * @param changes registry rows for the same transaction; not written when the command is refused or changes nothing
   */
  async execute(command: ExchangeCommand, changes: readonly RegistryChange[] = []): Promise<readonly ExchangeEvent[]> {
    return this.run({
      command: () => command,
      onApplied: () => {
        for (const change of changes) this.#registry.put(change);
      },
      answer: (events) => events,
    });
  }

  /**
   * Reads durable state: at once when no command is being applied, else at the end of the turn.
   * @throws what `query` throws; else as `run`
   */
  read<Result>(query: (view: ExchangeView) => Result): Result | Promise<Result> {
    this.#assertRunning();
    if (!this.#isAhead) return query(this.view);
    if (this.#reads.length >= this.#maxWaiting) throw rateLimited(BUSY_RETRY_MS);
    const pending = new PendingResult<Result>();
    this.#reads.push(() =>
      this.#stopped === undefined
        ? pending.settle(() => query(this.view))
        : pending.fail(stoppedFault(this.#stopped.cause)),
    );
    return pending.result();
  }

  /** @returns a function that removes the watcher */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Takes a snapshot as soon as possible. @throws Fault when the queue has stopped */
  snapshot(): void {
    this.#assertRunning();
    this.#exchange.snapshot();
  }

  /** Refuses new tasks and resolves when the waiting ones are done. Reads go on. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#timer.set(undefined);
    return new Promise((resolve) => {
      if (this.#isBusy && this.#stopped === undefined) this.#whenIdle.push(resolve);
      else resolve();
    });
  }

  /** Fails everything for good and reports the cause to the host. A second call does nothing. */
  stop(cause: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = { cause };
    this.#timer.set(undefined);
    const fault = stoppedFault(cause);
    for (const entry of [...this.#current, ...this.#waiting]) entry.fail(fault);
    for (const read of this.#reads) read();
    for (const resolve of this.#whenIdle) resolve();
    this.#current = [];
    this.#waiting = [];
    this.#reads = [];
    this.#whenIdle = [];
    this.#onStop(cause);
  }

  #enqueue(entry: QueuedCommand): void {
    if (this.#isBusy) this.#waiting.push(entry);
    else {
      this.#isBusy = true;
      this.#beginTurn([entry]);
    }
  }

  /** Begins one turn: its commands are one batch of the journal, also when it begins inside the delivery of the last one. */
  #beginTurn(entries: readonly QueuedCommand[]): void {
    this.#current = entries;
    this.#isAhead = true;
    const [only] = entries;
    try {
      if (entries.length === 1 && only !== undefined) {
        if (!this.#apply(only, this.#endTurn)) this.#endTurn();
        return;
      }
      for (const entry of entries) this.#apply(entry);
      this.#exchange.whenDurable(this.#endTurn);
    } catch (cause) {
      this.stop(cause);
    }
  }

  /** @returns whether there was a command */
  #apply(entry: QueuedCommand, done?: () => void): boolean {
    try {
      entry.command = entry.task.command();
    } catch (error) {
      entry.fail(error);
    }
    if (entry.command === undefined) return false;
    this.#applying = entry;
    this.#exchange.apply(entry.command, entry, done);
    return true;
  }

  #onApplied(isRefused: boolean): void {
    const entry = this.#applying;
    if (entry === undefined) return;
    entry.appliedAt = this.view.now;
    if (!isRefused) entry.task.onApplied?.();
  }

  /** The whole turn is durable. */
  readonly #endTurn = (): void => {
    this.#isAhead = false;
    try {
      this.#notifyWatchers(this.#current);
      for (const entry of this.#current) entry.settle();
      const reads = this.#reads;
      this.#reads = [];
      for (const read of reads) read();
    } catch (cause) {
      this.stop(cause);
    }
    if (this.#stopped !== undefined) return;
    const next = this.#waiting;
    this.#waiting = [];
    if (next.length > 0) this.#beginTurn(next);
    else this.#becomeIdle();
  };

  #notifyWatchers(entries: readonly QueuedCommand[]): void {
    let hasChanged = false;
    for (const { command, events, appliedAt } of entries) {
      if (appliedAt === undefined || command === undefined) continue;
      hasChanged = true;
      for (const watcher of this.#watchers) watcher.onCommitted(events, command, appliedAt);
    }
    if (!hasChanged) return;
    for (const watcher of this.#watchers) watcher.onTurnEnd?.();
    this.#durable = { seq: this.view.seq, mode: this.view.mode };
  }

  #becomeIdle(): void {
    this.#isBusy = false;
    this.#current = [];
    const whenIdle = this.#whenIdle;
    this.#whenIdle = [];
    for (const resolve of whenIdle) resolve();
    if (!this.#isClosing) this.#timer.set(this.view.nextDeadline);
  }

  #onDeadline(): void {
    if (this.#stopped !== undefined || this.#isClosing) return;
    const answer = (events: readonly ExchangeEvent[]): void => {
      if (events.some(({ type }) => type === 'refused')) this.stop(clockAheadFault());
    };
    // Nobody waits for this result: when it fails, the queue has stopped.
    const task: Task<void> = { command: () => ({ type: 'tick', time: this.now }), answer };
    this.#enqueue(new PendingCommand(task, new PendingResult()));
  }

  #assertRunning(): void {
    if (this.#stopped !== undefined) throw stoppedFault(this.#stopped.cause);
  }
}
