/** Checks a database: compares the replayed records with their stored hashes and with the rows. */
import { Fault, formatTime } from '../domain/index.ts';
import {
  Exchange,
  type ExchangeOptions,
  type ExchangeView,
  type Identities,
  type Journal,
  type Registry,
  recordFault,
  type StateReader,
  transparencyRecord,
} from '../exchange/index.ts';
import { recordingBooks } from '../replay/index.ts';
import { type RebuiltRows, type ReplayCheck, replayRecords } from './check-replay.ts';
import { sha256 } from './engine.ts';
import { storedGenesis } from './genesis.ts';

/** A database that nothing writes to. Each check returns one sentence per fault. */
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
  /** The snapshot that the replay began with; 0 for none. */
  readonly snapshot: number;
  readonly replayed: number;
}

/** Result of a check. The database is sound when all lists of faults are empty. */
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
  /** The first event whose rows were compared with rebuilt ones; undefined when none were. */
  readonly comparedFrom: number | undefined;
}

export interface CheckOptions {
  /** Whether to replay the records. If false, only structure and checksums are checked. */
  readonly replay: boolean;
}

/** Checks a database without changing it. @throws FileFault for an unreadable file */
export function checkVenue(store: CheckedStore, { replay }: CheckOptions): VenueFindings {
  const { first, last, snapshots } = store.journal;
  const structure = store.structureFaults();
  const records = store.recordFaults();
  const checksums = store.checksumFaults();
  const states: string[] = [];
  const found: VenueFindings = {
    first,
    last,
    snapshots: [...snapshots],
    structure,
    records,
    states,
    rows: checksums,
    state: undefined,
    comparedFrom: undefined,
  };
  if (!replay) return found;
  let check: ReplayCheck | undefined;
  try {
    const options = exchangeOptions(store);
    check = replayRecords({ ...store, options, rows: store.rebuild(), found: (finding) => states.push(finding) });
    const { exchange } = check;
    const { view } = exchange;
    states.push(...balanceFaults(exchange, options), ...chainFaults(view));
    const counts = { accounts: view.accountCount, markets: view.markets.length, openOrders: view.openOrderCount };
    const time = view.now === 0 ? '' : formatTime(view.now);
    const { snapshot, replayed, firstSeq: comparedFrom } = check;
    const state = { hash: exchange.stateHash(), seq: view.seq, time, ...counts, snapshot, replayed };
    const differences = check.rows.differences();
    return { ...found, state, comparedFrom, rows: [...checksums, ...differences, ...store.rowFaults(view)] };
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    states.push(cause.message);
    return found;
  } finally {
    check?.rows.close();
  }
}

function exchangeOptions({ registry, identities }: CheckedStore): ExchangeOptions {
  return { ...storedGenesis(registry), sha256, identities, books: recordingBooks };
}

/** Checks the ledger's sum, reserves, supplies and collateral: restoring a state verifies them all. */
function balanceFaults(exchange: Exchange, options: ExchangeOptions): readonly string[] {
  const written: (number | string)[] = [];
  const write = (value: number | string): void => void written.push(value);
  exchange.writeState({ number: write, text: write });
  const hash = exchange.stateHash();
  try {
    const restored = Exchange.restore(readerOf(written), options).stateHash();
    return restored === hash ? [] : [`the state ${hash} becomes ${restored} when it is saved and restored`];
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return [cause.message.replace('Invariant: ', '')];
  }
}

/** Reads back what was written. */
function readerOf(written: readonly (number | string)[]): StateReader {
  const values = written.values();
  return {
    number() {
      const { value } = values.next();
      if (typeof value === 'number') return value;
      throw new RangeError('Invariant: a text is read as a number');
    },
    text() {
      const { value } = values.next();
      if (typeof value === 'string') return value;
      throw new RangeError('Invariant: a number is read as a text');
    },
  };
}

function chainFaults(view: ExchangeView): readonly string[] {
  return view.markets.flatMap((market) => {
    const fault = recordFault(transparencyRecord(market), sha256);
    return fault === undefined ? [] : [`transparency record of market ${market.id}: ${fault}`];
  });
}
