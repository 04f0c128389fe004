/**
 * Compares balance, positions, fills and adjustments of a bot's file with its steps. Balance and positions are recovered from
 * the last snapshot and the steps after it; fills and adjustments are compared with the events of all stored steps.
 *
 * Compares rows up to the last step in the tables, without entries that are only in the log.
 */
import type { FillReversed, InputEvent, OrderFilled } from '../../domain/index.ts';
import { recover, type Step } from '../../runtime/index.ts';
import type { MarketView } from '../../state/index.ts';
import { paired } from '../sqlite/compare-tables.ts';
import type { Connection } from '../sqlite/database.ts';
import { rowName, type StoredRow, shortened, shownValue } from '../sqlite/row-checksums.ts';
import type { SqlValue } from '../sqlite/row-crc.ts';
import { paymentOf, type StoredAccount } from './account-rows.ts';
import type { StepRows } from './step-rows.ts';

/** The stored steps that the rows were compared with. */
export interface ReplayedSteps {
  /** The snapshot from which balance and positions were recovered: number of its last step. */
  readonly snapshot: number;
  /** Number of steps after it. */
  readonly steps: number;
  /** Number of the first step whose fill or adjustment was compared; 0 without steps. */
  readonly firstStep: number;
}

export interface ComparedAccount {
  /** Undefined if nothing could be compared. */
  readonly replayed: ReplayedSteps | undefined;
  readonly faults: readonly string[];
}

const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** Expected columns of a row. */
type Values = Readonly<Record<string, SqlValue>>;

/**
 * @param last number of the last step in the tables
 * @throws FileFault for an unreadable step or snapshot
 */
export function compareAccount(connection: Connection, steps: StepRows, last: number): ComparedAccount {
  const snapshot = steps.lastSnapshot();
  if (snapshot === undefined) {
    const faults = last > 0 ? ['table snapshots: it is empty, although steps were stored'] : [];
    return { replayed: undefined, faults };
  }
  const after = [...steps.after(snapshot.seq, last)];
  let account: StoredAccount;
  try {
    account = recover({ snapshot, steps: after, risk: snapshot.risk }).state;
  } catch (cause) {
    const fault = `snapshot ${snapshot.seq}: the steps after it cannot be replayed (${String(cause)})`;
    return { replayed: undefined, faults: [fault] };
  }
  const rows = [...balanceFaults(connection, account), ...shortened(positionFaults(connection, account))];
  const all = (): Iterable<Step> => steps.after(BEFORE_ALL, BEFORE_ALL);
  const fills = shortened(eventFaults(connection, 'fills', fillsOf(connection, all())));
  const adjustments = shortened(eventFaults(connection, 'adjustments', adjustmentsOf(all())));
  const payments = shortened(eventFaults(connection, 'payments', paymentsOf(all())));
  const reversals = shortened(eventFaults(connection, 'reversals', reversalsOf(all())));
  const firstStep = connection.prepare<[], number>('SELECT coalesce(min(seq), 0) FROM steps').pluck().get() ?? 0;
  const replayed = { snapshot: snapshot.seq, steps: after.length, firstStep };
  return { replayed, faults: [...rows, ...fills, ...adjustments, ...payments, ...reversals] };
}

function balanceFaults(connection: Connection, account: StoredAccount): readonly string[] {
  const { cash, contributed, external, unexplained } = account;
  const row = connection.prepare<[], StoredRow>('SELECT * FROM balance').get();
  return rowFaults('balance', { id: 1 }, row, { cash, contributed, external, unexplained });
}

function* positionFaults(connection: Connection, { markets }: StoredAccount): Iterable<string> {
  const rows = connection.prepare<[], StoredRow>('SELECT * FROM positions ORDER BY market').all();
  const byMarket = new Map(rows.map((row) => [row['market'], row]));
  for (const market of markets) {
    const key = { market: market.info.market };
    const row = byMarket.get(key.market);
    byMarket.delete(key.market);
    // A market that was added later gets its row with its first change.
    const values = positionValues(market);
    const isEmpty = Object.values(values).every((value) => value === 0);
    if (row !== undefined || !isEmpty) yield* rowFaults('positions', key, row, values);
  }
  for (const row of byMarket.values()) yield `${rowName('positions', ['market'], row)}: no step explains it`;
}

function positionValues({ position }: MarketView): Values {
  const { yes, no, yesCost, noCost, realized, netCash, fees } = position;
  return { yes, no, yes_cost: yesCost, no_cost: noCost, realized, net_cash: netCash, fees };
}

