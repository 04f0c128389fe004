/**
 * Opens a bot's files: the database, its log of entries, and the mark with the last acknowledged data of both.
 *
 * Writes do not wait for the disk, so data can be missing after a power cut. Reconciliation with the venue then closes
 * this gap. Data that is missing without a restart of the machine was removed, which is an error.
 */
import type { Gap } from '../../runtime/index.ts';
import { makePrivate, sqliteFiles } from '../private-files.ts';
import { updateCommitStamp } from '../sqlite/commit-stamp.ts';
import { type Connection, closeOnFailure, MEMORY, withSqliteFaults } from '../sqlite/database.ts';
import { DatabaseReads } from '../sqlite/database-reads.ts';
import { beginUse, checkForLoss, type LastUse } from '../sqlite/database-use.ts';
import { CommitMarkFile } from '../sqlite/mark-file.ts';
import { BotRows } from './bot-rows.ts';
import { connectBot } from './bot-tables.ts';
import { addGap } from './gaps.ts';
import { IntentLog } from './intent-log.ts';

export interface BotStoreOptions {
  /** Path; `:memory:` for a database in memory. */
  readonly file: string;
  /** Owner of the file: venue and account. Another bot's file is refused. */
  readonly name: string;
  /** The bot's configuration, to detect a change. */
  readonly spec: string;
  /** Number of stored steps between two snapshots. Default 20,000. */
  readonly snapshotEvery?: number;
  /** Maximum number of pages of 4 KB in the file. Default: no limit. */
  readonly maxPages?: number;
  /** Whether to continue with the existing data if acknowledged data is missing. Default false. */
  readonly acceptLoss?: boolean;
  /** Id of the machine's last start, to detect a power cut. Default: the operating system's id. */
  readonly boot?: string;
  /** Whether checkpoints run on a separate thread. Default true; ignored in memory. */
  readonly thread?: boolean;
}

export interface OpenedFiles {
  readonly connection: Connection;
  readonly reads: DatabaseReads;
  readonly rows: BotRows;
  /** `log` and `mark` are undefined in memory, where everything is written to the tables at once. */
  readonly log: IntentLog | undefined;
  readonly mark: CommitMarkFile | undefined;
}

/** Opens a bot's files, and closes them if `use` throws. @throws FileFault, or any error of `use` */
export function openFiles<T>(options: BotStoreOptions, use: (opened: OpenedFiles) => T): T {
  const opened = options.file === MEMORY ? openInMemory(options) : openOnDisk(options);
  try {
    return withSqliteFaults(options.file, 'opened', () => use(opened));
  } catch (error) {
    opened.mark?.close();
    opened.connection.close();
    throw error;
  }
}

function openInMemory(options: BotStoreOptions): OpenedFiles {
  const reads = new DatabaseReads(options.file, openDatabase(options));
  return { connection: reads.connection, reads, rows: claimFile(reads, options), log: undefined, mark: undefined };
}

function openOnDisk(options: BotStoreOptions): OpenedFiles {
  const { file, acceptLoss, boot } = options;
  const path = `${file}-intents`;
  makePrivate([...sqliteFiles(file), path]);
  const lastUse = checkForLoss(file, { unit: 'entry', acceptLoss, boot, mayLoseAtPowerCut: true });
  const connection = openDatabase(options);
  return closeOnFailure(connection, () => {
    const reads = new DatabaseReads(file, connection);
    const rows = claimFile(reads, options);
    const mayLackEntries = lastUse.wasMachineRestarted || acceptLoss === true;
    const { salt, lastStoredEntry } = rows;
    const log = new IntentLog({ path, salt, lastStoredEntry, acknowledged: lastUse.mark, mayLackEntries });
    const gap = describeGap(lastUse, log);
    withSqliteFaults(file, 'opened', () => {
      const onAcceptedLoss = gap === undefined ? undefined : () => addGap(connection, gap);
      beginUse(file, connection, { lastEntry: log.last, boot, onAcceptedLoss });
    });
    const mark = new CommitMarkFile(file);
    log.recordIn(mark);
    return { connection, reads, rows, log, mark };
  });
}

function openDatabase({ file, maxPages }: BotStoreOptions): Connection {
  const connection = connectBot(file, { cacheMb: 32 });
  return closeOnFailure(connection, () => {
    connection.pragma('synchronous = NORMAL');
    if (maxPages !== undefined) connection.pragma(`max_page_count = ${maxPages}`);
    return connection;
  });
}

/** Claims the file for this bot. @throws FileFault if it belongs to another bot */
function claimFile(reads: DatabaseReads, options: BotStoreOptions): BotRows {
  const claim = reads.connection.transaction(() => {
    const rows = new BotRows(reads, options);
    updateCommitStamp(reads.connection);
    return rows;
  });
  return withSqliteFaults(options.file, 'opened', () => claim.immediate());
}

/** Describes data that is missing or may be missing; undefined if the files are complete. */
function describeGap(lastUse: LastUse, { missing, waitingEntries }: IntentLog): Gap | undefined {
  const { mark, wasMachineRestarted, lostCommits, acceptedLoss } = lastUse;
  if (!wasMachineRestarted && acceptedLoss === undefined && missing === 0) return undefined;
  // If no entry was acknowledged, no order was sent. Otherwise, any order can be missing if the files have no data.
  // After a restart of the machine, the mark can be older than the last entries.
  const isMarkCurrent = mark?.boot !== undefined && !wasMachineRestarted;
  const fromBeginning = isMarkCurrent && mark.lastEntry === 0 ? undefined : 0;
  return {
    cause: wasMachineRestarted ? 'POWER_CUT' : 'ACCEPTED_LOSS',
    from: waitingEntries.at(-1)?.steps.at(-1)?.time ?? fromBeginning,
    acknowledgedAt: mark?.at,
    commits: lostCommits,
    entries: missing,
  };
}
