/**
 * The event loop of every mode. Passes the venue's input and timer events to the core, stores the core's output, sends
 * the commands, then publishes the steps.
 *
 * Invariants: no byte of a command is sent before its step is durable in the store, except the `cancelAll` after a
 * fault. The fault is thrown to the caller that passed the input. Each later input throws the same fault.
 */
import { type Clock, monotonic } from '../clock/index.ts';
import {
  type EpochMs,
  Fault,
  type InputEvent,
  type OrderCommand,
  StrategyFault,
  thrownText,
  type VenueEvent,
} from '../domain/index.ts';
import { type Block, Cursor } from '../tape/index.ts';
import type { TimerChange } from './effects.ts';
import {
  type Core,
  type EventStore,
  type Outbox,
  placedOrders,
  type Step,
  type Venue,
  type VenueSession,
  type VenueSink,
} from './ports.ts';
import { type StrategyInstance, signalNames } from './strategy-instance.ts';
import { TimerScheduler } from './timer-scheduler.ts';

/** Receives market data that the core has processed. The listener must not change the data or throw. */
export type RowListener = VenueSink['rows'];

/** An event that neither the venue nor the run causes, without its time. */
export type SubmittedEvent = WithoutTime<
  Exclude<InputEvent, VenueEvent | { type: 'started' | 'stopped' | 'timerFired' | 'woke' }>
>;

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'time'> : never;

export interface RunOptions {
  readonly core: Core;
  readonly clock: Clock;
  readonly venue: Venue;
  readonly store: EventStore;
  /** The strategy instances of the core. */
  readonly instances: readonly StrategyInstance[];
  /** Called after steps were stored and their commands sent. Listeners must not change the steps or throw. */
  readonly stepListeners?: readonly ((steps: readonly Step[]) => void)[];
  /** Called after commands were sent, with the times of their input, decision and sending; ms of `monotonic`. */
  readonly onSent?: (begunAt: number, decidedAt: number, sentAt: number) => void;
  /** Receives the fault of each instance that is no longer called, after the cancels of its orders were sent. */
  readonly onInstanceRetired?: (fault: Error) => void;
}

export class Run implements VenueSink {
  readonly #options: RunOptions;
  /** Arrival time of the current input, ms of `monotonic`; 0 without `onSent`. */
  #stepStartedAt = 0;
  readonly #out: Outbox = { steps: [], commands: [], fault: undefined };
  #rowListener: RowListener | undefined;
  #cursor: Cursor | undefined;
  #session: VenueSession | undefined;
  #fault: Error | undefined;
  #isBusy = false;
  readonly #timers: TimerScheduler;
  #cancelWake: () => void = () => {};
  /** Whether the run was stopped or closed. No strategy starts after that. */
  #isOver = false;
  /** Commands that were issued before the connection to the venue. */
  #earlyCommands: readonly OrderCommand[] = [];

