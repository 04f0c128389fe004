/** Whether a database holds together: what its records come to, against the hashes that they once had, and against its rows. */
import { createHash } from 'node:crypto';
import { Fault, formatTime } from '../domain/index.ts';
import {
  type Archive,
  type ExchangeView,
  type Journal,
  type Registry,
  recordFault,
  recover,
  type StateReader,
  type StateWriter,
  type StoredIdentities,
  StoredMachine,
  type StoredOptions,
  transparencyRecord,
} from '../exchange/index.ts';
import { recordingBooks } from '../replay/index.ts';
import { keptGenesis } from './genesis.ts';

/** A database that nobody writes to. */
export interface CheckedStore {
  readonly journal: Journal;
  readonly archive: Archive;
  readonly registry: Registry;
  readonly identities: StoredIdentities;
  structureFaults(): readonly string[];
  recordFaults(): readonly string[];
  rowFaults(view: ExchangeView): readonly string[];
}

/** What the records come to. */
export interface CheckedState {
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

/** What was found. All is well where no list has anything in it. */
export interface VenueFindings {
  readonly first: number;
  readonly last: number;
  /** Newest first. */
  readonly snapshots: readonly number[];
  /** Undefined where the records come to none. */
  readonly state: CheckedState | undefined;
  /** Of the file itself, in SQLite's words. */
  readonly structure: readonly string[];
  /** Records and snapshots. */
  readonly records: readonly string[];
  /** The state: hashes, sums of money, chains of transparency records. */
  readonly states: readonly string[];
  readonly rows: readonly string[];
}

/** Looks at everything and changes nothing. @throws FileFault for what cannot be read at all */
export function checkVenue(store: CheckedStore): VenueFindings {
  const { journal } = store;
  const { first, last, snapshots } = journal;
  const found = { first, last, snapshots: [...snapshots] };
  const structure = store.structureFaults();
  const records = store.recordFaults();
  try {
    const options = storedOptions(store);
    const { machine, snapshot, replayed, notes } = recover({
      journal,
      fresh: () => StoredMachine.fresh(options),
      restore: (reader) => StoredMachine.restore(reader, options),
    });
    const { view } = machine.exchange;
    const counts = { accounts: view.accountCount, markets: view.markets.length, openOrders: view.openOrderCount };
    const time = view.now === 0 ? '' : formatTime(view.now);
    const state = { hash: machine.stateHash(), seq: view.seq, time, ...counts, snapshot, replayed };
    const states = [...notes, ...sumFaults(machine, options), ...chainFaults(view)];
    return { ...found, state, structure, records, states, rows: store.rowFaults(view) };
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    return { ...found, state: undefined, structure, records, states: [cause.message], rows: [] };
  }
}

function storedOptions({ registry, identities }: CheckedStore): StoredOptions {
  return { ...keptGenesis(registry), sha256, identities, books: recordingBooks };
}

/** The ledger's sum, reserves, supplies, collateral: whoever restores a state tests them all. */
function sumFaults(machine: StoredMachine, options: StoredOptions): readonly string[] {
  const echo = new Echo();
  const hash = machine.writeSnapshot(echo);
  try {
    const restored = StoredMachine.restore(echo, options).stateHash();
    return restored === hash ? [] : [`a snapshot of it restores to the state ${restored}, not ${hash}`];
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    return [cause.message.replace('Invariant: ', '')];
  }
}

/** Gives back what was written into it. */
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
