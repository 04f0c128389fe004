/** Replays the records of a database and makes their rows anew, to compare both with what the database has. */
import {
  type Archive,
  type ExchangeCommand,
  type ExchangeSink,
  type ExchangeView,
  type Hash,
  type Journal,
  ProjectingMachine,
  type RowBatch,
  recover,
  restoreSnapshot,
  type StateMachine,
  type StateReader,
  type StateWriter,
  StoredMachine,
  type StoredOptions,
} from '../exchange/index.ts';

/** Rows made anew from records. */
export interface RebuiltRows {
  /** @param view of the exchange that the replay begins with @returns its rows */
  begin(view: ExchangeView): Archive;
  write(rows: RowBatch): void;
  /** What the database has otherwise, a sentence for each row. */
  differences(): readonly string[];
  close(): void;
}

/** What is replayed. */
export interface ReplayOptions {
  readonly journal: Journal;
  readonly options: StoredOptions;
  /** Empty. They are closed here when the replay fails. */
  readonly rows: RebuiltRows;
  /** Told what does not agree, a sentence each. */
  readonly found: (finding: string) => void;
}

/** What it came to. */
export interface ReplayCheck {
  readonly machine: StateMachine;
  readonly view: ExchangeView;
  readonly rows: RebuiltRows;
  /** The snapshot that it began with, 0 for none. */
  readonly snapshot: number;
  /** Records applied after it. */
  readonly replayed: number;
  /** The first event that they lead to. */
  readonly firstSeq: number;
}

/** Commands whose rows are held in memory at once. */
const ROWS_OF = 500;

/**
 * Replays from the first record, or else from the oldest snapshot that the records go on from. Each snapshot is restored, and
 * compared with the state that the records come to.
 * @throws Fault as `recover`
 */
export function replayRecords({ journal, options, rows, found }: ReplayOptions): ReplayCheck {
  try {
    const usable = journal.snapshots.filter((sequence) => isUsable(journal, sequence, options, found));
    const first = journal.first <= 1 ? 0 : (usable.findLast((sequence) => sequence + 1 >= journal.first) ?? 0);
    const hashes = new Map(usable.map((sequence) => [sequence, journal.readSnapshot(sequence).hash]));
    const applied = (machine: RebuildingMachine): void => {
      const kept = hashes.get(machine.record);
      if (kept === undefined) return;
      const hash = machine.stateHash();
      if (hash === kept) return;
      found(
        `the records up to ${machine.record} come to a state with the hash ${hash}, the snapshot after it to ${kept}`,
      );
    };
    const rebuilding = (machine: StoredMachine) => new RebuildingMachine(machine, { rows, first, applied });
    const { machine, snapshot, replayed, notes } = recover({
      journal: beginningWith(journal, first),
      fresh: () => rebuilding(StoredMachine.fresh(options)),
      restore: (reader: StateReader) => rebuilding(StoredMachine.restore(reader, options)),
    });
    for (const note of notes) found(note);
    machine.writeRows();
    return { machine, view: machine.view, rows, snapshot, replayed, firstSeq: machine.firstSeq };
  } catch (cause) {
    rows.close();
    throw cause;
  }
}

function isUsable(journal: Journal, sequence: number, options: StoredOptions, found: ReplayOptions['found']): boolean {
  try {
    restoreSnapshot(journal, sequence, (reader) => StoredMachine.restore(reader, options));
    return true;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    found(cause.message);
    return false;
  }
}

/** A journal as if it had one snapshot, or none for 0. */
function beginningWith(journal: Journal, snapshot: number): Journal {
  return {
    name: journal.name,
    first: journal.first,
    last: journal.last,
    snapshots: snapshot === 0 ? [] : [snapshot],
    append: (batch, durable) => journal.append(batch, durable),
    read: (from) => journal.read(from),
    readSnapshot: (sequence) => journal.readSnapshot(sequence),
    setAside: () => {},
    saveSnapshot: (kept, durable) => journal.saveSnapshot(kept, durable),
  };
}

interface RebuildingOptions {
  readonly rows: RebuiltRows;
  /** The record that the machine begins after. */
  readonly first: number;
  /** Called after each command. */
  readonly applied: (machine: RebuildingMachine) => void;
}

/** A machine whose rows go into a database of their own. */
class RebuildingMachine implements StateMachine {
  readonly view: ExchangeView;
  /** The first event that commands lead to. */
  readonly firstSeq: number;
  /** The last record that was applied. */
  record: number;
  readonly #machine: ProjectingMachine;
  readonly #options: RebuildingOptions;

  constructor(machine: StoredMachine, options: RebuildingOptions) {
    this.view = machine.exchange.view;
    this.firstSeq = this.view.seq + 1;
    this.record = options.first;
    this.#options = options;
    this.#machine = new ProjectingMachine({ machine, view: this.view, archive: options.rows.begin(this.view) });
  }

  get seq(): number {
    return this.#machine.seq;
  }

  get now(): number {
    return this.#machine.now;
  }

  apply(command: ExchangeCommand, sink: ExchangeSink): void {
    this.#machine.apply(command, sink);
    this.record += 1;
    if (this.record % ROWS_OF === 0) this.writeRows();
    this.#options.applied(this);
  }

  /** Writes the rows of all commands so far. */
  writeRows(): void {
    this.#options.rows.write(this.#machine.projector.takeRows());
  }

  stateHash(): Hash {
    return this.#machine.stateHash();
  }

  writeSnapshot(writer: StateWriter): Hash {
    return this.#machine.writeSnapshot(writer);
  }
}
