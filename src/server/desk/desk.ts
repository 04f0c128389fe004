/**
 * The only door to the exchange: commands in turns.
 *
 * Invariants: a turn takes all tasks that wait, applies their commands one after the other and waits until they are
 * durable; then watchers are told, tasks answered, waiting reads done, in this order; then the next turn begins. So at the
 * moment of any look or answer the engine stands exactly where the disk does: nobody ever sees a consequence of something
 * that may be lost, and no look needs a copy. With nothing under way a look happens at once, and so does a command where
 * the journal answers at once. After a fault of the journal, or a broken invariant, everything fails and the host is told
 * to end.
 */
import type { Clock } from '../../clock/index.ts';
import { type EpochMs, Fault } from '../../domain/index.ts';
import {
  type ExchangeCommand,
  type ExchangeEvent,
  type ExchangeView,
  JournaledExchange,
  type Registry,
  type RegistryChange,
} from '../../exchange/index.ts';
import { rateLimited } from '../../protocol/index.ts';
import { DeadlineTimer } from './deadline-timer.ts';
import type { DeskOptions } from './desk-options.ts';
import { type Entry, TaskEntry } from './entry.ts';
import { Pending } from './pending.ts';
import type { Task, Watcher } from './task.ts';
import { WatchedMachine } from './watched-machine.ts';

const MOST_WAITING = 20_000;
/** What a client that is turned away is told to wait, ms. */
const BUSY_RETRY_MS = 250;

/** Asks the exchange, and looks at it. */
export class Desk {
  readonly view: ExchangeView;
  readonly #clock: Clock;
  readonly #registry: Pick<Registry, 'put'>;
  readonly #exchange: JournaledExchange;
  readonly #timer: DeadlineTimer;
  readonly #watchers = new Set<Watcher>();
  readonly #mostWaiting: number;
  readonly #onStop: (cause: unknown) => void;
  #current: readonly Entry[] = [];
  #applying: Entry | undefined;
  #queue: Entry[] = [];
  #looks: (() => void)[] = [];
  #idle: (() => void)[] = [];
  /** A turn is under way. */
  #isBusy = false;
  /** The engine may be ahead of the disk. */
  #isAhead = false;
  #isClosing = false;
  #stopped: { readonly cause: unknown } | undefined;

