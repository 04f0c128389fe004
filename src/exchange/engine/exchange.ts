/**
 * The exchange (docs/spec/venue.md): a pure, synchronous state machine. Commands contain the time, and the state can be
 * hashed at any moment.
 *
 * HOT: every command passes here (bench/exchange.ts).
 *
 * Invariants:
 * - The same commands in the same order lead to the same events and state on every machine.
 * - `seq` rises exactly when the state changes. Refusals, duplicates, and time without due deadlines change neither
 *   state nor clock, so a journal may omit every command that did not raise `seq`.
 * - The clock is the time of the last event. A command with an earlier time executes at the clock's time.
 * - Before a command, the exchange processes the due deadlines, each at its own time. Their order is time, then kind
 *   (expirations, heartbeats, markets), then number. Additional `tick` commands therefore change nothing.
 * - A broken invariant stops the exchange.
 */
import { type EpochMs, errorMessage, Fault, unchecked } from '../../domain/index.ts';
import type { Cancel, ExchangeCommand, Place } from '../command.ts';
import { CLOSE } from '../matching/codes.ts';
import { refused } from '../refusal.ts';
import type { ExchangeSink } from '../sink.ts';
import { type Hash, StateHash, type StateReader, type StateWriter } from '../state-writer.ts';
import type { CancelHandler } from './cancel-handler.ts';
import { DEADLINE_RANK, type Deadlines } from './deadlines.ts';
import { type EventSequencer, WHOLE_COMMAND } from './event-sequencer.ts';
import { ExchangeContext, type ExchangeOptions } from './exchange-context.ts';
import type { Conditions } from './exchange-state.ts';
import type { MatchHandler } from './match-handler.ts';
import type { OrderEntry } from './order-entry.ts';
import { executeRare } from './rare-commands.ts';
import { lapseCredential } from './safety.ts';
import { readState, writeState } from './state.ts';
import type { TapeEffects } from './tape-effects.ts';
import { ExchangeView } from './view.ts';

export class Exchange {
  declare readonly view: ExchangeView;
  readonly #context: ExchangeContext;
  // State that every command needs; declared for speed (docs/decisions/0017).
  declare private readonly sequencer: EventSequencer;
  declare private readonly conditions: Conditions;
  declare private readonly deadlines: Deadlines;
  declare private readonly matchHandler: MatchHandler;
  declare private readonly orderEntry: OrderEntry;
  declare private readonly cancelHandler: CancelHandler;
  #stopped: ExchangeStopped | undefined;

