/**
 * Compares a bot's rows with its steps, up to the last step in the tables. Compares balance and positions with a replay
 * from the last snapshot, and fills, adjustments, payments and reversals with the events of all stored steps.
 */
import { startOfUtcDay } from '../../domain/index.ts';
import { recover } from '../../runtime/index.ts';
import { pairByKey } from '../sqlite/compare-tables.ts';
import type { Connection } from '../sqlite/database.ts';
import { formatValue, limitFindings, rowName, type StoredRow } from '../sqlite/row-checksums.ts';
import type { SqlValue } from '../sqlite/row-crc.ts';
import { balanceValues, type EventRow, eventRow, positionValues, type StoredAccount } from './account-rows.ts';
import { BOT_CHECKSUMS } from './bot-checksums.ts';
import type { StepRows } from './step-rows.ts';

/** The stored steps that the rows were compared with. */
export interface ReplayedSteps {
  /** Last step of the snapshot from which balance and positions were recovered. */
  readonly snapshot: number;
  /** Number of steps after the snapshot. */
  readonly steps: number;
  /** Number of the first step whose event was compared; 0 without steps. */
  readonly firstStep: number;
}

export interface ComparedAccount {
  /** Undefined if nothing could be compared. */
  readonly replayed: ReplayedSteps | undefined;
  readonly faults: readonly string[];
}

/** Tables of events, in the order of the reported faults. */
const EVENT_TABLES = ['fills', 'adjustments', 'payments', 'reversals'] as const;
/** A number below all step numbers. As the expected last step, it disables the check for missing steps. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

type Values = Readonly<Record<string, SqlValue>>;

/** @param last number of the last step in the tables. @throws FileFault for an unreadable step or snapshot */
export function compareAccount(connection: Connection, steps: StepRows, last: number): ComparedAccount {
  const snapshot = steps.lastSnapshot();
  if (snapshot === undefined) {
    const faults = last > 0 ? ['table snapshots: it is empty, although steps were stored'] : [];
    return { replayed: undefined, faults };
  }
  const stepsAfter = [...steps.after(snapshot.seq, last)];
  let account: StoredAccount;
  try {
    account = recover({ snapshot, steps: stepsAfter, risk: snapshot.risk }).state;
  } catch (cause) {
    const fault = `snapshot ${snapshot.seq}: the steps after it cannot be replayed (${String(cause)})`;
    return { replayed: undefined, faults: [fault] };
  }
  const rows = [...balanceFaults(connection, account), ...limitFindings(positionFaults(connection, account))];
  const events = EVENT_TABLES.flatMap((table) => limitFindings(eventFaults(connection, table, steps)));
  const firstStep = connection.prepare<[], number>('SELECT coalesce(min(seq), 0) FROM steps').pluck().get() ?? 0;
  const replayed = { snapshot: snapshot.seq, steps: stepsAfter.length, firstStep };
  return { replayed, faults: [...rows, ...events] };
}

function balanceFaults(connection: Connection, account: StoredAccount): readonly string[] {
  const row = connection.prepare<[], StoredRow>('SELECT * FROM balance').get();
  return rowFaults('balance', { id: 1 }, row, balanceValues(account));
}

function* positionFaults(connection: Connection, { markets }: StoredAccount): Iterable<string> {
  const rows = connection.prepare<[], StoredRow>('SELECT * FROM positions ORDER BY market').all();
  const byMarket = new Map(rows.map((row) => [row['market'], row]));
  for (const market of markets) {
    const key = { market: market.info.market };
    const row = byMarket.get(key.market);
    byMarket.delete(key.market);
    // A market that was added after the start gets its row at its first change.
    const values = positionValues(market);
    const isEmpty = Object.values(values).every((value) => value === 0);
    if (row !== undefined || !isEmpty) yield* rowFaults('positions', key, row, values);
  }
  for (const row of byMarket.values()) yield `${rowName('positions', ['market'], row)}: no step explains it`;
}

/** Compares a table's rows with the steps that wrote them, one row for each step. Both are sorted by step number. */
function* eventFaults(connection: Connection, table: EventRow['table'], steps: StepRows): Iterable<string> {
  // All steps after `oldestSnapshot` are stored. Earlier steps may have been removed.
  const oldestSnapshot =
    connection.prepare<[], number>('SELECT coalesce(min(seq), 0) FROM snapshots').pluck().get() ?? 0;
  const rows = connection.prepare<[], StoredRow>(`SELECT * FROM ${table} ORDER BY seq, id`).iterate();
  const pairs = pairByKey(rows, expectedRows(connection, table, steps), (row, { seq }) => Number(row['seq']) - seq);
  for (const [row, step] of pairs) {
    if (row !== undefined && step !== undefined) {
      yield* rowFaults(table, { id: row['id'] ?? null }, row, step.values);
    } else if (row !== undefined && Number(row['seq']) > oldestSnapshot) {
      yield `${rowName(table, ['id'], row)}: no step explains it`;
    } else if (step?.isOptional === false) yield `table ${table}: the row of step ${step.seq} is missing`;
  }
}

/** Yields the rows that the steps wrote. An optional row may be missing. */
function* expectedRows(connection: Connection, table: EventRow['table'], steps: StepRows) {
  const columns = BOT_CHECKSUMS[table].checksums.crc.filter((column) => column !== 'id' && column !== 'seq');
  const pruned = connection.prepare(
    'SELECT 1 FROM pruned WHERE day = ? AND market = ? AND outcome = ? AND side = ? AND liquidity = ?',
  );
  for (const { seq, event } of steps.after(BEFORE_ALL, BEFORE_ALL)) {
    const row = event === undefined ? undefined : eventRow(event);
    if (event === undefined || row?.table !== table) continue;
    const values = Object.fromEntries(columns.map((column) => [column, row.values[column] ?? null]));
    // Early versions stored no rows of conversions.
    let isOptional = event.type === 'converted';
    if (event.type === 'orderFilled') {
      const { time, market, outcome, side, liquidity } = event;
      isOptional = pruned.get(startOfUtcDay(time), market, outcome, side, liquidity) !== undefined;
    }
    yield { seq, values, isOptional };
  }
  return undefined;
}

function rowFaults(table: string, key: Values, row: StoredRow | undefined, values: Values): readonly string[] {
  const where = rowName(table, Object.keys(key), key);
  if (row === undefined) return [`${where}: it is missing`];
  const differences = Object.entries(values).flatMap(([column, value]) => {
    const stored = row[column] ?? null;
    return stored === value ? [] : [`${column} is ${formatValue(stored)}; the steps give ${formatValue(value)}`];
  });
  return differences.length === 0 ? [] : [`${where}: ${differences.join('; ')}`];
}
