/** Writes the tables of a bot's file: entries of its log, snapshots, and the row with the bot's progress. */
import type { Statement } from 'better-sqlite3';
import { secureSeed } from '../../clock/index.ts';
import { FileFault } from '../../domain/index.ts';
import type { RiskSnapshot } from '../../risk/index.ts';
import { type BotSnapshot, type RecoveryReport, recover, type StoredRun } from '../../runtime/index.ts';
import { damageFault } from '../disk-fault.ts';
import type { DatabaseReads } from '../sqlite/database-reads.ts';
import { rowCrc } from '../sqlite/row-checksums.ts';
import { RowCrc, type SqlValue } from '../sqlite/row-crc.ts';
import { AccountRows, type StoredAccount } from './account-rows.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';
import type { LogEntry } from './intent-log.ts';
import { OrderRows } from './order-rows.ts';
import { SignedRows } from './signed-rows.ts';
import { StepRows } from './step-rows.ts';

export interface BotRowsOptions {
  readonly file: string;
  readonly name: string;
  /** The bot's configuration. */
  readonly spec: string;
}

/** State of the running bot that the tables store. An append reads the state, which includes the appended steps. */
export interface BotSource {
  readonly account: StoredAccount;
  risk(): RiskSnapshot;
  snapshot(): BotSnapshot;
}

/** The single row with the bot's identity and progress. */
export type BotRow = {
  readonly [Column in
    | 'id'
    | 'last_seq'
    | 'cursor'
    | 'epoch'
    | 'log_salt'
    | 'claim_crc'
    | 'recovery_crc'
    | 'crc']: number;
} & {
  readonly name: string;
  readonly spec: string;
  readonly risk: string | null;
  readonly recovery: string | null;
  /** Number of the last log entry that is in the tables. */
  readonly folded: number;
};

/** `id` of the only row of `bot`. */
const BOT_ROW = 1;
/** Number of newest orders whose signed rows are kept after the orders end, for lookups by hash. */
const RETAINED_SIGNED = 50_000;

export class BotRows {
  /** Whether the configuration differs from the last start's configuration. */
  readonly isSpecChanged: boolean;
  /** Number that identifies this database in the log. */
  readonly salt: number;
  readonly signed: SignedRows;
  readonly #reads: DatabaseReads;
  readonly #steps: StepRows;
  readonly #orders: OrderRows;
  readonly #account: AccountRows;
  readonly #updateProgress: Statement<SqlValue[]>;
  readonly #crc = new RowCrc();
  readonly #readLastStoredEntry: Statement<[], number>;
  #lastStoredEntry: number;
  #lastStoredStep: number;
  #streamPosition: number;
  epoch: number;
  #risk: string | null;
  stepsSinceSnapshot = 0;