  constructor(options: ExchangeOptions) {
    const context = new ExchangeContext(options);
    this.#context = context;
    this.sequencer = context.sequencer;
    this.conditions = context.conditions;
    this.deadlines = context.deadlines;
    this.matchHandler = context.matchHandler;
    this.orderEntry = context.orderEntry;
    this.cancelHandler = context.cancelHandler;
    this.view = new ExchangeView(this.#context);
    context.identities.startAt(0);
  }

  /** Restores the output of `writeState`. `config` and `quotePolicy` are ignored. @throws Fault for an invalid state */
  static restore(reader: StateReader, options: ExchangeOptions): Exchange {
    const exchange = new Exchange(options);
    readState(exchange.#context, reader);
    exchange.#context.identities.startAt(exchange.view.orderCount);
    return exchange;
  }

  /** Executes or refuses a command with fields of any type. @throws ExchangeStopped if an invariant is or was broken */
  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    this.#setSink(sink);
    try {
      this.#execute(command);
    } catch (cause) {
      throw this.#stop(command, cause);
    }
  }

  /** Applies a place with fields of the right types, a fifth faster than `apply`. @throws like `apply` */
  place(command: Place, sink: ExchangeSink): void {
    this.#setSink(sink);
    try {
      if (!this.#acceptsTime(command.time)) return;
      const before = this.#advanceTo(command.time);
      if (this.orderEntry.placeFast(command, command)) this.matchHandler.setBookSeqs();
      else this.#executeAny(command, before);
    } catch (cause) {
      throw this.#stop(command, cause);
    }
  }

  /** Applies a cancel with fields of the right types. @throws like `apply` */
  cancel(command: Cancel, sink: ExchangeSink): void {
    this.#setSink(sink);
    try {
      if (!this.#acceptsTime(command.time)) return;
      const before = this.#advanceTo(command.time);
      if (this.cancelHandler.cancelSingle(command)) this.matchHandler.setBookSeqs();
      else this.#executeAny(command, before);
    } catch (cause) {
      throw this.#stop(command, cause);
    }
  }

  /** Only for simulations that replay recorded markets without commands. */
  get tape(): TapeEffects {
    return this.#context.tape;
  }

  stateHash(): Hash {
    const hash = new StateHash();
    this.writeState(hash);
    return hash.digest();
  }

  /** Writes the whole state, except the content of `Identities`. */
  writeState(writer: StateWriter): void {
    writeState(this.#context, writer);
  }

  #setSink(sink: ExchangeSink): void {
    if (this.#stopped !== undefined) throw this.#stopped;
    const { sequencer } = this;
    // The sink is usually the same, and a comparison is cheaper than a write.
    if (sequencer.sink !== sink) sequencer.sink = sink;
  }

  #stop(command: ExchangeCommand, cause: unknown): ExchangeStopped {
    this.#stopped = new ExchangeStopped(command, cause);
    return this.#stopped;
  }

  #execute(command: ExchangeCommand): void {
    // A host's parsed value may be null or undefined.
    if (command === null || command === undefined) {
      this.sequencer.sink.refused(WHOLE_COMMAND, refused('INVALID_ORDER', 'type'));
      return;
    }
    const { time } = command;
    if (this.#acceptsTime(time)) this.#executeAny(command, this.#advanceTo(time));
  }

  /** Executes any command. Restores the time `before` if the command caused no event. */
  #executeAny(command: ExchangeCommand, before: EpochMs): void {
    const { sequencer } = this;
    const { seq } = sequencer;
    if (command.type === 'place') this.orderEntry.place(command, command, 0);
    else if (command.type === 'cancel') this.cancelHandler.cancel(command);
    else this.#dispatch(command);
    if (sequencer.seq === seq) this.conditions.now = before;
    else this.matchHandler.setBookSeqs();
  }

  /** Returns whether a command's time is valid; otherwise refuses the command. */
  #acceptsTime(time: EpochMs): boolean {
    // NaN fails both conditions. A comparison with another type could throw.
    if (typeof time === 'number' && (time <= this.conditions.now || Number.isSafeInteger(time))) return true;
    this.sequencer.sink.refused(WHOLE_COMMAND, refused('INVALID_ORDER', 'time'));
    return false;
  }

  /** Advances the exchange to the time of a command. @returns the previous time */
  #advanceTo(time: EpochMs): EpochMs {
    const { conditions } = this;
    if (this.deadlines.mayBeDue(time)) this.#processDeadlines(time);
    const before = conditions.now;
    if (time > before) conditions.now = time;
    return before;
  }

  #processDeadlines(now: number): void {
    const { conditions, deadlines, slots, orderCloser, lifecycle, matchHandler } = this.#context;
    while (deadlines.next <= now) {
      const { next, rank, subject } = deadlines;
      const time = unchecked.time(next);
      if (time > conditions.now) conditions.now = time;
      deadlines.pop();
      if (rank === DEADLINE_RANK.expiration) orderCloser.closeSlot(slots.find(subject), CLOSE.expired);
      else if (rank === DEADLINE_RANK.heartbeat) lapseCredential(this.#context, subject);
      else lifecycle.onDeadline(unchecked.market(subject), time);
      matchHandler.setBookSeqs();
    }
  }

  #dispatch(command: Exclude<ExchangeCommand, Place | Cancel>): void {
    const context = this.#context;
    if (command.type === 'replace') context.replaceHandler.replace(command);
    else if (command.type === 'placeBatch') context.orderEntry.placeBatch(command);
    else if (command.type === 'reduce') context.cancelHandler.reduce(command);
    else executeRare(context, command);
  }
}

/** A command broke an invariant. Restore the last snapshot and replay the journal up to the command. */
export class ExchangeStopped extends Fault {
  readonly command: ExchangeCommand;

  constructor(command: ExchangeCommand, cause: unknown) {
    const reason = errorMessage(cause);
    const description = `a command "${memberText(command, 'type')}" of ${memberText(command, 'time')}`;
    super('EXCHANGE_STOPPED', `the exchange stopped at ${description}: ${reason}`, { cause });
    this.name = 'ExchangeStopped';
    this.command = command;
  }
}

/** Formats a member of any type. A value that cannot be printed must not prevent the stop. */
function memberText(command: ExchangeCommand, member: 'type' | 'time'): string {
  try {
    return String(command[member]);
  } catch {
    return '?';
  }
}
