/**
 * Removes old rows of a bot's file in slices: steps before the oldest snapshot, ended orders with their signed bytes,
 * and their fills. Each removed fill is first added to the sums of its day (table `pruned`).
 *
 * Invariants: a slice is one transaction, so a fill is always either in its row or in a sum. An order and its fills are
 * kept if the order is open or changed at or after `before`. All data that a start needs is kept: the snapshots, all
 * steps after the oldest snapshot, balance and positions.
 */
import type { Statement } from 'better-sqlite3';
import { nextEventLoopTurn } from '../../clock/index.ts';
import { type EpochMs, timeAfter } from '../../domain/index.ts';
import { CommitCounter, updateCommitStamp } from '../sqlite/commit-stamp.ts';
import { withSqliteFaults } from '../sqlite/database.ts';
import { DatabaseReads } from '../sqlite/database-reads.ts';
import { checkForLoss, endUse } from '../sqlite/database-use.ts';
import type { StoredRow } from '../sqlite/row-checksums.ts';
import { BOT_CHECKSUMS, ChecksummedInsert } from './bot-checksums.ts';
import { connectBot } from './bot-tables.ts';

export interface PrunedRows {
  readonly steps: number;
  readonly orders: number;
  readonly fills: number;
}

type Row = StoredRow & { readonly key: number; readonly at: number };
type DayRow = StoredRow & {
  readonly [Column in 'day' | 'market' | 'fills' | 'shares' | 'amount' | 'fees']: number;
} & { readonly [Column in 'outcome' | 'side' | 'liquidity']: string };
type Range = { readonly after: number; readonly upTo: number; readonly before: number };

/** Rows in one transaction, which blocks the event loop for about a third of a millisecond (docs/performance.md). */
const ROWS_PER_SLICE = 50;
/** Number of consecutive slices without old rows that ends a phase. Rows with times of a fast clock fill fewer. */
const MAX_RECENT_SLICES = 200;
const NO_TOTALS = { fills: 0, shares: 0, amount: 0, fees: 0 };
const NO_ROWS: PrunedRows = { steps: 0, orders: 0, fills: 0 };
const PHASES = ['fills', 'orders', 'steps'] as const;
type Phase = (typeof PHASES)[number];

const OPEN = "status IN ('NEW', 'LIVE', 'UNKNOWN')";
const HAS_RETAINED_ORDER = `EXISTS (SELECT 1 FROM orders WHERE orders.order_no = fills.order_no AND (${OPEN} OR updated_at >= @before))`;

export class Pruning {
  readonly #before: EpochMs;
  readonly #selectNext: Readonly<Record<Phase, Statement<[number, number], Row>>>;
  readonly #verify: Readonly<Record<Phase, (row: Row) => Row>>;
  readonly #selectTotals: Statement<[Range], DayRow>;
  readonly #findDay: Statement<[number, number, string, string, string], DayRow>;
  readonly #verifyDay: (row: DayRow) => DayRow;
  readonly #insertDay: ChecksummedInsert;
  readonly #remove: Readonly<Record<Phase, readonly Statement[]>>;
  #phase = 0;
  /** Key of the last checked row of this phase. */
  #lastKey = 0;
  /** Number of consecutive slices without an old row. */
  #recentSlices = 0;

