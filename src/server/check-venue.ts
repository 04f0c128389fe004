/** Checks a database by comparing the replayed records with the stored hashes and rows. */
import { ByteReader, Fault, formatTime } from '../domain/index.ts';
import {
  type Archive,
  Exchange,
  type ExchangeOptions,
  type ExchangeView,
  findRecordError,
  type Identities,
  type Journal,
  Projector,
  type Registry,
  type RowBatch,
  recover,
  restoreSnapshot,
  takeSnapshot,
  transparencyRecord,
} from '../exchange/index.ts';
import { recordingBooks } from '../replay/index.ts';
import { sha256 } from './engine.ts';
import { readInitialSettings } from './initial-settings.ts';

/** A separate database for the rows of a replay. */
interface RebuiltRows {
  /** Starts a replay from the state of `view`, and returns the rows of that state. */
  begin(view: ExchangeView): Archive;
  write(rows: RowBatch): void;
  /** Returns one sentence per difference between a rebuilt and a stored row. */
  differences(): readonly string[];
  close(): void;
}

/** A database that does not change during the check. Each `…Faults` method returns one sentence per fault. */
export interface CheckedStore {
  readonly journal: Journal;
  readonly registry: Registry;
  readonly identities: Identities;
  structureFaults(): readonly string[];
  recordFaults(): readonly string[];
  checksumFaults(): readonly string[];
  rowFaults(view: ExchangeView): readonly string[];
  rebuild(): RebuiltRows;
}

/** The state after the last record. */
interface CheckedState {
  readonly hash: string;
  readonly seq: number;
  /** Time of the last event, ISO 8601. */
  readonly time: string;
  readonly accounts: number;
  readonly markets: number;
  readonly openOrders: number;
  /** Last record in the snapshot at which the replay began; 0 for a replay of all records. */
  readonly snapshot: number;
  readonly replayed: number;
}

/** The database is sound if all lists of faults are empty. `first` and `last` are numbers of records. */
export interface VenueFindings {
  readonly first: number;
  readonly last: number;
  /** Newest first. */
  readonly snapshots: readonly number[];
  /** Undefined when the replay failed or was not requested. */
  readonly state: CheckedState | undefined;
  /** Faults of the file, as SQLite reports them. */
  readonly structure: readonly string[];
  /** Faults of records and snapshots. */
  readonly records: readonly string[];
  /** Faults of the state: hashes, sums of money, chains of transparency records. */
  readonly states: readonly string[];
  readonly rows: readonly string[];
  /** The first event whose rows were compared with rebuilt rows; undefined if no rows were compared. */
  readonly comparedFrom: number | undefined;
}

/**
 * Checks a database without changing it. Without `replay`, checks only structure and checksums.
 * @throws FileFault for an unreadable file
 */
export function checkVenue(store: CheckedStore, { replay }: { readonly replay: boolean }): VenueFindings {
  const { journal } = store;
  const { first, last } = journal;
  const structure = store.structureFaults();
  const records = store.recordFaults();
  const rows = store.checksumFaults();
  const states: string[] = [];
  const faults = { structure, records, states, rows };
  const snapshots = [...journal.snapshots];
  const findings = { first, last, snapshots, ...faults, state: undefined, comparedFrom: undefined };
  if (!replay) return findings;
  let rebuilt: RebuiltRows | undefined;
  try {
    const options = {
      ...readInitialSettings(store.registry),
      sha256,
      identities: store.identities,
      books: recordingBooks,
    };
    rebuilt = store.rebuild();
    const report = (fault: string) => states.push(fault);
    const replayed = replayRecords({ journal, rows: rebuilt, options, report });
    const { exchange, comparedFrom, ...replayCounts } = replayed;
    const { view } = exchange;
    states.push(...balanceFaults(exchange, options), ...transparencyFaults(view));
    const counts = { accounts: view.accountCount, markets: view.markets.length, openOrders: view.openOrderCount };
    const time = view.now === 0 ? '' : formatTime(view.now);
    const state = { hash: exchange.stateHash(), seq: view.seq, time, ...counts, ...replayCounts };
    return { ...findings, state, comparedFrom, rows: [...rows, ...rebuilt.differences(), ...store.rowFaults(view)] };
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    states.push(cause.message);
    return findings;
  } finally {
    rebuilt?.close();
  }
}

/** Saves and restores the state, because a restore verifies the ledger's sum, reserves, supplies and collateral. */
function balanceFaults(exchange: Exchange, options: ExchangeOptions): readonly string[] {
  const { hash, pieces } = takeSnapshot(exchange, 0);
  try {
    const restored = Exchange.restore(new ByteReader(Buffer.concat(pieces)), options).stateHash();
    return restored === hash ? [] : [`the state ${hash} becomes ${restored} when it is saved and restored`];
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return [cause.message.replace('Invariant: ', '')];
  }
}

function transparencyFaults(view: ExchangeView): readonly string[] {
  return view.markets.flatMap((market) => {
    const fault = findRecordError(transparencyRecord(market), sha256);
    return fault === undefined ? [] : [`transparency record of market ${market.id}: ${fault}`];
  });
}

const COMMANDS_PER_WRITE = 500;

/**
 * Replays all records. If the first records are missing, starts from the oldest snapshot that the remaining records
 * continue. Compares every snapshot with the replayed state. Reports one sentence per fault.
 * @throws Fault like `recover`
 */
function replayRecords({
  journal,
  rows,
  options,
  report,
}: {
  readonly journal: Journal;
  readonly rows: RebuiltRows;
  readonly options: ExchangeOptions;
  readonly report: (fault: string) => void;
}) {
  const loadable = journal.snapshots.filter((sequence) => {
    try {
      restoreSnapshot(journal, sequence, (reader) => Exchange.restore(reader, options));
      return true;
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      report(cause.message);
      return false;
    }
  });
  const startSnapshot = journal.first <= 1 ? 0 : (loadable.findLast((sequence) => sequence + 1 >= journal.first) ?? 0);
  const hashes = new Map(loadable.map((sequence) => [sequence, journal.readSnapshot(sequence).hash]));
  let record = startSnapshot;
  let comparedFrom = 0;
  let projector: Projector | undefined;
  const begin = (exchange: Exchange): Exchange => {
    const { view } = exchange;
    comparedFrom = view.seq + 1;
    projector = new Projector({ view, archive: rows.begin(view) });
    return exchange;
  };
  const writeRows = (): void => {
    if (projector !== undefined) rows.write(projector.drainRows());
  };
  const { machine, snapshot, replayed, notes } = recover({
    journal: withOneSnapshot(journal, startSnapshot),
    createNew: () => begin(new Exchange(options)),
    restore: (reader) => begin(Exchange.restore(reader, options)),
    apply: (exchange, command) => {
      if (projector === undefined) throw new RangeError('Invariant: a replay applies before it begins');
      projector.begin(command);
      exchange.apply(command, projector);
      projector.end();
      record += 1;
      if (record % COMMANDS_PER_WRITE === 0) writeRows();
      const stored = hashes.get(record);
      if (stored === undefined) return;
      const hash = exchange.stateHash();
      if (hash === stored) return;
      report(`record ${record}: the replayed state has the hash ${hash}, the snapshot has ${stored}`);
    },
  });
  for (const note of notes) report(note);
  writeRows();
  return { exchange: machine, snapshot, replayed, comparedFrom };
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
    saveSnapshot: (newSnapshot, onDurable) => journal.saveSnapshot(newSnapshot, onDurable),
  };
}
