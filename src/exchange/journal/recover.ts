/** Restores the state from a journal: the newest valid snapshot and all records after it. */
import { ByteReader, errorMessage, Fault } from '../../domain/index.ts';
import type { ExchangeCommand } from '../command.ts';
import { IGNORED_EVENTS } from '../sink.ts';
import type { Hash, StateReader } from '../state-writer.ts';
import { type BatchVisitor, visitBatch } from './batch-codec.ts';
import type { Journal, StateMachine } from './journal.ts';

export interface RecoverOptions<M extends StateMachine> {
  readonly journal: Journal;
  readonly createNew: () => M;
  /** Creates a machine from the output of `writeState`. May throw on invalid input. */
  readonly restore: (reader: StateReader) => M;
  /** Applies a record after the snapshot. Default: applies the record and ignores its events. */
  readonly apply?: (machine: M, command: ExchangeCommand) => void;
}

export interface Recovery<M extends StateMachine> {
  readonly machine: M;
  /** The last record of the restored snapshot; 0 for none. */
  readonly snapshot: number;
  /** Number of records applied after the snapshot. */
  readonly replayed: number;
  /** Harmless irregularities for the operator, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Restores the exchange after the last durable record. A snapshot that is damaged or does not match its hash is marked
 * unusable and listed in `notes`. Recovery then uses the previous snapshot.
 * @throws Fault if records are damaged or missing, or lead to a state other than the recorded state
 */
export function recover<M extends StateMachine>(options: RecoverOptions<M>): Recovery<M> {
  const { journal, apply = (machine, command) => machine.apply(command, IGNORED_EVENTS) } = options;
  const notes: string[] = [];
  const start = restoreNewest(options, notes);
  if (start.snapshot + 1 < journal.first) throw missingRecordsFault(journal, notes);
  const replay = new Replay(start, apply, journal.name);
  if (journal.last > start.snapshot) {
    for (const batch of journal.read(start.snapshot + 1)) visitBatch(batch, replay);
  }
  if (replay.lastApplied !== journal.last) {
    throw new Fault(
      'JOURNAL_LOST',
      `${journal.name}: the records end at ${replay.lastApplied}, but a snapshot after record ${journal.last} exists and is damaged: ` +
        `the last records are missing. Put back a good copy of the file. Orders since that copy are lost${formatNotes(notes)}`,
    );
  }
  // Runs only after a recovery, because an older version may need the snapshots if this version cannot recover.
  for (const sequence of journal.snapshots) if (sequence > start.snapshot) journal.markUnusable(sequence);
  return { ...start, replayed: replay.lastApplied - start.snapshot, notes };
}

type Start<M extends StateMachine> = Pick<Recovery<M>, 'machine' | 'snapshot'>;

/** Applies the records after the snapshot, and compares the state with the stored event numbers and hashes. */
class Replay<M extends StateMachine> implements BatchVisitor {
  lastApplied: number;
  readonly #machine: M;
  readonly #apply: (machine: M, command: ExchangeCommand) => void;
  readonly #name: string;

  constructor(start: Start<M>, apply: (machine: M, command: ExchangeCommand) => void, name: string) {
    this.#machine = start.machine;
    this.lastApplied = start.snapshot;
    this.#apply = apply;
    this.#name = name;
  }

  command(record: number, command: ExchangeCommand): void {
    if (record <= this.lastApplied) return;
    try {
      this.#apply(this.#machine, command);
    } catch (cause) {
      const problem = `the command "${command.type}" breaks an invariant (${errorMessage(cause)})`;
      throw this.#divergedFault(this.lastApplied + 1, problem, cause);
    }
    this.lastApplied++;
  }

  lastEvent(record: number, seq: number): void {
    if (record === this.lastApplied && seq !== this.#machine.view.seq) {
      throw this.#divergedFault(record, `the last event is number ${this.#machine.view.seq} instead of ${seq}`);
    }
  }

  hash(record: number, hash: string): void {
    if (record !== this.lastApplied) return;
    const actual = this.#machine.stateHash();
    if (actual !== hash) throw this.#divergedFault(record, `the state's hash is ${actual} instead of ${hash}`);
  }

  #divergedFault(record: number, problem: string, cause?: unknown): Fault {
    const remedy =
      'Start the version of the program that wrote these records, with the configuration that it began with, ' +
      'or put back a good copy of the file';
    const message = `${this.#name}: replayed up to record ${record}, ${problem}. ${remedy}`;
    return new Fault('JOURNAL_DIVERGED', message, cause === undefined ? {} : { cause });
  }
}

/** Restores the newest valid snapshot, or creates a new machine. Adds the faults of other snapshots to `notes`. */
function restoreNewest<M extends StateMachine>(options: RecoverOptions<M>, notes: string[]): Start<M> {
  const { journal, createNew, restore } = options;
  for (const sequence of journal.snapshots) {
    try {
      return { machine: restoreSnapshot(journal, sequence, restore), snapshot: sequence };
    } catch (cause) {
      notes.push(errorMessage(cause));
    }
  }
  return { machine: createNew(), snapshot: 0 };
}

/** Restores the machine of a snapshot. @throws Fault if the snapshot is damaged or does not match its hash */
export function restoreSnapshot<M extends StateMachine>(
  journal: Journal,
  sequence: number,
  restore: (reader: StateReader) => M,
): M {
  const name = `the snapshot after record ${sequence}`;
  let machine: M;
  let stored: Hash;
  try {
    const { hash, pieces } = journal.readSnapshot(sequence);
    stored = hash;
    const reader = new ByteReader(joinPieces(pieces));
    machine = restore(reader);
    if (!reader.isAtEnd) throw new Fault('JOURNAL_BYTES', `it ends at byte ${reader.offset}, but more bytes follow`);
  } catch (cause) {
    throw new Fault('SNAPSHOT', `${name} cannot be used: ${errorMessage(cause)}`, { cause });
  }
  const restored = machine.stateHash();
  if (restored === stored) return machine;
  throw new Fault('SNAPSHOT', `${name} restores to a state with the hash ${restored}, not ${stored}`);
}

function missingRecordsFault({ name, first }: Journal, notes: readonly string[]): Fault {
  return new Fault(
    'JOURNAL_LOST',
    `${name}: no usable snapshot precedes the records, which begin at ${first}. ` +
      `Put back a good copy of the file${formatNotes(notes)}`,
  );
}

function joinPieces(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function formatNotes(notes: readonly string[]): string {
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}
