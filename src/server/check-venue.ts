/** Checks a database: compares the replayed records with their stored hashes and with the rows. */
import { createHash } from 'node:crypto';
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
  type StateWriter,
  transparencyRecord,
} from '../exchange/index.ts';
import { recordingBooks } from '../replay/index.ts';
import { type RebuiltRows, type ReplayCheck, replayRecords } from './check-replay.ts';
import { storedGenesis } from './genesis.ts';

/** A database without a writer. Findings are sentences; there are none when all checks pass. */
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
  /** Of the last event, ISO 8601. */
  readonly time: string;
  readonly accounts: number;
  readonly markets: number;
  readonly openOrders: number;
  /** The snapshot that it was replayed from, 0 for none. */
  readonly snapshot: number;
  readonly replayed: number;
}

/** The findings. The database is sound when all lists are empty. */
export interface VenueFindings {
  readonly first: number;
  readonly last: number;
  /** Newest first. */
  readonly snapshots: readonly number[];
  /** Undefined when the records give no state. */
  readonly state: CheckedState | undefined;
  /** Of the file itself, as SQLite reports them. */
  readonly structure: readonly string[];
  /** Records and snapshots. */
  readonly records: readonly string[];
  /** The state: hashes, sums of money, chains of transparency records. */
  readonly states: readonly string[];
  readonly rows: readonly string[];
  /** Rows of this event and later were compared with the records, each column; undefined where none were. */
  readonly comparedFrom: number | undefined;
}

export interface CheckOptions {
  /** Whether to replay the records; without it only structure and checksums are checked. */
  readonly replay: boolean;
}

/** Checks everything and changes nothing. @throws FileFault for an unreadable file */
export function checkVenue(store: CheckedStore, { replay }: CheckOptions): VenueFindings {
  const { first, last, snapshots } = store.journal;
  const structure = store.structureFaults();
  const records = store.recordFaults();
  const checksums = store.checksumFaults();
  const found = { first, last, snapshots: [...snapshots], structure, records };
  const states: string[] = [];
  if (!replay) return { ...found, states, rows: checksums, state: undefined, comparedFrom: undefined };
  let check: ReplayCheck | undefined;
  try {
    const options = exchangeOptions(store);
    check = replayRecords({ ...store, options, rows: store.rebuild(), found: (finding) => states.push(finding) });
    const { exchange } = check;
    const { view } = exchange;
    states.push(...sumFaults(exchange, options), ...chainFaults(view));
    const counts = { accounts: view.accountCount, markets: view.markets.length, openOrders: view.openOrderCount };
    const time = view.now === 0 ? '' : formatTime(view.now);
    const { snapshot, replayed, firstSeq: comparedFrom } = check;
    const state = { hash: exchange.stateHash(), seq: view.seq, time, ...counts, snapshot, replayed };
    const differences = check.rows.differences();
    return { ...found, states, state, comparedFrom, rows: [...checksums, ...differences, ...store.rowFaults(view)] };
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    states.push(cause.message);
    return { ...found, states, rows: checksums, state: undefined, comparedFrom: undefined };
  } finally {
    check?.rows.close();
  }
}

function exchangeOptions({ registry, identities }: CheckedStore): ExchangeOptions {
  return { ...storedGenesis(registry), sha256, identities, books: recordingBooks };
}

/** The ledger's sum, reserves, supplies, collateral: restoring a state checks them all. */
function sumFaults(exchange: Exchange, options: ExchangeOptions): readonly string[] {
  const echo = new Echo();
  exchange.writeState(echo);
  const hash = exchange.stateHash();
  try {
    const restored = Exchange.restore(echo, options).stateHash();
    return restored === hash ? [] : [`a snapshot of it restores to the state ${restored}, not ${hash}`];
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return [cause.message.replace('Invariant: ', '')];
  }
}

/** Returns the data that was written into it. */
class Echo implements StateWriter, StateReader {
  readonly #written: (number | string)[] = [];
  #at = 0;

  number(value: number): void;
  number(): number;
  number(value?: number): number {
    if (value !== undefined) {
      this.#written.push(value);
      return value;
    }
    const next = this.#next();
    if (typeof next === 'number') return next;
    throw new RangeError('Invariant: a text is read as a number');
  }

  text(value: string): void;
  text(): string;
  text(value?: string): string {
    if (value !== undefined) {
      this.#written.push(value);
      return value;
    }
    const next = this.#next();
    if (typeof next === 'string') return next;
    throw new RangeError('Invariant: a number is read as a text');
  }

  #next(): number | string | undefined {
    const next = this.#written[this.#at];
    this.#at += 1;
    return next;
  }
}

function chainFaults(view: ExchangeView): readonly string[] {
  return view.markets.flatMap((market) => {
    const fault = recordFault(transparencyRecord(market), sha256);
    return fault === undefined ? [] : [`transparency record of market ${market.id}: ${fault}`];
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
