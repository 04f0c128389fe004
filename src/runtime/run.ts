/**
 * The one event loop of all modes: input of the venue and the clock goes through the core; its output is stored, then
 * sent, then published.
 *
 * Invariants: no byte of a command is sent before its step is durable in the store. A fault cancels everything and is
 * then thrown to the caller that passed the row, event or time. Each later call throws it again, and only `close`
 * works.
 */
import { type Clock, monotonic } from '../clock/index.ts';
import {
  type BotNo,
  type EpochMs,
  Fault,
  type InputEvent,
  type MarketAdded,
  type MarketNo,
  type OperatorCommanded,
  type OrderCommand,
  type OrderNo,
  StrategyFault,
  type VenueEvent,
} from '../domain/index.ts';
import { type Block, Cursor } from '../tape/index.ts';
import { type Bot, signalNames } from './bot.ts';
import { BotTimers } from './bot-timers.ts';
import type { TimerChange } from './effects.ts';
import type { Core, EventStore, Outbox, Step, Venue, VenueSession, VenueSink } from './ports.ts';

/** Sees steps after they were stored and sent; changes nothing, and must not throw. */
export type Tap = (steps: readonly Step[]) => void;

/** Sees market data after it was processed, under the same rules. */
export type RowTap = (block: Block, from: number, to: number) => void;

export interface RunOptions {
  readonly core: Core;
  readonly clock: Clock;
  readonly venue: Venue;
  readonly store: EventStore;
  /** Those of the core: their timers are kept here. */
  readonly bots: readonly Bot[];
  readonly taps?: readonly Tap[];
  /** Called after commands were sent, with the times of their input, decision and sending, ms of `monotonic`. */
  readonly sent?: (begunAt: number, decidedAt: number, sentAt: number) => void;
  /** Receives the fault of each bot that failed alone, after the cancels of its orders were sent. */
  readonly retired?: (fault: Error) => void;
}

export class Run implements VenueSink {
  readonly #core: Core;
  readonly #clock: Clock;
  readonly #venue: Venue;
  readonly #store: EventStore;
  readonly #bots: readonly Bot[];
  readonly #taps: readonly Tap[];
  readonly #sent: RunOptions['sent'];
  /** When the input that is processed came, ms of `monotonic`; 0 where no one measures. */
  #begunAt = 0;
  readonly #out: Outbox = { steps: [], commands: [], fault: undefined };
  #rowTap: RowTap | undefined;
  #cursor: Cursor | undefined;
  #session: VenueSession | undefined;
  #fault: Error | undefined;
  #busy = false;
  readonly #retired: (fault: Error) => void;
  readonly #timers: BotTimers;
  #cancelWake: () => void = () => {};
  /** Whether it was stopped or closed: no strategy may start any more. */
  #isOver = false;
  /** What was decided while the venue was being connected to. */
  #early: readonly OrderCommand[] = [];