  /** @throws FileFault if the file belongs to another bot, or the bot's row is damaged */
  constructor(reads: DatabaseReads, options: BotRowsOptions) {
    const { connection } = reads;
    const row = claimRow(reads, options);
    this.isSpecChanged = row.spec !== options.spec;
    this.salt = row.log_salt;
    this.#lastStoredEntry = row.folded;
    this.#lastStoredStep = row.last_seq;
    this.#streamPosition = row.cursor;
    this.epoch = row.epoch;
    this.#risk = row.risk;
    this.#reads = reads;
    this.#steps = new StepRows(reads);
    this.#orders = new OrderRows(reads);
    this.signed = new SignedRows(reads);
    this.#account = new AccountRows(connection);
    this.#updateProgress = connection.prepare(
      'UPDATE bot SET last_seq = ?, cursor = ?, epoch = ?, risk = ?, folded = ?, crc = ?',
    );
    this.#readLastStoredEntry = connection.prepare<[], number>('SELECT folded FROM bot').pluck();
  }

  get lastStoredEntry(): number {
    return this.#lastStoredEntry;
  }

  /** The stored position in the venue's stream. */
  get streamPosition(): number {
    return this.#streamPosition;
  }

  /** Stored state of the risk gate as JSON; null before the first write. */
  get risk(): string | null {
    return this.#risk;
  }

  /** Returns the stored state; undefined in a new file. @throws FileFault for an unreadable file */
  storedRun(): StoredRun | undefined {
    const snapshot = this.#steps.lastSnapshot();
    if (snapshot === undefined) {
      if (this.#lastStoredStep === 0) return undefined;
      throw this.#reads.recordDamage('table snapshots', 'it is empty, although steps were stored');
    }
    const risk = this.#risk === null ? snapshot.risk : parseRisk(this.#reads.file, this.#risk);
    return { snapshot, steps: this.#steps.after(snapshot.seq, this.#lastStoredStep), risk };
  }

  /**
   * Writes consecutive entries, the last with number `upTo` in the log. Skips entries that are already in the tables.
   * @param source state after all entries; undefined if only the entries are known
   */
  writeLogEntries(entries: readonly LogEntry[], upTo: number, source: BotSource | undefined): void {
    const lastInTables = this.#readLastStoredEntry.get() ?? 0;
    const missing = Math.max(0, Math.min(entries.length, upTo - lastInTables));
    const storedCount = entries.length - missing;
    const newEntries = entries.slice(storedCount);
    for (const entry of entries.slice(0, storedCount)) this.#advance(entry);
    this.#lastStoredEntry = Math.max(lastInTables, upTo);
    if (newEntries.length > 0) this.writeEntries(newEntries, source);
  }

  /** Writes entries that are not yet in the tables. @param source as in `writeLogEntries` */
  writeEntries(entries: readonly LogEntry[], source: BotSource | undefined): void {
    for (const entry of entries) {
      for (const step of entry.steps) {
        this.#steps.add(step);
        this.#orders.apply(step);
      }
      for (const row of entry.signed) this.signed.add(row);
      this.#account.apply(entry.steps, source?.account);
      this.#advance(entry);
    }
    if (source !== undefined) this.#risk = JSON.stringify(source.risk());
    this.writeProgress(this.#streamPosition, this.#risk);
  }

  /** Writes all account rows from the stored steps. Call it after entries without a source. @throws FileFault */
  recoverAccount(): void {
    const stored = this.storedRun();
    if (stored === undefined) return;
    const { state } = recover(stored);
    this.#account.writeAll(state, state.now);
  }

  /** Writes a snapshot and all rows of the account, because no step contains the changes at the end of a market. */
  writeSnapshot(source: BotSource, time: number, streamPosition: number): void {
    const snapshot = source.snapshot();
    this.#steps.writeSnapshot(snapshot, time);
    this.#account.writeAll(source.account, time);
    this.signed.deleteBelow(snapshot.nextOrder - RETAINED_SIGNED);
    this.stepsSinceSnapshot = 0;
    this.writeProgress(streamPosition, JSON.stringify(snapshot.risk));
  }

  writeRecovery(report: RecoveryReport): void {
    const text = JSON.stringify(report);
    const crc = rowCrc(this.#crc, [text, BOT_ROW]);
    this.#reads.connection.prepare('UPDATE bot SET recovery = ?, recovery_crc = ?').run(text, crc);
  }

  writeProgress(streamPosition: number, risk: string | null): void {
    this.#streamPosition = streamPosition;
    this.#risk = risk;
    const values = [this.#lastStoredStep, streamPosition, this.epoch, risk, this.#lastStoredEntry];
    this.#updateProgress.run(...values, rowCrc(this.#crc, [...values, BOT_ROW]));
  }

  #advance({ steps, streamPosition, risk }: LogEntry): void {
    this.#lastStoredStep = steps.at(-1)?.seq ?? this.#lastStoredStep;
    this.#streamPosition = streamPosition;
    this.#risk = risk ?? this.#risk;
    this.stepsSinceSnapshot += steps.length;
  }
}

/** Parses the stored state of the risk gate. @throws FileFault for invalid JSON */
export function parseRisk(file: string, text: string): RiskSnapshot {
  return parseJson(file, 'risk’s state', text);
}

/** @throws FileFault */
export function parseRecovery(file: string, text: string): RecoveryReport {
  return parseJson(file, 'the last recovery', text);
}

function parseJson<T>(file: string, name: string, text: string): T {
  try {
    const value: T = JSON.parse(text);
    return value;
  } catch (cause) {
    throw damageFault(file, 'table bot', `${name} cannot be read (${String(cause)})`, cause);
  }
}

/** Returns the bot's row; undefined in a file without a bot. @throws FileFault for a damaged row */
export function readBotRow(reads: DatabaseReads): BotRow | undefined {
  const { connection } = reads;
  const row = connection.prepare<[], BotRow>('SELECT * FROM bot').get();
  if (row !== undefined) return reads.rowDecoder('bot', BOT_CHECKSUMS.bot, (columns: BotRow) => columns)(row);
  const isUsed = connection.prepare('SELECT 1 FROM snapshots UNION ALL SELECT 1 FROM steps LIMIT 1').get();
  if (isUsed !== undefined) throw reads.recordDamage('table bot', 'its row is missing');
  return undefined;
}

/** Creates or updates the bot's row, and returns the row with the previous configuration. */
function claimRow(reads: DatabaseReads, { file, name, spec }: BotRowsOptions): BotRow {
  const { connection } = reads;
  const known = readBotRow(reads);
  if (known !== undefined && known.name !== name) {
    const problem = `it belongs to "${known.name}", not to "${name}"`;
    throw new FileFault(file, undefined, problem, 'Name another file, or the account and venue it was made for');
  }
  const crc = new RowCrc();
  if (known === undefined) {
    const crcs = [rowCrc(crc, [0, 0, 0, null, 0, BOT_ROW]), rowCrc(crc, [null, BOT_ROW])];
    const columns = 'id, name, spec, last_seq, cursor, epoch, risk, folded, recovery, crc, recovery_crc';
    connection
      .prepare(`INSERT INTO bot (${columns}) VALUES (?, ?, ?, 0, 0, 0, NULL, 0, NULL, ?, ?)`)
      .run(BOT_ROW, name, spec, ...crcs);
  }
  // Files of versions without a log have no salt.
  const salt = known === undefined || known.log_salt === 0 ? Math.max(1, secureSeed()) : known.log_salt;
  if (known === undefined || known.spec !== spec || known.log_salt !== salt) {
    const claimCrc = rowCrc(crc, [BOT_ROW, name, spec, salt]);
    connection.prepare('UPDATE bot SET spec = ?, log_salt = ?, claim_crc = ?').run(spec, salt, claimCrc);
  }
  const row = readBotRow(reads);
  if (row === undefined) throw new Error('Invariant: the new row is missing');
  return { ...row, spec: known?.spec ?? spec };
}
