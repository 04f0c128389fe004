/** Replays the records of a database and rebuilds their rows, to compare both with the database. */
import {
  type Archive,
  Exchange,
  type ExchangeCommand,
  type ExchangeOptions,
  type ExchangeView,
  type Journal,
  Projector,
  type RowBatch,
  recover,
  restoreSnapshot,
} from '../exchange/index.ts';

export interface RebuiltRows {
  /** @param view of the exchange that the replay begins with @returns its rows */
  begin(view: ExchangeView): Archive;
  write(rows: RowBatch): void;
  /** Differences of the database, one sentence for each row. */
  differences(): readonly string[];
  close(): void;
}

export interface ReplayOptions {
  readonly journal: Journal;
  readonly options: ExchangeOptions;
  /** Empty. They are closed here when the replay fails. */
  readonly rows: RebuiltRows;
  /** Called with one sentence for each difference. */
  readonly found: (finding: string) => void;
}

export interface ReplayCheck {
  readonly exchange: Exchange;
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
 * Replays from the first record, or else from the oldest snapshot that the records continue. Each snapshot is restored
 * and compared with the replayed state.
 * @throws Fault as `recover`
 */
export function replayRecords({ journal, options, rows, found }: ReplayOptions): ReplayCheck {
  try {
    const usable = journal.snapshots.filter((sequence) => isUsable(journal, sequence, options, found));
    const first = journal.first <= 1 ? 0 : (usable.findLast((sequence) => sequence + 1 >= journal.first) ?? 0);
    const hashes = new Map(usable.map((sequence) => [sequence, journal.readSnapshot(sequence).hash]));
    const rebuilder = new RowRebuilder(rows, first, (exchange, record) => {
      const kept = hashes.get(record);
      if (kept === undefined) return;
      const hash = exchange.stateHash();
      if (hash === kept) return;
      found(`the records up to ${record} come to a state with the hash ${hash}, the snapshot after it to ${kept}`);
    });
    const { machine, snapshot, replayed, notes } = recover({
      journal: beginningWith(journal, first),
      fresh: () => rebuilder.begin(new Exchange(options)),
      restore: (reader) => rebuilder.begin(Exchange.restore(reader, options)),
      apply: (exchange, command) => rebuilder.apply(exchange, command),
    });
    for (const note of notes) found(note);
    rebuilder.writeRows();
    return { exchange: machine, rows, snapshot, replayed, firstSeq: rebuilder.firstSeq };
  } catch (cause) {
    rows.close();
    throw cause;
  }
}

function isUsable(
  journal: Journal,
  sequence: number,
  options: ExchangeOptions,
  found: ReplayOptions['found'],
): boolean {
  try {
    restoreSnapshot(journal, sequence, (reader) => Exchange.restore(reader, options));
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
    append: (batch, onDurable) => journal.append(batch, onDurable),
    read: (from) => journal.read(from),
    readSnapshot: (sequence) => journal.readSnapshot(sequence),
    setAside: () => {},
    saveSnapshot: (kept, onDurable) => journal.saveSnapshot(kept, onDurable),
  };
}

/** Creates the rows of the replayed commands. */
class RowRebuilder {
  /** The first event that commands lead to. */
  firstSeq = 0;
  readonly #rows: RebuiltRows;
  readonly #onApplied: (exchange: Exchange, record: number) => void;
  /** The last record that was applied. */
  #record: number;
  #projector: Projector | undefined;

  /** @param first the record that the replay begins after */
  constructor(rows: RebuiltRows, first: number, onApplied: (exchange: Exchange, record: number) => void) {
    this.#rows = rows;
    this.#record = first;
    this.#onApplied = onApplied;
  }

  begin(exchange: Exchange): Exchange {
    const { view } = exchange;
    this.firstSeq = view.seq + 1;
    this.#projector = new Projector({ view, archive: this.#rows.begin(view) });
    return exchange;
  }

  apply(exchange: Exchange, command: ExchangeCommand): void {
    const projector = this.#projector;
    if (projector === undefined) throw new RangeError('Invariant: a replay applies before it begins');
    projector.begin(command);
    exchange.apply(command, projector);
    projector.settle();
    this.#record += 1;
    if (this.#record % ROWS_OF === 0) this.writeRows();
    this.#onApplied(exchange, this.#record);
  }

  /** Writes the rows of all commands so far. */
  writeRows(): void {
    if (this.#projector !== undefined) this.#rows.write(this.#projector.takeRows());
  }
}
