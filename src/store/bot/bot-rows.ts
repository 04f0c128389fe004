/** The tables of a bot's file, as they are written: entries of its log, snapshots, and the row that says how far it is. */
import type { Statement } from 'better-sqlite3';
import { secureSeed } from '../../clock/index.ts';
import { FileFault } from '../../domain/index.ts';
import type { RiskSnapshot } from '../../risk/index.ts';
import type { RecoveryReport, StoredRun, StoredTrade } from '../../runtime/index.ts';
import type { Connection } from '../sqlite/database.ts';
import { AccountRows } from './account-rows.ts';
import type { BotSource } from './bot-source.ts';
import type { LogEntry } from './log-entry.ts';
import { OrderRows } from './order-rows.ts';
import { SignedRows } from './signed-rows.ts';
import { StepRows } from './step-rows.ts';
import { storedTrades } from './trade-rows.ts';

export interface BotRowsOptions {
  readonly file: string;
  readonly name: string;
  readonly spec: string;
}

/** The one row that says how far the bot is. */
interface BotRow {
  readonly name: string;
  readonly spec: string;
  readonly last_seq: number;
  readonly cursor: number;
  readonly epoch: number;
  readonly risk: string | null;
  readonly folded: number;
  readonly log_salt: number;
}

/** Signed orders that ended are kept for so many numbers: late questions by hash come within seconds. */
const KEPT_SIGNED = 50_000;

export class BotRows {
  /** Whether the configuration is another than the one the file was last opened with. */
  readonly specChanged: boolean;
  /** By which the log knows this database. */
  readonly salt: number;
  readonly signed: SignedRows;
  readonly #file: string;
  readonly #connection: Connection;
  readonly #steps: StepRows;
  readonly #orders: OrderRows;
  readonly #account: AccountRows;
  readonly #head: Statement;
  readonly #folded: Statement<[], number>;
  #lastFolded: number;
  #stored: number;
  #cursor: number;
  epoch: number;
  #risk: string | null;
  /** Steps that were written since the last snapshot. */
  sinceSnapshot = 0;

  /** @throws FileFault when the file belongs to another bot */
  constructor(connection: Connection, options: BotRowsOptions) {
    const row = claim(connection, options);
    this.specChanged = row.spec !== options.spec;
    this.salt = row.log_salt;
    this.#lastFolded = row.folded;
    this.#stored = row.last_seq;
    this.#cursor = row.cursor;
    this.epoch = row.epoch;
    this.#risk = row.risk;
    this.#file = options.file;
    this.#connection = connection;
    this.#steps = new StepRows(options.file, connection);
    this.#orders = new OrderRows(connection);
    this.signed = new SignedRows(connection);
    this.#account = new AccountRows(connection);
    this.#head = connection.prepare('UPDATE bot SET last_seq = ?, cursor = ?, epoch = ?, risk = ?, folded = ?');
    this.#folded = connection.prepare<[], number>('SELECT folded FROM bot').pluck();
  }

  /** Number of the last entry of the log that is in the tables. */
  get folded(): number {
    return this.#lastFolded;
  }

  /** Position in the venue's own stream, as written. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Risk's state as JSON, as written; null before the first time. */
  get risk(): string | null {
    return this.#risk;
  }

