/** Reads and clears the states that strategies saved in a bot's file. */
import { type EpochMs, FileFault } from '../../domain/index.ts';
import { type RecoveredBot, recover, type StateOwner, type StoredRun } from '../../runtime/index.ts';
import { assertExists } from '../disk-fault.ts';
import { isLocked } from '../file-lock.ts';
import { withSqliteFaults } from '../sqlite/database.ts';
import { DatabaseReads } from '../sqlite/database-reads.ts';
import { type BotRow, parseRisk, readBotRow } from './bot-rows.ts';
import { BotStore } from './bot-store.ts';
import { connectReader } from './bot-tables.ts';
import { readWaitingEntries } from './check-file.ts';
import { StepRows } from './step-rows.ts';

export interface SavedStateRow extends StateOwner {
  /** Undefined for a strategy of scope `run`. */
  readonly slug: string | undefined;
  readonly marketId: string | undefined;
  /** Saved state as JSON. */
  readonly value: string;
  readonly at: EpochMs;
}

const REMEDY = 'Name the file that the bot was started with; a paper run has none';

/**
 * Returns the saved states, the last changed first. Writes nothing. Omits a running bot's unwritten changes.
 * @throws FileFault if the file is missing, damaged or not a bot's
 */
export function savedStates(file: string): readonly SavedStateRow[] {
  assertExists(file, REMEDY);
  const stored = readLastRun(file);
  return stored === undefined ? [] : toStateRows(recover(stored));
}

/**
 * Clears states. The caller must hold the lease.
 * @param isSelected selects the states to clear
 * @returns the cleared states
 * @throws FileFault
 */
export async function clearStates(
  file: string,
  isSelected: (state: SavedStateRow) => boolean,
  time: EpochMs,
): Promise<readonly SavedStateRow[]> {
  assertExists(file, REMEDY);
  const botRow = readTables(file, (row) => row);
  if (botRow === undefined) {
    const remedy = 'Start one: `npx halfspread run <config.yaml>`';
    throw new FileFault(file, undefined, 'no bot has traded with it yet', remedy);
  }
  const store = BotStore.open({ file, name: botRow.name, spec: botRow.spec, thread: false });
  try {
    const stored = store.storedRun();
    if (stored === undefined) return [];
    const recovered = recover(stored);
    const cleared = toStateRows(recovered).filter(isSelected);
    if (cleared.length > 0) {
      const { nextSeq: seq, rows: row } = recovered;
      const states = cleared.map(({ strategy, market }) => ({ strategy, market, value: undefined }));
      store.append([{ seq, time, row, event: undefined, refused: [], commands: [], states }]);
    }
    return cleared;
  } finally {
    await store.close(time);
  }
}

/** Returns the last run's state. Includes log entries that are not in the tables, unless a bot is running. */
function readLastRun(file: string): StoredRun | undefined {
  return readTables(file, (row, steps) => {
    const snapshot = steps.lastSnapshot();
    if (row === undefined || snapshot === undefined) return undefined;
    const risk = row.risk === null ? snapshot.risk : parseRisk(file, row.risk);
    const waiting = isLocked(`${file}.lock`) ? [] : readWaitingEntries(file, row.log_salt, row.folded);
    const stored = [...steps.after(snapshot.seq, row.last_seq)];
    return { snapshot, steps: [...stored, ...waiting.flatMap((entry) => entry.steps)], risk };
  });
}

/** Runs `read` in one transaction. */
function readTables<T>(file: string, read: (row: BotRow | undefined, steps: StepRows) => T): T {
  const connection = connectReader(file);
  try {
    const reads = new DatabaseReads(file, connection);
    const work = () => read(readBotRow(reads), new StepRows(reads));
    return withSqliteFaults(file, 'read', () => connection.transaction(work)());
  } finally {
    connection.close();
  }
}

function toStateRows({ state, assignments }: Pick<RecoveredBot, 'state' | 'assignments'>): readonly SavedStateRow[] {
  return assignments.states.entries.toReversed().map(({ strategy, market, value, at }) => {
    const info = market === undefined ? undefined : state.market(market).info;
    return { strategy, market, value, at, slug: info?.slug, marketId: info?.id };
  });
}
