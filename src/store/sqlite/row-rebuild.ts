/**
 * Rebuilds rows from records in a temporary database, and compares a file's rows with the rebuilt rows.
 *
 * The temporary database is an unlinked file in TMPDIR or /tmp, so that memory stays bounded.
 */
import { default as Database } from 'better-sqlite3';
import {
  type Archive,
  type EventNumbers,
  type ExchangeView,
  ledgerKindCode,
  type RowBatch,
  type TransferKind,
} from '../../exchange/index.ts';
import { compareTables, pairByKey } from './compare-tables.ts';
import { type Connection, prepareFile, withSqliteFaults } from './database.ts';
import { DatabaseReads } from './database-reads.ts';
import { blockFault, type EventBlock, eventsIn } from './event-block.ts';
import { RETAINED_EVENTS } from './event-queries.ts';
import { OrderKeys } from './order-keys.ts';
import { limitFindings, type StoredRow } from './row-checksums.ts';
import type { SqlValue } from './row-crc.ts';
import { createRowWriter } from './row-writer.ts';
import { putRowsAtSnapshot } from './rows-at-snapshot.ts';
import { SqliteArchive } from './sqlite-archive.ts';

/** Tables and columns that a replay of records cannot rebuild, with the reasons. A test verifies the list. */
export const NOT_COMPARED: readonly string[] = [
  'registry: it is not state of the exchange; its rows have checksums',
  'ledger.kind of a transfer: the record does not contain it; the row has a checksum',
  'markets.updated_at: earlier versions did not write it at a vote; the row has a checksum',
  'head.indexed: the progress of the index by id; the check only tests that it is not too high',
  'snapshots.is_usable: a record does not contain that a snapshot was marked unusable',
  'commit_stamp: the number of transactions; it has a checksum',
  'holdings without amounts: their rows depend on restarts; they have checksums',
];

/** Tables that the comparison of rows skips: sources of the replay, and tables that are checked separately. */
const EXCLUDED_TABLES = [
  ...['journal', 'snapshots', 'snapshot_pieces', 'registry', 'head', 'order_keys', 'commit_stamp'],
  ...['order_events', 'event_blocks'],
];
const TRANSFERS: readonly TransferKind[] = ['DEPOSIT', 'WITHDRAWAL', 'REFUND', 'REBATE', 'ADJUSTMENT'];
const TRANSFER_CODES: readonly SqlValue[] = TRANSFERS.map(ledgerKindCode);
/** Kinds of the transfers in a replay, which knows only the sign of an amount. */
const REPLAYED_TRANSFER_CODES: readonly SqlValue[] = [ledgerKindCode('DEPOSIT'), ledgerKindCode('WITHDRAWAL')];
const TEMPORARY_NAME = 'temporary file of the comparison';

/** A temporary database with rebuilt rows. Close it after use. */
export class RowRebuild {
  readonly #file: Connection;
  readonly #rebuilt: Connection;
  readonly #writeBatch: (batch: RowBatch) => void;
  /** Numbers of the last event and the last order at the start of the replay. */
  #startSeq = 0;
  #startOrder = 0;
  #view: ExchangeView | undefined;

