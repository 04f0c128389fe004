/** Replays the records of a database and rebuilds the rows, to compare state and rows with the stored ones. */
import {
  type Archive,
  Exchange,
  type ExchangeOptions,
  type ExchangeView,
  type Journal,
  Projector,
  type RowBatch,
  recover,
  restoreSnapshot,
} from '../exchange/index.ts';

/** Rows that a replay writes to a database of its own. */
export interface RebuiltRows {
  /** @param view the exchange at the begin of the replay @returns its rows */
  begin(view: ExchangeView): Archive;
  write(rows: RowBatch): void;
  /** Differences between the rebuilt rows and the stored ones, one sentence each. */
  differences(): readonly string[];
  close(): void;
}

export interface ReplayOptions {
  readonly journal: Journal;
  readonly options: ExchangeOptions;
  /** Must be empty. `replayRecords` closes them when it throws. */
  readonly rows: RebuiltRows;
  /** Called with one sentence for each difference. */
  readonly found: (finding: string) => void;
}

export interface ReplayCheck {
  readonly exchange: Exchange;
  readonly rows: RebuiltRows;
  /** The snapshot that the replay began with; 0 for none. */
  readonly snapshot: number;
  /** Number of records applied after the snapshot. */
  readonly replayed: number;
  /** The first event of these records. */
  readonly firstSeq: number;
}

/** Number of commands whose rows are buffered in memory. */
const BUFFERED_COMMANDS = 500;

/**
 * Replays all records. If the first ones are gone, starts from the oldest snapshot that the remaining records continue.
 * Compares every snapshot with the replayed state.
 * @throws Fault as `recover`
 */
export function replayRecords({ journal, options, rows, found }: ReplayOptions): ReplayCheck {
  try {
    const usable = journal.snapshots.filter((sequence) => isUsable(journal, sequence, options, found));
    const first = journal.first <= 1 ? 0 : (usable.findLast((sequence) => sequence + 1 >= journal.first) ?? 0);
    const hashes = new Map(usable.map((sequence) => [sequence, journal.readSnapshot(sequence).hash]));
    let record = first;
    let firstSeq = 0;
    let projector: Projector | undefined;
    const begin = (exchange: Exchange): Exchange => {
      const { view } = exchange;
      firstSeq = view.seq + 1;
      projector = new Projector({ view, archive: rows.begin(view) });
      return exchange;
    };
    const writeRows = (): void => {
      if (projector !== undefined) rows.write(projector.takeRows());
    };
    const { machine, snapshot, replayed, notes } = recover({
      journal: withOneSnapshot(journal, first),
      fresh: () => begin(new Exchange(options)),
      restore: (reader) => begin(Exchange.restore(reader, options)),
      apply: (exchange, command) => {
        if (projector === undefined) throw new RangeError('Invariant: a replay applies before it begins');
        projector.begin(command);
        exchange.apply(command, projector);
        projector.settle();
        record += 1;
        if (record % BUFFERED_COMMANDS === 0) writeRows();
        const stored = hashes.get(record);
        if (stored === undefined) return;
        const hash = exchange.stateHash();
        if (hash === stored) return;
        found(`record ${record}: the replayed state has the hash ${hash}, the snapshot has ${stored}`);
      },
    });
    for (const note of notes) found(note);
    writeRows();
    return { exchange: machine, rows, snapshot, replayed, firstSeq };
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

/** Hides all snapshots of a journal except one; 0 hides all. */
function withOneSnapshot(journal: Journal, snapshot: number): Journal {
  return {
    name: journal.name,
    first: journal.first,
    last: journal.last,
    snapshots: snapshot === 0 ? [] : [snapshot],
    append: (batch, onDurable) => journal.append(batch, onDurable),
    read: (from) => journal.read(from),
    readSnapshot: (sequence) => journal.readSnapshot(sequence),
    markUnusable: () => {},
    saveSnapshot: (kept, onDurable) => journal.saveSnapshot(kept, onDurable),
  };
}