  constructor(options: RunOptions) {
    const { clock } = options;
    this.#options = options;
    this.#timers = new TimerScheduler(clock, (instance, timer) => {
      this.#step({ type: 'timerFired', time: clock.now(), bot: instance, timer });
    });
  }

  /** The fault that ended the run. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /**
   * Connects, which makes the venue report its current state. Then starts the strategies and their timers.
   * @throws Error on a second start; Fault STOPPED if `stop` or `close` was called while connecting
   */
  async start(): Promise<void> {
    if (this.#session !== undefined) throw new Error('Invariant: a run starts once');
    const session = await this.#options.venue.connect(this);
    this.#session = session;
    if (this.#isOver) {
      await this.close();
      throw new Fault('STOPPED', 'the run was stopped while it was starting');
    }
    if (this.#earlyCommands.length > 0) session.send(this.#earlyCommands);
    this.#step({ type: 'started', time: this.#options.clock.now() });
  }

  /**
   * Calls `onStop`, cancels all orders and stops all timers. Answers may still arrive until `close`. While the run
   * connects, `stop` aborts the connection attempt instead.
   */
  stop(): void {
    this.#isOver = true;
    this.#stopTimers();
    if (this.#session === undefined) void this.#options.venue.abortConnect?.();
    else this.#step({ type: 'stopped', time: this.#options.clock.now() });
  }

  /** Disconnects from the venue, even after a fault. A second call does nothing. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#stopTimers();
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) await this.#options.venue.abortConnect?.();
    else await session.close();
  }

  /** Returns the names of the signals that strategies read; undefined if a strategy reads all signals. */
  signalNames(): readonly string[] | undefined {
    return signalNames(this.#options.core.instances ?? this.#options.instances);
  }

  /** Processes an event now: an operator's command, a signal, or a change of markets or parameters. */
  submit(event: SubmittedEvent): void {
    this.#step({ time: this.#options.clock.now(), ...event });
  }

  /** Sets the only listener to market data; undefined removes it. */
  listenToRows(listener: RowListener | undefined): void {
    this.#rowListener = listener;
  }

  rows(block: Block, from: number, to: number): void {
    const { core } = this.#options;
    this.#beginStep();
    try {
      this.#cursor ??= new Cursor(block);
      const cursor = this.#cursor;
      cursor.block = block;
      for (cursor.row = from; cursor.row < to; cursor.row += 1) {
        core.market(cursor, this.#out);
        if (this.#out.steps.length > 0) this.#flush();
        else if (this.#out.wakeAt !== undefined) this.#armWake(this.#out.wakeAt);
        if (this.#out.timers !== undefined) this.#changeTimers(this.#out.timers);
      }
      this.#rowListener?.(block, from, to);
    } catch (error) {
      this.#crash(error);
    }
    this.#isBusy = false;
  }

  event(event: VenueEvent, position?: number): void {
    this.#step(event, position);
  }

  #step(event: InputEvent, position?: number): void {
    this.#beginStep();
    try {
      this.#options.core.step(event, this.#out);
      this.#flush(position);
    } catch (error) {
      this.#crash(error);
    }
    this.#isBusy = false;
  }

  /** Stores the output, then sends and publishes it. Throws a strategy's fault last. */
  #flush(position?: number): void {
    const { steps, commands, fault, wakeAt, instanceFaults } = this.#out;
    const { store, stepListeners = [], onSent, onInstanceRetired } = this.#options;
    this.#out.steps = NOTHING;
    this.#out.commands = NOTHING;
    const decidedAt = onSent === undefined || commands.length === 0 ? 0 : monotonic();
    this.#storeSteps(steps, commands, position);
    if (commands.length > 0) {
      this.#send(commands);
      store.flushDeferred?.();
      onSent?.(this.#stepStartedAt, decidedAt, monotonic());
    }
    if (wakeAt !== undefined) this.#armWake(wakeAt);
    for (const listener of stepListeners) listener(steps);
    if (instanceFaults !== undefined) {
      this.#out.instanceFaults = undefined;
      for (const error of instanceFaults) {
        if (error instanceof StrategyFault) this.#timers.stopInstance(error.failure.bot);
        onInstanceRetired?.(error);
      }
    }
    if (fault !== undefined) throw fault;
    if (this.#out.timers !== undefined) this.#changeTimers(this.#out.timers);
  }

  #changeTimers(changes: readonly TimerChange[]): void {
    this.#out.timers = undefined;
    if (!this.#isOver) this.#timers.apply(changes);
  }

  /** Stores the steps. If the first command is an order, they wait and are stored with the signed order. */
  #storeSteps(steps: readonly Step[], [first]: readonly OrderCommand[], position: number | undefined): void {
    const { store } = this.#options;
    const isFirstSigned = first !== undefined && placedOrders(first).length > 0;
    if (isFirstSigned && store.appendDeferred !== undefined) store.appendDeferred(steps, position);
    else store.append(steps, position);
  }

  #armWake(at: EpochMs): void {
    this.#out.wakeAt = undefined;
    this.#cancelWake();
    this.#cancelWake = () => {};
    if (at === Number.MAX_SAFE_INTEGER) return;
    this.#cancelWake = this.#options.clock.schedule(at, () =>
      this.#step({ type: 'woke', time: this.#options.clock.now() }),
    );
  }

  /** Sends commands. Before the connection to the venue, keeps the `cancelAll` of a kill, which is then sent first. */
  #send(commands: readonly OrderCommand[]): void {
    if (this.#session !== undefined) this.#session.send(commands);
    else if (!this.#isOver && commands.every(({ type }) => type === 'cancelAll'))
      this.#earlyCommands = [...this.#earlyCommands, ...commands];
    else throw new Error('Invariant: nothing can be sent before start or after close');
  }

  #beginStep(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#isBusy) throw new Error('Invariant: a venue answers by later events, never during send');
    this.#isBusy = true;
    if (this.#options.onSent !== undefined) this.#stepStartedAt = monotonic();
  }

  /** Handles a broken invariant or a failed store: cancels all orders, so that none stays open without supervision. */
  #crash(error: unknown): never {
    this.#fault = error instanceof Error ? error : new Error(`Invariant: ${String(error)} was thrown`);
    this.#isBusy = false;
    this.#stopTimers();
    if (!(error instanceof StrategyFault)) {
      this.#options.store.onRunFailed?.();
      this.#cancelAllWithoutStoring(this.#fault);
    }
    throw this.#fault;
  }

  #cancelAllWithoutStoring(fault: Error): void {
    try {
      this.#session?.send([{ type: 'cancelAll' }]);
    } catch (error) {
      const text = `${fault.message}; and cancelling everything failed too: ${thrownText(error)}`;
      this.#fault = new AggregateError([fault, error], text);
    }
  }

  #stopTimers(): void {
    this.#timers.stopAll();
    this.#cancelWake();
  }
}

const NOTHING: readonly never[] = [];
