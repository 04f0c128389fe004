/**
 * The exchange: one pure, synchronous state machine. Commands in, time inside; events out; a state hash at any moment.
 *
 * HOT: every command passes here. Timed by bench/exchange.ts.
 *
 * Invariants:
 * - The same commands in the same order give the same events and the same state, on every machine.
 * - `seq` rises exactly when the state changes. A refusal, a duplicate, and time that passes without anything due leave
 *   the state as it was, the clock included: so a journal may leave out every command that did not raise `seq`.
 * - The clock is the time of the last event. A command from before it happens at it; what is due by a command's time
 *   happens first, each at its own time, in the order of (time, expirations, switches, markets, number): ticks in
 *   between change nothing.
 * - A broken invariant stops the exchange with the command that broke it.
 */
import { column, counted, type EpochMs } from '../../domain/index.ts';
import type { Cancel, ExchangeCommand, Place } from '../command.ts';
import type { MarketCommand } from '../market-command.ts';
import { CLOSE } from '../matching/codes.ts';
import { refused } from '../refusal.ts';
import type { ExchangeSink } from '../sink.ts';
import { type Hash, StateHash } from '../state-hash.ts';
import { HashWriter, type StateReader, type StateWriter } from '../state-writer.ts';
import type { BookKeeper } from './book-keeper.ts';
import { callerRefusal } from './caller.ts';
import type { Cancelling } from './cancelling.ts';
import type { Conditions } from './conditions.ts';
import { type Deadlines, RANK } from './deadlines.ts';
import { type EventSequencer, WHOLE } from './event-sequencer.ts';
import { ExchangeContext, type ExchangeOptions } from './exchange-context.ts';
import { ExchangeStopped } from './exchange-stopped.ts';
import { findInvalidField, type RareCommand } from './invalid-field.ts';
import type { OrderEntry } from './order-entry.ts';
import { readState, writeState } from './state.ts';
import type { Tape } from './tape.ts';
import { ExchangeView } from './view.ts';

/** The complete exchange (docs/spec/venue.md#the-book, docs/spec/venue.md#market-states). */
export class Exchange {
  declare readonly view: ExchangeView;
  readonly #context: ExchangeContext;
  // State that every command needs; declared for speed (docs/decisions/0017).
  declare private readonly sequencer: EventSequencer;
  declare private readonly conditions: Conditions;
  declare private readonly deadlines: Deadlines;
  declare private readonly keeper: BookKeeper;
  declare private readonly orderEntry: OrderEntry;
  declare private readonly cancelling: Cancelling;
  #stopped: ExchangeStopped | undefined;

  constructor(options: ExchangeOptions) {
    const context = new ExchangeContext(options);
    this.#context = context;
    this.sequencer = context.sequencer;
    this.conditions = context.conditions;
    this.deadlines = context.deadlines;
    this.keeper = context.keeper;
    this.orderEntry = context.orderEntry;
    this.cancelling = context.cancelling;
    this.view = new ExchangeView(this.#context);
    context.identities.startAt(0);
  }

  /**
   * An exchange as it was when `writeState` wrote it.
   * @param options with the identities as they were then; configuration and quote policy are those of the state
   * @throws Fault when it is the state of another version, or not whole
   */
  static restore(reader: StateReader, options: ExchangeOptions): Exchange {
    const exchange = new Exchange(options);
    readState(exchange.#context, reader);
    exchange.#context.identities.startAt(exchange.view.orderCount);
    return exchange;
  }

  /**
   * Carries a command out, or refuses it; first, what is due by its time. Anything may be in it.
   * @throws ExchangeStopped when an invariant is broken, and for every command after that
   */
  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    this.#listen(sink);
    try {
      this.#carryOut(command);
    } catch (cause) {
      throw this.#stop(command, cause);
    }
  }

  /**
   * `apply` of an order that the host itself created, so its fields have the right types. `apply` accepts any value and
   * has one object shape per command type: reading time and type there takes a fifth of the whole time.
   * @throws ExchangeStopped as `apply`
   */
  place(command: Place, sink: ExchangeSink): void {
    this.#listen(sink);
    try {
      if (!this.#isTime(command.time)) return;
      const before = this.#begin(command.time);
      if (this.orderEntry.placeFast(command, command)) this.keeper.settleSeq();
      else this.#carryOutAny(command, before);
    } catch (cause) {
      throw this.#stop(command, cause);
    }
  }

  /** `apply` of a cancel, as `place` is of an order. @throws ExchangeStopped as `apply` */
  cancel(command: Cancel, sink: ExchangeSink): void {
    this.#listen(sink);
    try {
      if (!this.#isTime(command.time)) return;
      const before = this.#begin(command.time);
      if (this.cancelling.cancelOwn(command)) this.keeper.settleSeq();
      else this.#carryOutAny(command, before);
    } catch (cause) {
      throw this.#stop(command, cause);
    }
  }

  /** For a simulation that replays recorded markets in its books without commands; no other host needs it. */
  get tape(): Tape {
    return this.#context.tape;
  }

  /** Hash of the whole state (state.ts). Costs a walk over all of it. */
  stateHash(): Hash {
    const hash = new StateHash();
    this.writeState(new HashWriter(hash));
    return hash.digest();
  }

  /** The whole state but for what `Identities` remember. */
  writeState(writer: StateWriter): void {
    writeState(this.#context, writer);
  }

  #listen(sink: ExchangeSink): void {
    if (this.#stopped !== undefined) throw this.#stopped;
    const { sequencer } = this;
    // Mostly the same one: to write it, and to forget it after each command, would cost more than the comparison.
    if (sequencer.sink !== sink) sequencer.sink = sink;
  }

  #stop(command: ExchangeCommand, cause: unknown): ExchangeStopped {
    this.#stopped = new ExchangeStopped(command, cause);
    return this.#stopped;
  }

  #carryOut(command: ExchangeCommand): void {
    // A host's parsed value may be null or undefined.
    if (command === null || command === undefined) {
      this.sequencer.refused(WHOLE, refused('INVALID_ORDER', 'type'));
      return;
    }
    const { time } = command;
    if (this.#isTime(time)) this.#carryOutAny(command, this.#begin(time));
  }

  /** Runs a command that may change nothing, which restores the time `before`. */
  #carryOutAny(command: ExchangeCommand, before: EpochMs): void {
    const { sequencer } = this;
    const { seq } = sequencer;
    if (command.type === 'place') this.orderEntry.place(command, command, 0);
    else if (command.type === 'cancel') this.cancelling.cancel(command);
    else this.#dispatch(command);
    if (sequencer.seq === seq) this.conditions.now = before;
    else this.keeper.settleSeq();
  }

  /** Whether a command's time is valid; it is refused otherwise. */
  #isTime(time: EpochMs): boolean {
    // NaN is not before now either; what is no number may not even be compared.
    if (typeof time === 'number' && (time <= this.conditions.now || Number.isSafeInteger(time))) return true;
    this.sequencer.refused(WHOLE, refused('INVALID_ORDER', 'time'));
    return false;
  }

  /** Brings the exchange to the time of a command. @returns the time as it was */
  #begin(time: EpochMs): EpochMs {
    const { conditions } = this;
    if (this.deadlines.mayBeDue(time)) this.#fire(time);
    const before = conditions.now;
    if (time > before) conditions.now = time;
    return before;
  }