  /** @param before rows of this time or later are kept */
  constructor(reads: DatabaseReads, before: EpochMs) {
    const { connection } = reads;
    this.#before = before;
    const prepare = (text: string) => connection.prepare<[number, number], Row>(`${text} LIMIT ?`);
    this.#selectNext = {
      fills: prepare('SELECT *, id AS key FROM fills WHERE id > ? ORDER BY id'),
      orders: prepare('SELECT *, order_no AS key, sent_at AS at FROM orders WHERE order_no > ? ORDER BY order_no'),
      steps: prepare(
        'SELECT seq AS key, at FROM steps WHERE seq > ? AND seq <= (SELECT coalesce(min(seq), 0) FROM snapshots) ORDER BY seq',
      ),
    };
    const { fills, orders, pruned } = BOT_CHECKSUMS;
    this.#verify = {
      fills: reads.rowDecoder('fills', fills, (row: Row) => row),
      orders: reads.rowDecoder('orders', orders, (row: Row) => row),
      // The query of `steps` selects no checksum.
      steps: (row) => row,
    };
    const removed = `FROM fills WHERE id > @after AND id <= @upTo AND at < @before AND NOT ${HAS_RETAINED_ORDER}`;
    this.#selectTotals = connection.prepare(
      `SELECT at - at % 86400000 AS day, market, outcome, side, liquidity, count(*) AS fills, sum(shares) AS shares,
         sum(shares * price / 10000) AS amount, sum(fee) AS fees ${removed} GROUP BY 1, 2, 3, 4, 5`,
    );
    this.#findDay = connection.prepare(
      'SELECT * FROM pruned WHERE day = ? AND market = ? AND outcome = ? AND side = ? AND liquidity = ?',
    );
    this.#verifyDay = reads.rowDecoder('pruned', pruned, (row: DayRow) => row);
    this.#insertDay = new ChecksummedInsert(connection, 'pruned', 'INSERT OR REPLACE');
    this.#remove = {
      fills: [connection.prepare(`DELETE ${removed}`)],
      orders: [
        // Keep the newest row, from which `SignedRows.lastOrder` reads the highest signed number.
        connection.prepare(
          `DELETE FROM signed WHERE order_no > @after AND order_no <= @upTo AND order_no < (SELECT max(order_no) FROM signed)
             AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.order_no = signed.order_no AND (${OPEN} OR updated_at >= @before))`,
        ),
        connection.prepare(
          `DELETE FROM order_tags WHERE order_no > @after AND order_no <= @upTo
             AND EXISTS (SELECT 1 FROM orders WHERE orders.order_no = order_tags.order_no AND NOT (${OPEN} OR updated_at >= @before))`,
        ),
        connection.prepare(
          `DELETE FROM orders WHERE order_no > @after AND order_no <= @upTo AND NOT (${OPEN} OR updated_at >= @before)`,
        ),
      ],
      steps: [connection.prepare('DELETE FROM steps WHERE seq > @after AND seq <= @upTo AND at < @before')],
    };
  }

  /**
   * Removes the next slice. Call this method within a transaction.
   * @returns counts of removed rows; undefined after the last slice
   * @throws FileFault for a damaged row
   */
  removeSlice(): PrunedRows | undefined {
    for (let phase = PHASES[this.#phase]; phase !== undefined; phase = PHASES[this.#phase]) {
      const rows = this.#selectNext[phase].all(this.#lastKey, ROWS_PER_SLICE).map(this.#verify[phase]);
      const last = rows.at(-1);
      this.#recentSlices = rows.every(({ at }) => at >= this.#before) ? this.#recentSlices + 1 : 0;
      if (last === undefined || this.#recentSlices > MAX_RECENT_SLICES) {
        this.#phase += 1;
        this.#lastKey = 0;
        this.#recentSlices = 0;
        continue;
      }
      const range = { after: this.#lastKey, upTo: last.key, before: this.#before };
      this.#lastKey = last.key;
      if (this.#recentSlices > 0) return NO_ROWS;
      if (phase === 'fills') this.#addToDays(range);
      const removedCount = this.#remove[phase].map((statement) => statement.run(range).changes).at(-1) ?? 0;
      return { ...NO_ROWS, [phase]: removedCount };
    }
    return undefined;
  }

  #addToDays(range: Range): void {
    for (const totals of this.#selectTotals.all(range)) {
      const found = this.#findDay.get(totals.day, totals.market, totals.outcome, totals.side, totals.liquidity);
      const { fills, shares, amount, fees } = found === undefined ? NO_TOTALS : this.#verifyDay(found);
      this.#insertDay.add({
        ...totals,
        fills: totals.fills + fills,
        shares: totals.shares + shares,
        amount: totals.amount + amount,
        fees: totals.fees + fees,
      });
    }
  }
}

