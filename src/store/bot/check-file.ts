/** Checks the file of a stopped bot for damage, without changing it. */
import { existsSync, readSync, statSync } from 'node:fs';
import { FileFault } from '../../domain/index.ts';
import { withDiskFaults, withFile } from '../disk-fault.ts';
import { withSqliteFaults } from '../sqlite/database.ts';
import { DatabaseReads } from '../sqlite/database-reads.ts';
import { readCommitMark } from '../sqlite/mark-file.ts';
import { openReadOnly, type ReadOnlyFile } from '../sqlite/read-only-file.ts';
import { checksumFaults } from '../sqlite/row-check.ts';
import { limitFindings } from '../sqlite/row-checksums.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';
import { readBotRow } from './bot-rows.ts';
import { BOT_APPLICATION_ID, BOT_MIGRATIONS } from './bot-tables.ts';
import { compareAccount, type ReplayedSteps } from './compare-account.ts';
import { IntentLog, type LogEntry } from './intent-log.ts';
import { StepRows } from './step-rows.ts';

/** The file is intact if all lists are empty. */
export interface BotFindings {
  /** Account and venue; undefined if unreadable. */
  readonly name: string | undefined;
  /** Number of the last durable step, in the tables or the log. */
  readonly lastStep: number;
  /** Entries of the log that the next start writes to the tables. */
  readonly waiting: number;
  /** Steps with which rows were compared; undefined without a replay, or if the replay's data is damaged or missing. */
  readonly replayed: ReplayedSteps | undefined;
  /** SQLite's findings about the file, and missing acknowledged data. */
  readonly structure: readonly string[];
  /** Damage of steps and snapshots. */
  readonly steps: readonly string[];
  readonly rows: readonly string[];
  /** Damage of the log, whose last entries are not in the tables yet. */
  readonly log: readonly string[];
}

/** Offsets in a database's header. */
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** Returns whether the file exists and is a bot's database. @throws FileFault for an unreadable file */
export function isBotFile(file: string): boolean {
  return existsSync(file) && readApplicationId(file) === BOT_APPLICATION_ID;
}

/** Returns a bot file's version if this program is too old for it, else undefined. @throws FileFault if unreadable */
export function laterVersion(file: string): number | undefined {
  if (!isBotFile(file)) return undefined;
  const version = readHeaderField(file, USER_VERSION_AT);
  return version > BOT_MIGRATIONS.length ? version : undefined;
}

/** Returns SQLite's `application_id` of a file; 0 if none was set. @throws FileFault for an unreadable file */
export function readApplicationId(file: string): number {
  return readHeaderField(file, APPLICATION_ID_AT);
}

function readHeaderField(file: string, offset: number): number {
  const field = Buffer.alloc(4);
  withDiskFaults(file, 'read', () => withFile(file, 'r', (fd) => readSync(fd, field, 0, field.length, offset)));
  return field.readUInt32BE(0);
}

/** Returns whether a file is missing or empty. SQLite creates a database in both cases. */
export function isEmptyFile(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** @param replay whether to compare rows with the steps. Default true. @throws FileFault for an unreadable file */
export function checkBotFile(file: string, { replay = true }: { readonly replay?: boolean } = {}): BotFindings {
  const options = {
    lock: `${file}.lock`,
    unit: 'entry',
    applicationId: BOT_APPLICATION_ID,
    migrations: BOT_MIGRATIONS,
    remedies: {
      missing: 'Name the database of a bot',
      foreign: 'Name the file that the bot was started with',
      older: 'Start the bot with this file, or with a copy, once: that updates the file',
    },
  };
  return openReadOnly(file, options, (opened) => {
    const found = withSqliteFaults(file, 'read', () => collectFindings(file, opened, replay));
    opened.close();
    return found;
  });
}

function collectFindings(file: string, { connection, structureFaults }: ReadOnlyFile, replay: boolean): BotFindings {
  const reads = new DatabaseReads(file, connection);
  const structure = structureFaults();
  const rows = [...checksumFaults(connection, BOT_CHECKSUMS)];
  const log: string[] = [];
  let row: ReturnType<typeof readBotRow>;
  let waiting: readonly LogEntry[] = [];
  try {
    row = readBotRow(reads);
    if (row !== undefined) waiting = readWaitingEntries(file, row.log_salt, row.folded);
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    if (cause.file !== file) log.push(cause.message);
    // A wrong checksum is already in `rows`.
    else if (rows.length === 0) rows.push(`${cause.where}: ${cause.problem}`);
  }
  const lastInTables = row?.last_seq ?? 0;
  const stepRows = new StepRows(reads);
  const steps = limitFindings(stepRows.faults(lastInTables));
  const isComparable = replay && row !== undefined && steps.length === 0;
  const compared = isComparable ? compareAccount(connection, stepRows, lastInTables) : undefined;
  if (compared !== undefined) rows.push(...compared.faults);
  const lastStep = waiting.flatMap((entry) => entry.steps).at(-1)?.seq ?? lastInTables;
  const replayed = compared?.replayed;
  return { name: row?.name, lastStep, waiting: waiting.length, replayed, structure, steps, rows, log };
}

/** Reads log entries that are not in the tables. @throws FileFault for a damaged log or missing acknowledged entries */
export function readWaitingEntries(file: string, salt: number, lastStoredEntry: number): readonly LogEntry[] {
  const mark = readCommitMark(file);
  const expected = { salt, lastStoredEntry, acknowledged: typeof mark === 'object' ? mark : undefined };
  return new IntentLog({ path: `${file}-intents`, ...expected, mayLackEntries: false, isReadOnly: true })
    .waitingEntries;
}