  trades(most: number): readonly StoredTrade[] {
    return storedTrades(this.#connection, most);
  }

  /** Undefined in a new file. @throws FileFault when it cannot be read */
  stored(): StoredRun | undefined {
    const snapshot = this.#steps.lastSnapshot();
    if (snapshot === undefined) return undefined;
    const risk = this.#risk === null ? snapshot.risk : readRisk(this.#file, this.#risk);
    return { snapshot, steps: this.#steps.after(snapshot.seq), risk };
  }

  /**
   * Writes entries that follow on each other, the last of them `upTo` in the log. Those that the tables have already, because
   * somebody else found them in the log, are passed over.
   * @param source the present, after all of them; undefined where only the log is known
   */
  fold(entries: readonly LogEntry[], upTo: number, source: BotSource | undefined): void {
    const known = this.#folded.get() ?? 0;
    const missing = Math.max(0, Math.min(entries.length, upTo - known));
    const [old, news] = [entries.slice(0, entries.length - missing), entries.slice(entries.length - missing)];
    for (const entry of old) this.#passed(entry);
    this.#lastFolded = Math.max(known, upTo);
    if (news.length > 0) this.keep(news, source);
  }

  /** Writes entries that are not in the log. @param source as in `fold` */
  keep(entries: readonly LogEntry[], source: BotSource | undefined): void {
    for (const entry of entries) {
      for (const step of entry.steps) {
        this.#steps.add(step);
        this.#orders.fold(step);
      }
      for (const row of entry.signed) this.signed.add(row);
      this.#account.fold(entry.steps, source?.account);
      this.#passed(entry);
    }
    if (source !== undefined) this.#risk = JSON.stringify(source.risk());
    this.writeHead(this.#cursor, this.#risk);
  }

  /** All rows of the account, as a run begins. */
  begin({ account }: BotSource, time: number): void {
    this.#account.all(account, time);
  }

  keepSnapshot(source: BotSource, time: number, cursor: number): void {
    const snapshot = source.snapshot();
    this.#steps.keep(snapshot, time);
    this.signed.forgetBelow(snapshot.nextOrder - KEPT_SIGNED);
    this.sinceSnapshot = 0;
    this.writeHead(cursor, JSON.stringify(snapshot.risk));
  }

  keepRecovery(report: RecoveryReport): void {
    this.#connection.prepare('UPDATE bot SET recovery = ?').run(JSON.stringify(report));
  }

  writeHead(cursor: number, risk: string | null): void {
    this.#cursor = cursor;
    this.#risk = risk;
    this.#head.run(this.#stored, cursor, this.epoch, risk, this.#lastFolded);
  }

  #passed({ steps, cursor, risk }: LogEntry): void {
    this.#stored = steps.at(-1)?.seq ?? this.#stored;
    this.#cursor = cursor;
    this.#risk = risk ?? this.#risk;
    this.sinceSnapshot += steps.length;
  }
}

/** Risk's state as it was written. @throws FileFault when it cannot be read */
export function readRisk(file: string, text: string): RiskSnapshot {
  return readJson(file, 'risk’s state', text);
}

/** @throws FileFault */
export function readRecovery(file: string, text: string): RecoveryReport {
  return readJson(file, 'the last recovery', text);
}

function readJson<T>(file: string, what: string, text: string): T {
  try {
    const value: T = JSON.parse(text);
    return value;
  } catch (cause) {
    const problem = `${what} cannot be read (${String(cause)})`;
    throw new FileFault(file, 'table bot', problem, 'Put back a good copy of the file', { cause });
  }
}

/** The file's own row, made where it is new. */
function claim(connection: Connection, { file, name, spec }: BotRowsOptions): BotRow {
  const insert = connection.prepare('INSERT OR IGNORE INTO bot VALUES (1, ?, ?, 0, 0, 0, NULL, 0, 0, NULL)');
  insert.run(name, spec);
  connection.prepare('UPDATE bot SET log_salt = ? WHERE log_salt = 0').run(Math.max(1, secureSeed()));
  const row = connection.prepare<[], BotRow>('SELECT * FROM bot').get();
  if (row === undefined) throw new Error('Invariant: a row that was just made is there');
  if (row.name !== name) {
    const problem = `it belongs to "${row.name}", not to "${name}"`;
    throw new FileFault(file, undefined, problem, 'Name another file, or the account and venue it was made for');
  }
  connection.prepare('UPDATE bot SET spec = ? WHERE spec <> ?').run(spec, spec);
  return row;
}
