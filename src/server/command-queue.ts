/**
 * The only access to the exchange: commands run in batches.
 *
 * Invariants: a batch consists of all waiting tasks. It applies their commands in order and waits until they are
 * durable, then notifies watchers, answers tasks and runs waiting reads, in this order. Then the next batch begins. At
 * every read and answer, the exchange's state therefore equals the state on the disk. So no client sees a command that
 * may be lost, and no read needs a copy. An idle queue runs reads synchronously, and commands too if the journal
 * commits synchronously. After a journal fault or a broken invariant, all tasks fail, and the host must stop.
 */
import { type EpochMs, Fault } from '../domain/index.ts';
import type {
  AppliedCommand,
  ExchangeCommand,
  ExchangeEvent,
  ExchangeView,
  RegistryChange,
} from '../exchange/index.ts';
import { rateLimited } from '../protocol/index.ts';
import {
  type CommandQueueOptions,
  closingFault,
  stoppedFault,
  type Task,
  type Watcher,
} from './command-queue-types.ts';
import { DeadlineTimer } from './deadline-timer.ts';

const MAX_WAITING = 20_000;
/** Retry delay that clients get when the queue is full, ms. */
const BUSY_RETRY_MS = 250;

export class CommandQueue {
  readonly view: ExchangeView;
  readonly #options: CommandQueueOptions;
  readonly #maxWaiting: number;
  readonly #watchers = new Set<Watcher>();
  #current: readonly QueuedTask<unknown>[] = [];
  #waiting: QueuedTask<unknown>[] = [];
  readonly #reads: (() => void)[] = [];
  readonly #onIdle: (() => void)[] = [];
  readonly #timer: DeadlineTimer;
  #isBusy = false;
  #durable: Pick<ExchangeView, 'seq' | 'mode'>;
  /** True if the exchange may be ahead of the disk. */
  #isAhead = false;
  #isClosing = false;
  #stopped: { readonly cause: unknown } | undefined;

  /** @param maxWaiting limit of waiting tasks, and of waiting reads */
  constructor(options: CommandQueueOptions, maxWaiting = MAX_WAITING) {
    this.#maxWaiting = maxWaiting;
    const { view, clock } = options;
    this.view = view;
    this.#options = options;
    this.#durable = { seq: view.seq, mode: view.mode };
    this.#timer = new DeadlineTimer(clock, () => this.#onDeadline());
  }

  /** Server time, the time of new commands. */
  get now(): EpochMs {
    return this.#options.clock.now();
  }

  /** Sequence number of the last durable event, and the mode after this event. */
  get durable(): Pick<ExchangeView, 'seq' | 'mode'> {
    return this.#durable;
  }

  get waitingCount(): number {
    return this.#waiting.length + this.#reads.length;
  }