  /** @param file the database to check. Nothing is written to it */
  constructor(file: Connection) {
    this.#file = file;
    this.#rebuilt = withSqliteFaults(TEMPORARY_NAME, 'opened', () => new Database(''));
    prepareFile(TEMPORARY_NAME, this.#rebuilt);
    this.#rebuilt.pragma('journal_mode = OFF');
    this.#rebuilt.pragma('synchronous = OFF');
    const write = createRowWriter(this.#rebuilt);
    this.#writeBatch = this.#rebuilt.transaction((batch: RowBatch) => write(batch));
  }

  /** Starts the replay from a new exchange or a snapshot. @throws FileFault */
  begin(view: ExchangeView): Archive {
    this.#startSeq = view.seq;
    this.#startOrder = view.orderCount;
    this.#view = view;
    withSqliteFaults(TEMPORARY_NAME, 'written', () => {
      if (view.seq === 0) return;
      putRowsAtSnapshot(this.#file, this.#rebuilt, view, lastEventsBefore(this.#file, this.#firstRebuiltId));
    });
    const reads = new DatabaseReads(TEMPORARY_NAME, this.#rebuilt);
    return new SqliteArchive(reads, new OrderKeys(reads));
  }

  /** @throws FileFault */
  write(batch: RowBatch): void {
    withSqliteFaults(TEMPORARY_NAME, 'written', () => this.#writeBatch(batch));
  }

  /** Returns one sentence for each of the first rows of a table that differ from the replay. @throws SqliteError */
  differences(): readonly string[] {
    const firstBuckets = this.#firstBuckets();
    const rows = compareTables({
      file: this.#file,
      rebuilt: this.#rebuilt,
      excludedTables: EXCLUDED_TABLES,
      isSkipped: (table, row) => table === 'holdings' && this.#isEmptyHolding(row),
      isOlder: (table, row) => this.#startSeq > 0 && this.#isOlder(table, row, firstBuckets),
      mayDiffer: (table, column, value, rebuilt) => {
        if (table === 'markets') return column === 'updated_at';
        if (table !== 'ledger' || column !== 'kind') return false;
        return TRANSFER_CODES.includes(value) && REPLAYED_TRANSFER_CODES.includes(rebuilt[column] ?? null);
      },
    });
    return [...rows, ...limitFindings(compareEvents(this.#file, this.#rebuilt, this.#firstRebuiltId, RETAINED_EVENTS))];
  }

  close(): void {
    this.#rebuilt.close();
  }

  /** Lower bound of the ids of rebuilt fills and order events. */
  get #firstRebuiltId(): number {
    return 2 * (this.#startSeq + 1);
  }

  /**
   * Returns whether all amounts of an account's holding in a market are 0. Snapshots omit empty holdings. The market's
   * end therefore changes a row of an empty holding only if the venue was not restarted since the account's last order.
   */
  #isEmptyHolding({ account, market }: StoredRow): boolean {
    const view = this.#view;
    if (view?.account(Number(account)) === undefined || view.market(Number(market)) === undefined) return false;
    const holding = view.holding(Number(account), Number(market));
    if (holding === undefined) return true;
    const { yes, no, reserved, netPaid, fees } = holding;
    return [...Object.values(yes), ...Object.values(no), reserved, netPaid, fees].every((amount) => amount === 0);
  }

  #isOlder(table: string, row: StoredRow, firstBuckets: ReadonlyMap<string, number>): boolean {
    const number = (column: string): number => Number(row[column]);
    if (table === 'orders') return number('no') <= this.#startOrder;
    if (table === 'fills') return number('id') < this.#firstRebuiltId;
    if (table === 'ledger') return number('id') < 4 * (this.#startSeq + 1);
    if (table === 'reversals' || table === 'price_points') return number('seq') <= this.#startSeq;
    if (table !== 'price_buckets') return false;
    const first = firstBuckets.get(`${number('market')} ${number('length')}`);
    return first !== undefined && number('at') < first;
  }

  #firstBuckets(): ReadonlyMap<string, number> {
    const sql = "SELECT market || ' ' || length AS key, min(at) AS at FROM price_buckets GROUP BY market, length";
    const rows = this.#rebuilt.prepare<[], { readonly key: string; readonly at: number }>(sql).all();
    return new Map(rows.map(({ key, at }) => [key, at]));
  }
}

/** Yields order events from id `from` on. Skips damaged blocks, which `row-check.ts` reports. @throws SqliteError */
function* storedEvents(connection: Connection, from: number): Generator<EventNumbers, undefined> {
  const rows = connection.prepare<[number], EventNumbers>(
    'SELECT *, order_no AS "order" FROM order_events WHERE id >= ? ORDER BY id',
  );
  yield* rows.iterate(from);
  const blocks = connection.prepare<[number], EventBlock>('SELECT * FROM event_blocks WHERE last >= ? ORDER BY last');
  for (const block of blocks.iterate(from)) {
    if (blockFault(block) !== undefined) continue;
    for (const event of eventsIn(block)) if (event.id >= from) yield event;
  }
  return undefined;
}

/** Returns each account's last event id before `from`, or 0. Omits accounts without events from `from` on. */
function lastEventsBefore(connection: Connection, from: number): ReadonlyMap<number, number> {
  const lastEvents = new Map<number, number>();
  for (const { account, previous } of storedEvents(connection, from)) {
    if (!lastEvents.has(account)) lastEvents.set(account, previous < from ? previous : 0);
  }
  return lastEvents;
}

// biome-ignore format: one line
const EVENT_COLUMNS = ['previous', 'account', 'market', 'order', 'kind', 'shares', 'filled', 'amount', 'fee', 'status', 'reason', 'at'] as const;

/**
 * Yields the differences between a file's events and the rebuilt events.
 * @param from events before this id were not rebuilt
 * @param kept number of newest events that are never removed. Older events may be missing
 */
export function* compareEvents(file: Connection, rebuilt: Connection, from: number, kept: number): Iterable<string> {
  const count = 'SELECT (SELECT count(*) FROM order_events) + (SELECT coalesce(sum(count), 0) FROM event_blocks)';
  let reportsMissing = (file.prepare<[], number>(count).pluck().get() ?? 0) < kept;
  const events = pairByKey(storedEvents(file, from), storedEvents(rebuilt, from), (one, other) => one.id - other.id);
  for (const [event, rebuiltEvent] of events) {
    if (event !== undefined && rebuiltEvent !== undefined) {
      reportsMissing = true;
      const values = EVENT_COLUMNS.filter((column) => event[column] !== rebuiltEvent[column]).map(
        (column) => `${column} is ${event[column]}; the records give ${rebuiltEvent[column]}`,
      );
      if (values.length > 0) yield `order event ${event.id}: ${values.join('; ')}`;
    } else if (event !== undefined) yield `order event ${event.id}: no record explains it`;
    else if (reportsMissing) yield `order event ${rebuiltEvent?.id}: it is missing`;
  }
}