  /** Processes due deadlines, each at its own time. */
  #fire(now: number): void {
    const { conditions, deadlines, slots, closing, safety, lifecycle, keeper } = this.#context;
    while (deadlines.next <= now) {
      const { next, rank, who } = deadlines;
      const time = column.time(next);
      if (time > conditions.now) conditions.now = time;
      deadlines.pop();
      if (rank === RANK.expiration) closing.slot(slots.find(who), CLOSE.expired);
      else if (rank === RANK.heartbeat) safety.lapse(who);
      else lifecycle.due(counted.market(who), time);
      keeper.settleSeq();
    }
  }

  #dispatch(command: Exclude<ExchangeCommand, Place | Cancel>): void {
    const context = this.#context;
    switch (command.type) {
      case 'replace':
        context.replacing.replace(command);
        break;
      case 'placeBatch':
        context.orderEntry.placeBatch(command);
        break;
      case 'reduce':
        context.cancelling.reduce(command);
        break;
      default: {
        const member = findInvalidField(command);
        if (member === undefined) this.#dispatchRare(command);
        else context.sequencer.refused(WHOLE, refused('INVALID_ORDER', member));
      }
    }
  }

  #dispatchRare(command: RareCommand): void {
    const context = this.#context;
    switch (command.type) {
      case 'cancelMarketOrders':
        context.cancelling.cancelMarketOrders(command);
        break;
      case 'cancelAllOrders':
        context.cancelling.cancelAllOrders(command);
        break;
      case 'heartbeat':
        context.safety.heartbeat(command);
        break;
      case 'disarmHeartbeat':
        context.safety.disarmHeartbeat(command);
        break;
      case 'revokeCredential':
        context.safety.revokeCredential(command);
        break;
      case 'createGroup':
        context.safety.createGroup(command);
        break;
      case 'updateGroup':
        context.safety.updateGroup(command);
        break;
      case 'deleteGroup':
        context.safety.deleteGroup(command);
        break;
      case 'split':
      case 'merge':
        context.conversions.convert(command);
        break;
      case 'claim':
        context.conversions.claim(command);
        break;
      case 'transfer':
        context.conversions.transfer(command);
        break;
      case 'allowReversals':
      case 'reverseTrade':
        context.reversals.carryOut(command);
        break;
      case 'openAccount':
        context.operations.openAccount(command);
        break;
      case 'setMode':
        context.operations.setMode(command);
        break;
      case 'configure':
        context.operations.configure(command);
        break;
      case 'tick':
        break;
      case 'followTape':
        context.recordings.follow(command);
        break;
      case 'playTape':
        context.recordings.play(command);
        break;
      case 'createMarket':
      case 'voidByCreator':
      case 'dispute': {
        const isKnown = command.type === 'createMarket' && context.lifecycle.isKnown(command);
        const refusal = isKnown ? undefined : callerRefusal(command, context);
        if (refusal === undefined) this.#live(command);
        else context.sequencer.refused(0, refusal);
        break;
      }
      default:
        this.#live(command);
    }
  }

  /** A market's life. */
  #live(command: MarketCommand): void {
    const { lifecycle, sequencer } = this.#context;
    const answer = lifecycle.apply(command);
    if (answer === undefined) return;
    if ('duplicate' in answer) sequencer.duplicate(0, answer.order);
    else sequencer.refused(0, answer);
  }
}