  /** @throws RangeError as `JournaledExchange` */
  constructor(options: DeskOptions) {
    const { machine, view, journal, registry, clock, onStop, mostWaiting = MOST_WAITING, ...journaled } = options;
    this.view = view;
    this.#clock = clock;
    this.#registry = registry;
    this.#onStop = onStop;
    this.#mostWaiting = mostWaiting;
    const watched = new WatchedMachine(machine, (command, isRefused) => this.#onApplied(command, isRefused));
    const onFault = (fault: Fault): void => this.stop(fault);
    this.#exchange = new JournaledExchange({ ...journaled, machine: watched, journal, onFault });
    this.#timer = new DeadlineTimer(clock, () => this.#tick());
  }

  /** Server time: commands carry it. */
  get now(): EpochMs {
    return this.#clock.now();
  }

  /** Tasks and looks that wait for a turn: for metrics. */
  get waiting(): number {
    return this.#queue.length + this.#looks.length;
  }

  /** Begins: what fell due while nobody was here happens now. To be called once, when all watchers are there. */
  start(): void {
    if (!this.#isBusy) this.#timer.set(this.view.nextDeadline);
  }

  /**
   * Does a task in the next turn: at once when nothing is under way.
   * @returns its answer, or a promise of it where it has to wait
   * @throws what the task throws; WireFault RATE_LIMITED when too many wait; Fault when the desk is closed or has stopped
   */
  run<Result>(task: Task<Result>): Result | Promise<Result> {
    this.#assertRunning();
    if (this.#isClosing)
      throw new Fault('DESK_CLOSED', 'the exchange takes no commands any more: the server is closing');
    if (this.#queue.length >= this.#mostWaiting) throw rateLimited(BUSY_RETRY_MS);
    const pending = new Pending<Result>();
    this.#enqueue(new TaskEntry(task, pending));
    return pending.result();
  }

  /**
   * Asks a command; what it told, refusals too, when it is durable. Where it is awaited the engine may be further, and ahead
   * of the disk: whoever shows a consequence makes it within `run`.
   * @param changes committed in the same transaction; where the command is refused, or tells nothing, none is ever written
   */
  async ask(command: ExchangeCommand, changes: readonly RegistryChange[] = []): Promise<readonly ExchangeEvent[]> {
    return this.run({
      command: () => command,
      applied: () => {
        for (const change of changes) this.#registry.put(change);
      },
      answer: (events) => events,
    });
  }

  /**
   * Looks at what is durable: at once when nothing is under way, else at the end of the turn.
   * @throws what `look` throws; else as `run`
   */
  read<Result>(look: (view: ExchangeView) => Result): Result | Promise<Result> {
    this.#assertRunning();
    if (!this.#isAhead) return look(this.view);
    if (this.#looks.length >= this.#mostWaiting) throw rateLimited(BUSY_RETRY_MS);
    const pending = new Pending<Result>();
    this.#looks.push(() =>
      this.#stopped === undefined
        ? pending.settle(() => look(this.view))
        : pending.fail(stoppedFault(this.#stopped.cause)),
    );
    return pending.result();
  }

  /** @returns what ends the watch */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Takes a snapshot as soon as it can be. @throws Fault when the desk has stopped */
  snapshot(): void {
    this.#assertRunning();
    this.#exchange.snapshot();
  }

  /** Takes no tasks any more and resolves when those that wait are done. Looks go on. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#timer.set(undefined);
    return new Promise((resolve) => {
      if (this.#isBusy && this.#stopped === undefined) this.#idle.push(resolve);
      else resolve();
    });
  }

  /** Fails everything, for good; the host is told why. A second time does nothing. */
  stop(cause: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = { cause };
    this.#timer.set(undefined);
    const fault = stoppedFault(cause);
    for (const entry of [...this.#current, ...this.#queue]) entry.fail(fault);
    for (const look of this.#looks) look();
    for (const resolve of this.#idle) resolve();
    this.#current = [];
    this.#queue = [];
    this.#looks = [];
    this.#idle = [];
    this.#onStop(cause);
  }

  #enqueue(entry: Entry): void {
    if (this.#isBusy) this.#queue.push(entry);
    else {
      this.#isBusy = true;
      this.#begin([entry]);
    }
  }

  /** One turn. Called from within the delivery of the one before, all its commands are one batch of the journal. */
  #begin(entries: readonly Entry[]): void {
    this.#current = entries;
    this.#isAhead = true;
    const [only] = entries;
    try {
      if (entries.length === 1 && only !== undefined) {
        if (this.#prepare(only)) this.#apply(only, this.#end);
        else this.#end();
        return;
      }
      for (const entry of entries) if (this.#prepare(entry)) this.#apply(entry);
      this.#exchange.whenDurable(this.#end);
    } catch (cause) {
      this.stop(cause);
    }
  }

  /** @returns whether there is a command */
  #prepare(entry: Entry): boolean {
    try {
      entry.command = entry.task.command();
    } catch (error) {
      entry.fail(error);
    }
    return entry.command !== undefined;
  }

  #apply(entry: Entry, done?: () => void): void {
    if (entry.command === undefined) return;
    this.#applying = entry;
    this.#exchange.apply(entry.command, entry, done);
  }

  #onApplied(command: ExchangeCommand, isRefused: boolean): void {
    const entry = this.#applying;
    if (entry !== undefined) {
      entry.hasChanged = true;
      if (!isRefused) entry.task.applied?.();
    }
    for (const watcher of this.#watchers) watcher.applied?.(command);
  }

  /** All of the turn is durable. */
  readonly #end = (): void => {
    this.#isAhead = false;
    try {
      this.#tell(this.#current);
      for (const entry of this.#current) entry.settle();
      const looks = this.#looks;
      this.#looks = [];
      for (const look of looks) look();
    } catch (cause) {
      this.stop(cause);
    }
    if (this.#stopped !== undefined) return;
    const next = this.#queue;
    this.#queue = [];
    if (next.length > 0) this.#begin(next);
    else this.#rest();
  };

  #tell(entries: readonly Entry[]): void {
    let hasChanged = false;
    for (const { command, events, hasChanged: isNews } of entries) {
      if (!isNews || command === undefined) continue;
      hasChanged = true;
      for (const watcher of this.#watchers) watcher.told(events, command);
    }
    if (hasChanged) for (const watcher of this.#watchers) watcher.settled?.();
  }

  #rest(): void {
    this.#isBusy = false;
    this.#current = [];
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
    if (!this.#isClosing) this.#timer.set(this.view.nextDeadline);
  }

  /** A deadline has come. */
  #tick(): void {
    if (this.#stopped !== undefined || this.#isClosing) return;
    const answer = (events: readonly ExchangeEvent[]): void => {
      const refused = events.find(({ type }) => type === 'refused');
      if (refused === undefined) return;
      const message =
        'the clock is further ahead of the last event than the exchange follows: set it right, or let it follow further (maxTimeStep)';
      this.stop(new Fault('CLOCK_AHEAD', message));
    };
    // Nobody waits for it: where it fails, the desk has stopped.
    this.#enqueue(new TaskEntry({ command: () => ({ type: 'tick', time: this.now }), answer }, new Pending()));
  }

  #assertRunning(): void {
    if (this.#stopped !== undefined) throw stoppedFault(this.#stopped.cause);
  }
}

function stoppedFault(cause: unknown): Fault {
  return new Fault('DESK_STOPPED', 'the exchange has stopped: what is durable stands after a new start', { cause });
}
