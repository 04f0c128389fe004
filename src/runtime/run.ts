/**
 * The one loop, for every wiring: what the venue and the clock bring goes through the core; what comes of it is stored,
 * then sent, then shown.
 *
 * Invariants: no command is sent before its step is in the store. A fault is thrown to whoever brought the row, event or
 * moment, after everything was cancelled; from then on each call throws it again, and only `close` works.
 */
import type { Clock } from '../clock/index.ts';
import { type EpochMs, type InputEvent, type OperatorSpoke, timeAfter, type VenueEvent } from '../domain/index.ts';
import { type Block, Cursor } from '../tape/index.ts';
import type { Bot } from './bot.ts';
import type { Core, EventStore, Outbox, Step, Venue, VenueSession, VenueSink } from './ports.ts';
import { StrategyFault } from './strategy-fault.ts';

/** Sees steps after they were stored and sent; changes nothing, and must not throw. */
export type Tap = (steps: readonly Step[]) => void;

export interface RunOptions {
  readonly core: Core;
  readonly clock: Clock;
  readonly venue: Venue;
  readonly store: EventStore;
  /** Those of the core: their timers are kept here. */
  readonly bots: readonly Bot[];
  readonly taps?: readonly Tap[];
}

export class Run implements VenueSink {
  readonly #core: Core;
  readonly #clock: Clock;
  readonly #venue: Venue;
  readonly #store: EventStore;
  readonly #bots: readonly Bot[];
  readonly #taps: readonly Tap[];
  readonly #out: Outbox = { steps: [], commands: [], fault: undefined };
  #cursor: Cursor | undefined;
  #session: VenueSession | undefined;
  #fault: Error | undefined;
  #busy = false;
  readonly #timers = new Set<() => void>();

  constructor({ core, clock, venue, store, bots, taps = [] }: RunOptions) {
    this.#core = core;
    this.#clock = clock;
    this.#venue = venue;
    this.#store = store;
    this.#bots = bots;
    this.#taps = taps;
  }

  /** What ended the run; undefined while all is well. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /**
   * Connects (the venue tells its present state), starts the strategies, then their timers, aligned to this moment.
   * @throws Error when it was started before
   */
  async start(): Promise<void> {
    if (this.#session !== undefined) throw new Error('Invariant: a run starts once');
    this.#session = await this.#venue.connect(this);
    const start = this.#clock.now();
    this.#step({ type: 'started', time: start });
    for (const bot of this.#bots) {
      for (const { name, everyMs } of bot.timers) this.#arm({ bot, name, everyMs }, timeAfter(start, everyMs));
    }
  }

  /** `onStop`, then everything is cancelled; timers end. Answers may still come until `close`. */
  stop(): void {
    this.#endTimers();
    this.#step({ type: 'stopped', time: this.#clock.now() });
  }

  /** Leaves the venue. Works after a fault too, and a second time does nothing. */
  async close(): Promise<void> {
    this.#endTimers();
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }

  /** Outside knowledge for the strategies. */
  signal(name: string, value: number): void {
    this.#step({ type: 'signalReceived', time: this.#clock.now(), name, value });
  }

  /** An operator's word. */
  operate(command: OperatorSpoke['command']): void {
    this.#step({ type: 'operatorSpoke', time: this.#clock.now(), command });
  }

  rows(block: Block, from: number, to: number): void {
    this.#enter();
    try {
      this.#cursor ??= new Cursor(block);
      const cursor = this.#cursor;
      cursor.block = block;
      for (cursor.row = from; cursor.row < to; cursor.row += 1) {
        this.#core.market(cursor, this.#out);
        if (this.#out.steps.length > 0) this.#flush();
      }
    } catch (error) {
      this.#crash(error);
    }
    this.#busy = false;
  }

  event(event: VenueEvent): void {
    this.#step(event);
  }

  #step(event: InputEvent): void {
    this.#enter();
    try {
      this.#core.step(event, this.#out);
      this.#flush();
    } catch (error) {
      this.#crash(error);
    }
    this.#busy = false;
  }

  /** Stored, then sent, then shown; a strategy's fault is thrown last. */
  #flush(): void {
    const { steps, commands, fault } = this.#out;
    this.#out.steps = NOTHING;
    this.#out.commands = NOTHING;
    this.#store.append(steps);
    if (commands.length > 0) this.#connected().send(commands);
    for (const tap of this.#taps) tap(steps);
    if (fault !== undefined) throw fault;
  }

  #connected(): VenueSession {
    if (this.#session === undefined) throw new Error('Invariant: nothing can be sent before start or after close');
    return this.#session;
  }

  #enter(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#busy) throw new Error('Invariant: a venue answers by later events, never during send');
    this.#busy = true;
  }

  /** A broken invariant, or a store that cannot keep a step: nothing may stay open that nobody watches. */
  #crash(error: unknown): never {
    this.#fault = error instanceof Error ? error : new Error(`Invariant: ${String(error)} was thrown`);
    this.#busy = false;
    this.#endTimers();
    if (!(error instanceof StrategyFault)) this.#cancelUnstored(this.#fault);
    throw this.#fault;
  }

  #cancelUnstored(fault: Error): void {
    try {
      this.#session?.send([{ type: 'cancelAll' }]);
    } catch (error) {
      this.#fault = new AggregateError([fault, error], `${fault.message}; and cancelling everything failed too`);
    }
  }

  #arm(timer: RunTimer, due: EpochMs): void {
    const cancel = this.#clock.schedule(due, () => {
      this.#timers.delete(cancel);
      this.#fire(timer, due);
    });
    this.#timers.add(cancel);
  }

  #fire(timer: RunTimer, due: EpochMs): void {
    const now = this.#clock.now();
    // Kept on the grid of the start: a late firing does not shift the next, and moments slept through are left out.
    const passed = Math.floor((now - due) / timer.everyMs);
    this.#arm(timer, timeAfter(due, (passed + 1) * timer.everyMs));
    this.#step({ type: 'timerFired', time: now, bot: timer.bot.bot, timer: timer.name });
  }

  #endTimers(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}

interface RunTimer {
  readonly bot: Bot;
  readonly name: string;
  readonly everyMs: number;
}

const NOTHING: readonly never[] = [];
