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
import { type EpochMs, Fault } from '../domain/index.ts';
import type {
  DurableExchange,
  ExchangeCommand,
  ExchangeEvent,
  ExchangeView,
  Registry,
  RegistryChange,
} from '../exchange/index.ts';
import { rateLimited } from '../protocol/index.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import { closingFault, PendingResult, QueuedTask, stoppedFault, type Task } from './queued-task.ts';

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

/** Options of `CommandQueue`. */
export interface CommandQueueOptions {
  readonly exchange: DurableExchange;
  /** The view of the exchange. */
  readonly view: ExchangeView;
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
  readonly #options: CommandQueueOptions;
  readonly #exchange: DurableExchange;
  readonly #watchers = new Set<Watcher>();
  /** The commands of the turn. */
  #current: readonly QueuedTask<unknown>[] = [];
  #waiting: QueuedTask<unknown>[] = [];
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

  constructor(options: CommandQueueOptions) {
    const { exchange, view, clock } = options;
    this.view = view;
    this.#options = options;
    this.#exchange = exchange;
    this.#durable = { seq: view.seq, mode: view.mode };
    this.#timer = new DeadlineTimer(clock, () => this.#onDeadline());
  }

  /** Server time, which commands carry. */
  get now(): EpochMs {
    return this.#options.clock.now();
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
    this.#assertRoom(this.#waiting);
    const queued = new QueuedTask(task);
    this.#enqueue(queued);
    return queued.result();
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
        for (const change of changes) this.#options.registry.put(change);
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
    this.#assertRoom(this.#reads);
    const pending = new PendingResult<Result>();
    this.#reads.push(() => this.#settle(pending, () => query(this.view)));
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
    for (const queued of [...this.#current, ...this.#waiting]) queued.fail(fault);
    for (const read of this.#reads) read();
    for (const resolve of this.#whenIdle) resolve();
    this.#current = [];
    this.#waiting = [];
    this.#reads = [];
    this.#whenIdle = [];
    this.#options.onStop(cause);
  }

  #enqueue(queued: QueuedTask<unknown>): void {
    this.#waiting.push(queued);
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#runTurns();
  }

  /** Runs turns until one waits for the disk or no task waits. A loop, because a journal may answer at once. */
  #runTurns(): void {
    while (!this.#isAhead && this.#stopped === undefined && this.#waiting.length > 0) {
      const tasks = this.#waiting;
      this.#waiting = [];
      this.#runTurn(tasks);
    }
    if (!this.#isAhead && this.#stopped === undefined) this.#becomeIdle();
  }

  /** Applies the commands of a turn and makes them durable. */
  #runTurn(tasks: readonly QueuedTask<unknown>[]): void {
    this.#current = tasks;
    this.#isAhead = true;
    try {
      for (const queued of tasks) this.#apply(queued);
      let isLater = false;
      this.#exchange.commit((fault) => {
        if (fault === undefined) this.#endTurn();
        else this.stop(fault);
        if (isLater) this.#runTurns();
      });
      isLater = true;
    } catch (cause) {
      this.stop(cause);
    }
  }

  #apply(queued: QueuedTask<unknown>): void {
    let command: ExchangeCommand | undefined;
    try {
      command = queued.task.command();
    } catch (error) {
      queued.fail(error);
    }
    if (command === undefined) return;
    queued.applied = this.#exchange.apply(command);
    if (queued.applied.hasChanged && !queued.applied.isRefused) queued.task.onApplied?.();
  }

  /** The whole turn is durable. */
  #endTurn(): void {
    this.#isAhead = false;
    try {
      this.#notifyWatchers(this.#current);
      for (const queued of this.#current) {
        this.#settle(queued, () => queued.task.answer(queued.applied?.events ?? []));
      }
      const reads = this.#reads;
      this.#reads = [];
      for (const read of reads) read();
    } catch (cause) {
      this.stop(cause);
    }
  }

  #settle<Result>(pending: PendingResult<Result>, make: () => Result): void {
    if (pending.isSettled) return;
    try {
      this.#assertRunning();
      pending.resolve(make());
    } catch (error) {
      pending.fail(error);
    }
  }

  #notifyWatchers(tasks: readonly QueuedTask<unknown>[]): void {
    let hasChanged = false;
    for (const { applied } of tasks) {
      if (applied === undefined || !applied.hasChanged) continue;
      hasChanged = true;
      for (const watcher of this.#watchers) watcher.onCommitted(applied.events, applied.command, applied.at);
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
      if (!events.some(({ type }) => type === 'refused')) return;
      const problem = 'the clock is further ahead of the last event than the exchange follows';
      this.stop(new Fault('CLOCK_AHEAD', `${problem}: set it right, or let it follow further (maxTimeStep)`));
    };
    // Nobody waits for this result: when it fails, the queue has stopped.
    this.#enqueue(new QueuedTask({ command: () => ({ type: 'tick', time: this.now }), answer }));
  }

  #assertRunning(): void {
    if (this.#stopped !== undefined) throw stoppedFault(this.#stopped.cause);
  }

  #assertRoom(waiting: readonly unknown[]): void {
    const { maxWaiting = MAX_WAITING } = this.#options;
    if (waiting.length >= maxWaiting) throw rateLimited(BUSY_RETRY_MS);
  }
}