function addPruned(a: PrunedRows, b: PrunedRows): PrunedRows {
  return { steps: a.steps + b.steps, orders: a.orders + b.orders, fills: a.fills + b.fills };
}

const SLICES_PER_CHECKPOINT = 100;

/**
 * Removes rows older than `before`. After a crash, a later call continues. Keeps the bot's log, which the next
 * start reads. The caller must hold the lease.
 * @param options `shrink`: whether to return free space to the disk, which needs as much space meanwhile. Default false
 * @throws FileFault
 */
export function pruneFile(file: string, before: EpochMs, { shrink = false }: { shrink?: boolean } = {}): PrunedRows {
  const { mark } = checkForLoss(file, { unit: 'entry', mayLoseAtPowerCut: true });
  const connection = connectBot(file, { cacheMb: 32 });
  try {
    return withSqliteFaults(file, 'written', () => {
      const pruning = new Pruning(new DatabaseReads(file, connection), before);
      connection.transaction(() => updateCommitStamp(connection))();
      const counter = new CommitCounter(connection);
      const removeNext = connection.transaction(() => {
        const rows = pruning.removeSlice();
        counter.count();
        return rows;
      });
      let total = NO_ROWS;
      for (let slices = 1; ; slices += 1) {
        const rows = removeNext();
        counter.onCommitted();
        if (rows === undefined) break;
        total = addPruned(total, rows);
        if (slices % SLICES_PER_CHECKPOINT === 0) connection.pragma('wal_checkpoint(TRUNCATE)');
      }
      if (shrink) connection.exec('VACUUM');
      // A file with a mark was in use at a crash, so the next start must compare it with the mark.
      if (mark === undefined) endUse(connection);
      connection.pragma('wal_checkpoint(TRUNCATE)');
      return total;
    });
  } finally {
    connection.close();
  }
}

/** Time between two passes over a running bot's file. */
const PASS_MS = 3_600_000;
/** Maximum number of slices in one call of a retention task. */
const SLICES_PER_CALL = 50;

export interface RetentionOptions {
  readonly store: { beginPruning(before: EpochMs): () => PrunedRows | undefined };
  /** Age from which rows are removed, ms. */
  readonly maxAgeMs: number;
  /** Receives the counts of removed rows after each pass that removed rows. */
  readonly onPruned: (rows: PrunedRows) => void;
  /** Receives the error when a row cannot be removed. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Removes old rows of a running bot's file once an hour. Each slice runs in its own event loop turn, and each call has
 * a limited number of slices. Market data therefore never waits long.
 * @returns a task to call at most a few times a second. The task resolves after its slices, and never rejects
 */
export function retentionTask(options: RetentionOptions): (now: EpochMs) => Promise<void> {
  const { store, maxAgeMs, onPruned, onFailed } = options;
  let removeSlice: (() => PrunedRows | undefined) | undefined;
  let removed = NO_ROWS;
  let nextPass = 0;
  let isBusy = false;
  const runSlices = async (now: EpochMs): Promise<void> => {
    if (removeSlice === undefined) {
      removeSlice = store.beginPruning(timeAfter(now, -maxAgeMs));
      nextPass = now + PASS_MS;
    }
    for (let count = 0; count < SLICES_PER_CALL; count += 1) {
      await nextEventLoopTurn();
      const rows = removeSlice();
      if (rows === undefined) {
        const total = removed;
        removeSlice = undefined;
        removed = NO_ROWS;
        if (total.steps + total.orders + total.fills > 0) onPruned(total);
        return;
      }
      removed = addPruned(removed, rows);
    }
  };
  return async (now) => {
    if (isBusy || (removeSlice === undefined && now < nextPass)) return;
    isBusy = true;
    try {
      await runSlices(now);
    } catch (error) {
      onFailed(error);
    } finally {
      isBusy = false;
    }
  };
}
