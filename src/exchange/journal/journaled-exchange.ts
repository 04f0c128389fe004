/**
 * An exchange that acknowledges only what is durable.
 *
 * Invariants: a command is journalled exactly when it told an event, which is when it changed the state (engine/state.ts):
 * refusals and duplicates leave no record, but a refused command before which something fell due has one, and is refused
 * again when it is replayed. What a command told, refusals too, is told on when all that was applied before it and the
 * command itself are durable: nobody ever sees a consequence of something that may still be lost. While a batch is being
 * made durable the next one collects. After a fault of the journal or a broken invariant nothing more is applied or
 * acknowledged: the process is to end, and recovery says what stands.
 */
import type { Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';
import type { Refusal } from '../refusal.ts';
import type { ExchangeSink } from '../sink.ts';
import { BatchWriter } from './batch-codec.ts';
import { EventBuffer } from './event-buffer.ts';
import type { Journal, Snapshot } from './journal.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import type { StateMachine } from './state-machine.ts';

/** How an exchange is journalled. */
export interface JournaledOptions {
  readonly machine: StateMachine;
  /** Ends where `machine` is: both fresh, or from `recover`. */
  readonly journal: Journal;
  /** Whether to wait for the disk before anything is told; default true. Simulations need not. */
  readonly awaitDurable?: boolean;
  /**
   * A snapshot each so many records; default 0, never but for `snapshot()`. Taking one halts the exchange while its
   * state is written to memory (bench/journal.ts).
   */
  readonly snapshotEvery?: number;
  /** The state's hash in the journal each so many records; default 0, after the first batch only. It costs a walk over the state. */
  readonly hashEvery?: number;
  /**
   * Most milliseconds that a command may be later than the last event; default 366 days. A later one is refused
   * (ABOVE_MAX, `time`) and changes nothing: an exchange's clock never goes back, so a wrong time would hold for ever. The
   * first event may be at any time.
   */
  readonly maxTimeStep?: number;
  /** The journal failed: once, after it nothing is acknowledged. */
  readonly onFault: (fault: Fault) => void;
  /** A snapshot could not be kept; the next one is tried when it is due. Default: nothing. */
  readonly onSnapshotFault?: (fault: Fault) => void;
}

const MAX_TIME_STEP = 366 * 86_400_000;

/** One batch: what goes to the journal, and what may be told when it is there. */
interface Batch {
  readonly records: BatchWriter;
  readonly events: EventBuffer;
}

/** Applies commands, journals them in batches, tells what they told once it is durable. */
export class JournaledExchange {
  readonly #machine: StateMachine;
  readonly #journal: Journal;
  readonly #options: JournaledOptions;
  readonly #awaitDurable: boolean;
  /** Collects. */
  #open: Batch = { records: new BatchWriter(), events: new EventBuffer() };
  /** Is being made durable, or empty. */
  #closed: Batch = { records: new BatchWriter(), events: new EventBuffer() };
  /** The last record of all batches but the open one. */
  #sequence: number;
  #isCommitting = false;
  #isPumping = false;
  #isSaving = false;
  #wantsSnapshot = false;
  #lastSnapshot: number;
  #lastHash: number;
  #stopped: { readonly cause: unknown } | undefined;

  /** @throws RangeError when one of the two is fresh and the other is not: then the journal was not recovered from */
  constructor(options: JournaledOptions) {
    if ((options.machine.seq === 0) !== (options.journal.last === 0)) {
      const { machine, journal } = options;
      throw new RangeError(`Invariant: ${machine.seq} events told, but ${journal.last} records in ${journal.name}`);
    }
    this.#options = options;
    this.#machine = options.machine;
    this.#journal = options.journal;
    this.#awaitDurable = options.awaitDurable ?? true;
    this.#sequence = options.journal.last;
    this.#lastSnapshot = options.journal.snapshots[0] ?? 0;
    this.#lastHash = this.#sequence;
  }

  /** The last record that was applied. */
  get sequence(): number {
    return this.#sequence + this.#open.records.count;
  }

  /** Applied but not durable: when it grows past what the host wants to hold, it stops reading from its clients. */
  get backlog(): { readonly commands: number; readonly bytes: number } {
    const { records } = this.#open;
    const { count, length } = this.#isCommitting ? this.#closed.records : { count: 0, length: 0 };
    return { commands: records.count + count, bytes: records.length + length };
  }

  /**
   * Applies a command now; `sink` is told when it is durable, then `done` is called. The command is kept until then and
   * must not change.
   * @throws what stopped it: the fault of the journal, or the broken invariant
   */
  apply(command: ExchangeCommand, sink: ExchangeSink, done?: () => void): void {
    if (this.#stopped !== undefined) throw this.#stopped.cause;
    const { records, events } = this.#open;
    const before = this.#machine.seq;
    try {
      if (this.#awaitDurable) events.begin(sink);
      const told = this.#awaitDurable ? events : sink;
      const refusal = this.#refusal(command);
      if (refusal !== undefined) told.refused(-1, refusal);
      else this.#machine.apply(command, told);
      if (this.#machine.seq !== before) records.add(command);
    } catch (cause) {
      this.#stop(cause);
      throw cause;
    }
    if (!this.#awaitDurable) done?.();
    else if (done !== undefined) events.end(done);
    this.#pump();
  }

  /** Calls `done` when all that was applied until now is durable and was told, also where nothing waits for the disk. */
  whenDurable(done: () => void): void {
    if (this.#stopped !== undefined) throw this.#stopped.cause;
    this.#open.events.end(done);
    this.#pump();
  }

  /** Takes a snapshot as soon as the journal is at a batch's end. */
  snapshot(): void {
    if (this.#stopped !== undefined) throw this.#stopped.cause;
    this.#wantsSnapshot = true;
    this.#pump();
  }

  /** Of what no machine is to be asked. */
  #refusal(command: ExchangeCommand): Refusal | undefined {
    if (command === null || command === undefined) return { reason: 'INVALID_ORDER', field: 'type' };
    const { maxTimeStep = MAX_TIME_STEP } = this.#options;
    const { now } = this.#machine;
    const limit = now + maxTimeStep;
    // What is no time at all is refused by the exchange.
    const { time } = command;
    if (now === 0 || !Number.isSafeInteger(time) || time <= limit) return undefined;
    return { reason: 'ABOVE_MAX', field: 'time', limit, value: time, unit: 'MILLISECONDS' };
  }

  /** Starts what can be started. A journal that answers at once comes back here: its answers are taken in turn. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (!this.#isCommitting && this.#stopped === undefined && this.#hasWork()) this.#commit();
    } catch (cause) {
      // A snapshot or a hash that could not be made: without this the batch would wait for ever.
      this.#stop(cause);
      throw cause;
    } finally {
      this.#isPumping = false;
    }
  }

  #hasWork(): boolean {
    return this.#open.records.count > 0 || !this.#open.events.isEmpty || (this.#wantsSnapshot && !this.#isSaving);
  }

  /** Sends the open batch on its way. */
  #commit(): void {
    const batch = this.#open;
    this.#open = this.#closed;
    this.#closed = batch;
    this.#isCommitting = true;
    const { records, events } = batch;
    const first = this.#sequence + 1;
    this.#sequence += records.count;
    const snapshot = this.#dueSnapshot();
    const finish = (fault: Fault | undefined): void => {
      if (fault !== undefined) {
        this.#stop(fault);
        this.#options.onFault(fault);
        return;
      }
      this.#deliver(events);
      records.clear();
      this.#isCommitting = false;
      if (snapshot !== undefined) this.#save(snapshot);
      this.#pump();
    };
    if (records.count === 0) finish(undefined);
    else this.#journal.append(records.end(first, this.#machine.seq, this.#dueHash(first)), finish);
  }

  /** Whoever is told may apply the next command: it goes to the open batch and waits for its turn. */
  #deliver(events: EventBuffer): void {
    try {
      events.deliver();
    } catch (cause) {
      // A sink that throws has lost the rest: nobody could say what was acknowledged.
      this.#stop(cause);
      throw cause;
    }
  }

  /** The first batch always has it: a replay that begins with another configuration is found out there. */
  #dueHash(first: number): string | undefined {
    const { hashEvery = 0 } = this.#options;
    const isDue = hashEvery !== 0 && this.#sequence - this.#lastHash >= hashEvery;
    if (!isDue && first !== 1) return undefined;
    this.#lastHash = this.#sequence;
    return this.#machine.stateHash();
  }

  /** The state as it is after the batch that is being closed: nothing was applied since. */
  #dueSnapshot(): Snapshot | undefined {
    const { snapshotEvery = 0 } = this.#options;
    const isDue = snapshotEvery > 0 && this.#sequence - this.#lastSnapshot >= snapshotEvery;
    if (this.#isSaving || !(isDue || this.#wantsSnapshot)) return undefined;
    this.#isSaving = true;
    this.#wantsSnapshot = false;
    this.#lastSnapshot = this.#sequence;
    const writer = new SnapshotWriter();
    const hash = this.#machine.writeSnapshot(writer);
    return { sequence: this.#sequence, hash, pieces: writer.pieces() };
  }

  #save(snapshot: Snapshot): void {
    this.#journal.saveSnapshot(snapshot, (fault) => {
      this.#isSaving = false;
      if (fault !== undefined) this.#options.onSnapshotFault?.(fault);
      this.#pump();
    });
  }

  #stop(cause: unknown): void {
    this.#stopped ??= { cause };
    this.#open.events.clear();
  }
}