  constructor({ core, clock, venue, store, bots, taps = [], sent, retired = () => {} }: RunOptions) {
    this.#core = core;
    this.#clock = clock;
    this.#venue = venue;
    this.#store = store;
    this.#bots = bots;
    this.#taps = taps;
    this.#sent = sent;
    this.#retired = retired;
    this.#timers = new BotTimers(clock, (bot, timer) => {
      this.#step({ type: 'timerFired', time: clock.now(), bot, timer });
    });
  }

  /** What ended the run; undefined while all is well. */
  get fault(): Error | undefined {
    return this.#fault;
  }

  /**
   * Connects (the venue reports its present state), starts the strategies, then their timers, aligned to the present
   * time.
   * @throws Error if it was started before; Fault STOPPED if it was stopped meanwhile: no strategy has started
   */
  async start(): Promise<void> {
    if (this.#session !== undefined) throw new Error('Invariant: a run starts once');
    const session = await this.#venue.connect(this);
    this.#session = session;
    if (this.#isOver) {
      await this.close();
      throw new Fault('STOPPED', 'the run was stopped while it was starting');
    }
    if (this.#early.length > 0) session.send(this.#early);
    this.#step({ type: 'started', time: this.#clock.now() });
  }

  /**
   * `onStop`, then everything is cancelled; timers end. Answers may still come until `close`. A run that is still
   * connecting does not begin, and waits for the venue no longer.
   */
  stop(): void {
    this.#isOver = true;
    this.#endTimers();
    if (this.#session === undefined) void this.#venue.leave?.();
    else this.#step({ type: 'stopped', time: this.#clock.now() });
  }

  /** Leaves the venue. Works after a fault too, and a second time does nothing. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#endTimers();
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) await this.#venue.leave?.();
    else await session.close();
  }

  /** Names of the signals that strategies read; undefined where one reads every name. */
  signalNames(): readonly string[] | undefined {
    return signalNames(this.#core.bots ?? this.#bots);
  }

  /** Outside knowledge for the strategies. */
  signal(name: string, value: number): void {
    this.#step({ type: 'signalReceived', time: this.#clock.now(), name, value });
  }

  /** An operator's word, and why. */
  operate(command: OperatorCommanded['command'], reason?: string): void {
    const why = reason === undefined ? {} : { reason };
    this.#step({ type: 'operatorCommanded', time: this.#clock.now(), command, ...why });
  }

  /** An operator cancels one order. */
  cancelOrder(market: MarketNo, order: OrderNo): void {
    this.#step({ type: 'cancelCommanded', time: this.#clock.now(), market, order });
  }

  /** Changes a parameter of a running bot. @param value JSON, checked by the strategy's schema */
  setParameter(bot: BotNo, name: string, value: string): void {
    this.#step({ type: 'parameterSet', time: this.#clock.now(), bot, name, value });
  }

  /** A market under the next number, or one that comes back under its own, with bots that begin at once. */
  addMarket(added: Omit<MarketAdded, 'type' | 'time'>): void {
    this.#step({ type: 'marketAdded', time: this.#clock.now(), ...added });
  }

  /** Cancels a market's orders; strategies no longer take part in it. @param byOperator whether it stays removed after restarts */
  removeMarket(market: MarketNo, byOperator = false): void {
    const whose = byOperator ? { byOperator } : {};
    this.#step({ type: 'marketRemoved', time: this.#clock.now(), market, ...whose });
  }

  /** Sets the one tap of market data; undefined for none, which costs nothing. */
  tapRows(tap: RowTap | undefined): void {
    this.#rowTap = tap;
  }

  /** An operator accepts a taker fee rate of up to `feeRateBps` in a market. */
  confirmFee(market: MarketNo, feeRateBps: number): void {
    this.#step({ type: 'feeConfirmed', time: this.#clock.now(), market, feeRateBps });
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
        else if (this.#out.wakeAt !== undefined) this.#armWake(this.#out.wakeAt);
        if (this.#out.timers !== undefined) this.#changeTimers(this.#out.timers);
      }
      this.#rowTap?.(block, from, to);
    } catch (error) {
      this.#crash(error);
    }
    this.#busy = false;
  }

  event(event: VenueEvent, position?: number): void {
    this.#step(event, position);
  }

  #step(event: InputEvent, position?: number): void {
    this.#enter();
    try {
      this.#core.step(event, this.#out);
      this.#flush(position);
    } catch (error) {
      this.#crash(error);
    }
    this.#busy = false;
  }

  /** Stored, then sent, then shown; a strategy's fault is thrown last. */
  #flush(position?: number): void {
    const { steps, commands, fault, wakeAt, retired } = this.#out;
    this.#out.steps = NOTHING;
    this.#out.commands = NOTHING;
    const decidedAt = this.#sent === undefined || commands.length === 0 ? 0 : monotonic();
    this.#keep(steps, commands, position);
    if (commands.length > 0) {
      this.#send(commands);
      this.#store.storeHeld?.();
      this.#sent?.(this.#begunAt, decidedAt, monotonic());
    }
    if (wakeAt !== undefined) this.#armWake(wakeAt);
    for (const tap of this.#taps) tap(steps);
    if (retired !== undefined) {
      this.#out.retired = undefined;
      for (const each of retired) {
        if (each instanceof StrategyFault) this.#timers.endOf(each.failure.bot);
        this.#retired(each);
      }
    }
    if (fault !== undefined) throw fault;
    if (this.#out.timers !== undefined) this.#changeTimers(this.#out.timers);
  }

  #changeTimers(changes: readonly TimerChange[]): void {
    this.#out.timers = undefined;
    if (!this.#isOver) this.#timers.apply(changes);
  }

  /** Where an order is the first to go out, its step waits for the signed order, so that both are stored in one go. */
  #keep(steps: readonly Step[], [first]: readonly OrderCommand[], position: number | undefined): void {
    const store = this.#store;
    const isSignedFirst = first?.type === 'place' || (first?.type === 'replace' && first.places.length > 0);
    if (isSignedFirst && store.holdForSignature !== undefined) store.holdForSignature(steps, position);
    else store.append(steps, position);
  }

  #armWake(at: EpochMs): void {
    this.#out.wakeAt = undefined;
    this.#cancelWake();
    this.#cancelWake = () => {};
    if (at === Number.MAX_SAFE_INTEGER) return;
    this.#cancelWake = this.#clock.schedule(at, () => this.#step({ type: 'woke', time: this.#clock.now() }));
  }

  /** An operator may kill before there is anything to send it to: it goes out first then. */
  #send(commands: readonly OrderCommand[]): void {
    if (this.#session !== undefined) this.#session.send(commands);
    else if (!this.#isOver && commands.every(({ type }) => type === 'cancelAll'))
      this.#early = [...this.#early, ...commands];
    else throw new Error('Invariant: nothing can be sent before start or after close');
  }

  #enter(): void {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.#busy) throw new Error('Invariant: a venue answers by later events, never during send');
    this.#busy = true;
    if (this.#sent !== undefined) this.#begunAt = monotonic();
  }

  /** A broken invariant, or a store that cannot store a step: no order may stay open without supervision. */
  #crash(error: unknown): never {
    this.#fault = error instanceof Error ? error : new Error(`Invariant: ${String(error)} was thrown`);
    this.#busy = false;
    this.#endTimers();
    if (!(error instanceof StrategyFault)) {
      this.#store.failed?.();
      this.#cancelUnstored(this.#fault);
    }
    throw this.#fault;
  }

  #cancelUnstored(fault: Error): void {
    try {
      this.#session?.send([{ type: 'cancelAll' }]);
    } catch (error) {
      this.#fault = new AggregateError([fault, error], `${fault.message}; and cancelling everything failed too`);
    }
  }

  #endTimers(): void {
    this.#timers.end();
    this.#cancelWake();
  }
}

const NOTHING: readonly never[] = [];