/** Expected values of a step's row. */
interface StepRow {
  readonly seq: number;
  readonly values: Values;
  /** Whether the row may have been removed. */
  readonly isOptional: boolean;
}

/** Compares the rows of a table with the steps that wrote them, one row for each step. Both are sorted by number. */
function* eventFaults(connection: Connection, table: string, steps: Iterable<StepRow>): Iterable<string> {
  // All later steps are stored. Earlier ones may have been removed.
  const oldest = connection.prepare<[], number>('SELECT coalesce(min(seq), 0) FROM snapshots').pluck().get() ?? 0;
  const rows = connection.prepare<[], StoredRow>(`SELECT * FROM ${table} ORDER BY seq, id`).iterate();
  const pairs = paired(rows, steps[Symbol.iterator](), (row, { seq }) => Number(row['seq']) - seq);
  for (const [row, step] of pairs) {
    if (row !== undefined && step !== undefined) {
      yield* rowFaults(table, { id: row['id'] ?? null }, row, step.values);
    } else if (row !== undefined && Number(row['seq']) > oldest) {
      yield `${rowName(table, ['id'], row)}: no step explains it`;
    } else if (step?.isOptional === false) yield `table ${table}: the row of step ${step.seq} is missing`;
  }
}

function* fillsOf(connection: Connection, steps: Iterable<Step>): Generator<StepRow> {
  const pruned = connection.prepare(
    'SELECT 1 FROM pruned WHERE day = ? AND market = ? AND outcome = ? AND side = ? AND liquidity = ?',
  );
  for (const { seq, event } of steps) {
    if (event?.type !== 'orderFilled') continue;
    const { time, market, outcome, side, liquidity } = event;
    const isOptional = pruned.get(time - (time % DAY_MS), market, outcome, side, liquidity) !== undefined;
    yield { seq, values: fillValues(event), isOptional };
  }
}

function* adjustmentsOf(steps: Iterable<Step>): Generator<StepRow> {
  for (const { seq, event } of steps) {
    const values = event === undefined ? undefined : adjustmentValues(event);
    if (values !== undefined) yield { seq, values, isOptional: false };
  }
}

function* paymentsOf(steps: Iterable<Step>): Generator<StepRow> {
  for (const { seq, event } of steps) {
    const payment = event === undefined ? undefined : paymentOf(event);
    if (event === undefined || payment === undefined) continue;
    // An earlier version stored no rows of conversions.
    yield { seq, values: { at: event.time, ...payment }, isOptional: event.type === 'converted' };
  }
}

function* reversalsOf(steps: Iterable<Step>): Generator<StepRow> {
  for (const { seq, event } of steps) {
    if (event?.type === 'fillReversed') yield { seq, values: reversalValues(event), isOptional: false };
  }
}

const DAY_MS = 86_400_000;

function fillValues({ order, venueTime, time, trade, ...fill }: OrderFilled): Values {
  const { market, outcome, side, price, shares, fee, liquidity, basis } = fill;
  const terms = { order_no: order, market, outcome, side, price, shares, fee, liquidity, tag: basis };
  return { ...terms, at: time, venue_at: venueTime, trade: trade ?? null };
}

function reversalValues({ type, order, time, venueTime, liquidity, ...fill }: FillReversed): Values {
  return { ...fill, order_no: order, at: time, venue_at: venueTime };
}

function adjustmentValues(event: InputEvent): Values | undefined {
  if (event.type === 'cashAdjusted') {
    const none = { market: null, yes: null, no: null, yes_cost: null, no_cost: null };
    return { at: event.time, cash: event.amount, ...none, trade: event.trade ?? null };
  }
  if (event.type !== 'holdingAdjusted') return undefined;
  const { time, market, yes, no, yesCost, noCost } = event;
  return { at: time, cash: null, market, yes, no, yes_cost: yesCost, no_cost: noCost, trade: null };
}

/** Differences in a row, with both values. */
function rowFaults(table: string, key: Values, row: StoredRow | undefined, values: Values): readonly string[] {
  const where = rowName(table, Object.keys(key), key);
  if (row === undefined) return [`${where}: it is missing`];
  const differences = Object.entries(values).flatMap(([column, value]) => {
    const stored = row[column] ?? null;
    return stored === value ? [] : [`${column} is ${shownValue(stored)}; the steps give ${shownValue(value)}`];
  });
  return differences.length === 0 ? [] : [`${where}: ${differences.join('; ')}`];
}