  /** Starts the deadline timer and runs overdue deadlines now. Call this once, after all watchers are added. */
  start(): void {
    if (!this.#isBusy) this.#timer.set(this.view.nextDeadline);
  }

  /**
   * Runs a task in the next batch, which begins now when the queue is idle.
   * @returns the answer, or a promise if the task has to wait
   * @throws the task's error; WireFault RATE_LIMITED for a full queue; Fault for a closing or stopped queue
   */
  run<Result>(task: Task<Result>): Result | Promise<Result> {
    this.#assertRunning();
    if (this.#isClosing) throw closingFault();
    this.#assertNotFull(this.#waiting);
    const queued = new QueuedTask(task);
    this.#enqueue(queued);
    return queued.result();
  }

  /**
   * Runs a command. Resolves with the command's events, including refusals, when the command is durable. A later batch
   * may be running then, so use `run` to read the resulting state.
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
   * Reads durable state: synchronously between batches, otherwise at the end of the running batch.
   * @throws the error of `query`, and the errors of `run`
   */
  read<Result>(query: (view: ExchangeView) => Result): Result | Promise<Result> {
    this.#assertRunning();
    if (!this.#isAhead) return query(this.view);
    this.#assertNotFull(this.#reads);
    return new Promise((resolve, reject) => {
      this.#reads.push(() => {
        try {
          this.#assertRunning();
          resolve(query(this.view));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Requests a snapshot. @throws Fault when the queue has stopped */
  snapshot(): void {
    this.#assertRunning();
    this.#options.exchange.snapshot();
  }

  /** Refuses new tasks and resolves when the waiting tasks are done. Reads stay possible. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#timer.set(undefined);
    if (this.#isBusy && this.#stopped === undefined) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Stops permanently: fails all tasks and reads, and reports the cause to the host. A second call does nothing. */
  stop(cause: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = { cause };
    this.#timer.set(undefined);
    for (const queued of [...this.#current, ...this.#waiting]) queued.fail(stoppedFault(cause));
    for (const read of this.#reads.splice(0)) read();
    for (const resolve of this.#onIdle.splice(0)) resolve();
    this.#current = [];
    this.#waiting = [];
    this.#options.onStop(cause);
  }

  #enqueue(queued: QueuedTask<unknown>): void {
    this.#waiting.push(queued);
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#runBatches();
  }

  /** Runs batches until one waits for the disk or no task waits. Loops, because a journal may commit synchronously. */
  #runBatches(): void {
    while (!this.#isAhead && this.#stopped === undefined && this.#waiting.length > 0) {
      const tasks = this.#waiting;
      this.#waiting = [];
      this.#runBatch(tasks);
    }
    if (this.#isAhead || this.#stopped !== undefined) return;
    this.#isBusy = false;
    this.#current = [];
    for (const resolve of this.#onIdle.splice(0)) resolve();
    if (!this.#isClosing) this.#timer.set(this.view.nextDeadline);
  }

  #runBatch(tasks: readonly QueuedTask<unknown>[]): void {
    this.#current = tasks;
    this.#isAhead = true;
    try {
      for (const queued of tasks) this.#apply(queued);
      let hasCommitReturned = false;
      this.#options.exchange.commit((fault) => {
        if (fault === undefined) this.#endBatch();
        else this.stop(fault);
        if (hasCommitReturned) this.#runBatches();
      });
      hasCommitReturned = true;
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
    queued.applied = this.#options.exchange.apply(command);
    if (queued.applied.hasChanged && !queued.applied.isRefused) queued.task.onApplied?.();
  }

  #endBatch(): void {
    this.#isAhead = false;
    try {
      this.#notifyWatchers(this.#current);
      for (const queued of this.#current) queued.answer();
      for (const read of this.#reads.splice(0)) read();
    } catch (cause) {
      this.stop(cause);
    }
  }

  #notifyWatchers(tasks: readonly QueuedTask<unknown>[]): void {
    let hasChanged = false;
    for (const { applied } of tasks) {
      if (applied === undefined || !applied.hasChanged) continue;
      hasChanged = true;
      for (const watcher of this.#watchers) watcher.onCommitted?.(applied.events, applied.command, applied.at);
    }
    if (!hasChanged) return;
    for (const watcher of this.#watchers) watcher.onBatchEnd?.();
    this.#durable = { seq: this.view.seq, mode: this.view.mode };
  }

  #onDeadline(): void {
    if (this.#stopped !== undefined || this.#isClosing) return;
    const answer = (events: readonly ExchangeEvent[]): void => {
      if (!events.some(({ type }) => type === 'refused')) return;
      const problem = 'the clock is further ahead of the last event than the exchange accepts';
      this.stop(new Fault('CLOCK_AHEAD', `${problem}: correct the clock`));
    };
    // Nothing reads the task's result. The task can fail only when the queue stops, which reports the cause.
    this.#enqueue(new QueuedTask({ command: () => ({ type: 'tick', time: this.now }), answer }));
  }

  #assertRunning(): void {
    if (this.#stopped !== undefined) throw stoppedFault(this.#stopped.cause);
  }

  #assertNotFull(waiting: readonly unknown[]): void {
    if (waiting.length >= this.#maxWaiting) throw rateLimited(BUSY_RETRY_MS);
  }
}

/** A task with its result. Creates a promise only when the caller has to wait. */
class QueuedTask<Result> {
  readonly task: Task<Result>;
  applied: AppliedCommand | undefined;
  #completion: { readonly value: Result } | { readonly error: unknown } | undefined;
  #promise: { resolve(value: Result): void; reject(error: unknown): void } | undefined;

  constructor(task: Task<Result>) {
    this.task = task;
  }

  /** Does nothing if the task has failed. */
  answer(): void {
    if (this.#completion !== undefined) return;
    try {
      const value = this.task.answer(this.applied?.events ?? []);
      this.#completion ??= { value };
      this.#promise?.resolve(value);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Does nothing if the task has a result. */
  fail(error: unknown): void {
    if (this.#completion !== undefined) return;
    this.#completion = { error };
    this.#promise?.reject(error);
  }

  /** Returns the result, or a promise if the task has no result yet. Call this once. @throws the task's error */
  result(): Result | Promise<Result> {
    if (this.#completion === undefined) {
      const waiting = Promise.withResolvers<Result>();
      this.#promise = waiting;
      return waiting.promise;
    }
    if ('error' in this.#completion) throw this.#completion.error;
    return this.#completion.value;
  }
}
