/**
 * Balance, positions, fills and adjustments of a bot's file against its steps: the last snapshot and the steps after it,
 * recovered as a start recovers them, and the event of each step that the file still has.
 *
 * Only rows up to the last step in the tables are compared. What waits in the log is brought into the tables by the next start.
 */
import type { InputEvent, OrderFilled } from '../../domain/index.ts';
import { recover, type Step } from '../../runtime/index.ts';
import type { MarketView } from '../../state/index.ts';
import type { Connection } from '../sqlite/database.ts';
import { rowName, type StoredRow, shortened, shownValue } from '../sqlite/row-checksums.ts';
import type { SqlValue } from '../sqlite/row-crc.ts';
import type { StoredAccount } from './account-rows.ts';
import type { StepRows } from './step-rows.ts';

/** What the rows were compared with. */
export interface ReplayedSteps {
  /** The snapshot from which balance and positions were recovered: number of its last step. */
  readonly snapshot: number;
  /** Steps that were folded on top of it. */
  readonly steps: number;
  /** The first step whose fill or adjustment was compared with its row; 0 where the file has none. */
  readonly firstStep: number;
}

export interface ComparedAccount {
  /** Undefined where nothing could be compared. */
  readonly replayed: ReplayedSteps | undefined;
  readonly faults: readonly string[];
}

const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** Columns of a row, as the steps say them. */
type Values = Readonly<Record<string, SqlValue>>;

/**
 * @param last number of the last step in the tables
 * @throws FileFault when a step or snapshot cannot be read
 */
export function compareAccount(connection: Connection, steps: StepRows, last: number): ComparedAccount {
  const snapshot = steps.lastSnapshot();
  if (snapshot === undefined) {
    const faults = last > 0 ? ['table snapshots: it has none, and there were steps'] : [];
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
  const events = new EventComparison(connection);
  const faults = [...rows, ...shortened(events.faults(steps.after(BEFORE_ALL, BEFORE_ALL)))];
  return { replayed: { snapshot: snapshot.seq, steps: after.length, firstStep: events.firstStep }, faults };
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
    // A market that was added later has its row with its first change.
    const values = positionValues(market);
    const isEmpty = Object.values(values).every((value) => value === 0);
    if (row !== undefined || !isEmpty) yield* rowFaults('positions', key, row, values);
  }
  for (const row of byMarket.values()) yield `${rowName('positions', ['market'], row)}: no step leads to it`;
}

function positionValues({ position }: MarketView): Values {
  const { yes, no, yesCost, noCost, realized, netCash, fees } = position;
  return { yes, no, yes_cost: yesCost, no_cost: noCost, realized, net_cash: netCash, fees };
}

/** Fills and adjustments, row by row with the steps. Invariant: both are read in the order of their numbers. */
class EventComparison {
  /** 0 before any step was compared. */
  firstStep = 0;
  readonly #connection: Connection;
  /** Steps after it are all there. Of those before it some may have been removed. */
  readonly #oldestSnapshot: number;
  readonly #isPruned: (fill: OrderFilled) => boolean;

  constructor(connection: Connection) {
    this.#connection = connection;
    const oldest = connection.prepare<[], number>('SELECT coalesce(min(seq), 0) FROM snapshots').pluck().get();
    this.#oldestSnapshot = oldest ?? 0;
    const pruned = connection.prepare(
      'SELECT 1 FROM pruned WHERE day = ? AND market = ? AND outcome = ? AND side = ? AND liquidity = ?',
    );
    this.#isPruned = ({ time, market, outcome, side, liquidity }) =>
      pruned.get(time - (time % DAY_MS), market, outcome, side, liquidity) !== undefined;
  }

  *faults(steps: Iterable<Step>): Iterable<string> {
    const fills = new EventRows(this.#connection, 'fills', this.#oldestSnapshot);
    const adjustments = new EventRows(this.#connection, 'adjustments', this.#oldestSnapshot);
    try {
      for (const { seq, event } of steps) {
        if (this.firstStep === 0) this.firstStep = seq;
        const fill = event?.type === 'orderFilled' ? fillValues(event) : undefined;
        const mayLack = event?.type === 'orderFilled' && this.#isPruned(event);
        yield* fills.faults(seq, fill, mayLack);
        yield* adjustments.faults(seq, event === undefined ? undefined : adjustmentValues(event), false);
      }
      yield* fills.rest();
      yield* adjustments.rest();
    } finally {
      fills.close();
      adjustments.close();
    }
  }
}

/** Rows of a table that has one row for each step of a kind. */
class EventRows {
  readonly #table: string;
  readonly #rows: IterableIterator<StoredRow>;
  /** Rows up to this step may be older than the steps. */
  readonly #oldestSnapshot: number;
  #next: StoredRow | undefined;

  constructor(connection: Connection, table: string, oldestSnapshot: number) {
    this.#table = table;
    this.#oldestSnapshot = oldestSnapshot;
    this.#rows = connection.prepare<[], StoredRow>(`SELECT * FROM ${table} ORDER BY seq, id`).iterate();
    this.#advance();
  }

  /** @param values of the row of this step; undefined where it has none. @param mayLack whether that row may be removed */
  *faults(seq: number, values: Values | undefined, mayLack: boolean): Iterable<string> {
    yield* this.#before(seq);
    if (values === undefined) return;
    const row = this.#next;
    if (row?.['seq'] === seq) {
      this.#advance();
      yield* rowFaults(this.#table, { id: row['id'] ?? null }, row, values);
    } else if (!mayLack) yield `table ${this.#table}: the row of step ${seq} is missing`;
  }

  /** Those after the last step. */
  rest(): Iterable<string> {
    return this.#before(Number.POSITIVE_INFINITY);
  }

  close(): void {
    this.#rows.return?.();
  }

  *#before(seq: number): Iterable<string> {
    for (let row = this.#next; row !== undefined && Number(row['seq']) < seq; row = this.#next) {
      const isKnown = Number(row['seq']) > this.#oldestSnapshot;
      if (isKnown) yield `${rowName(this.#table, ['id'], row)}: no step leads to it`;
      this.#advance();
    }
  }

  #advance(): void {
    this.#next = this.#rows.next().value;
  }
}

const DAY_MS = 86_400_000;

function fillValues({ order, venueTime, time, trade, ...fill }: OrderFilled): Values {
  const { market, outcome, side, price, shares, fee, liquidity, tag } = fill;
  const terms = { order_no: order, market, outcome, side, price, shares, fee, liquidity, tag };
  return { ...terms, at: time, venue_at: venueTime, trade: trade ?? null };
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

/** What differs in a row, with both values. */
function rowFaults(table: string, key: Values, row: StoredRow | undefined, values: Values): readonly string[] {
  const where = rowName(table, Object.keys(key), key);
  if (row === undefined) return [`${where}: it is missing`];
  const differences = Object.entries(values).flatMap(([column, value]) => {
    const stored = row[column] ?? null;
    return stored === value ? [] : [`${column} is ${shownValue(stored)}, by the steps ${shownValue(value)}`];
  });
  return differences.length === 0 ? [] : [`${where}: ${differences.join('; ')}`];
}
