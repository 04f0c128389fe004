/**
 * Lets old rows of a bot's file go, a slice at a time: steps that the oldest snapshot which is kept has in it, orders that ended
 * with their signed bytes, and their fills. What remains of a fill is its share of the sums of its day (table `pruned`).
 *
 * Invariants: a slice is one transaction, so that a fill is in its row or in a sum, never in both and never in neither, whenever
 * the process ends. An order stays while it is open, or changed at or after the moment up to which rows go, and its fills with it.
 * What a start needs stays: the snapshots, all steps after the oldest of them, and all that the balance and positions say.
 */
import type { Statement } from 'better-sqlite3';
import type { EpochMs } from '../../domain/index.ts';
import type { Connection } from '../sqlite/database.ts';

/** Rows that went. */
export interface PrunedRows {
  readonly steps: number;
  readonly orders: number;
  readonly fills: number;
}

interface Row {
  readonly key: number;
  readonly at: number;
}

/** Rows that are looked at in a transaction: it holds the loop for about a third of a millisecond (docs/performance.md). */
const SLICE = 50;
/** A phase is over after so many slices without an old row: fewer may be of a time at which the clock was ahead. */
const MOST_LATE = 200;
const NOTHING: PrunedRows = { steps: 0, orders: 0, fills: 0 };
const PHASES = ['fills', 'orders', 'steps'] as const;
type Phase = (typeof PHASES)[number];

const OPEN = "status IN ('NEW', 'LIVE', 'UNKNOWN')";
const STAYS = `EXISTS (SELECT 1 FROM orders WHERE orders.order_no = fills.order_no AND (${OPEN} OR updated_at >= @before))`;

export class Pruning {
  readonly #before: EpochMs;
  readonly #next: Readonly<Record<Phase, Statement<[number, number], Row>>>;
  readonly #remove: Readonly<Record<Phase, readonly Statement[]>>;
  #phase = 0;
  /** All rows up to this key were looked at in this phase. */
  #seen = 0;
  /** Slices in a row that had no old row. */
  #late = 0;

  /** @param before rows of this moment and later stay */
  constructor(connection: Connection, before: EpochMs) {
    this.#before = before;
    const prepared = (text: string) => connection.prepare<[number, number], Row>(`${text} LIMIT ?`);
    this.#next = {
      fills: prepared('SELECT id AS key, at FROM fills WHERE id > ? ORDER BY id'),
      orders: prepared('SELECT order_no AS key, sent_at AS at FROM orders WHERE order_no > ? ORDER BY order_no'),
      steps: prepared(
        'SELECT seq AS key, at FROM steps WHERE seq > ? AND seq <= (SELECT coalesce(min(seq), 0) FROM snapshots) ORDER BY seq',
      ),
    };
    const removed = `FROM fills WHERE id > @after AND id <= @upTo AND at < @before AND NOT ${STAYS}`;
    this.#remove = {
      fills: [
        connection.prepare(
          `INSERT INTO pruned SELECT at - at % 86400000, market, outcome, side, liquidity, count(*), sum(shares),
             sum(shares * price / 10000), sum(fee) ${removed} GROUP BY 1, 2, 3, 4, 5
           ON CONFLICT DO UPDATE SET fills = fills + excluded.fills, shares = shares + excluded.shares,
             amount = amount + excluded.amount, fees = fees + excluded.fees`,
        ),
        connection.prepare(`DELETE ${removed}`),
      ],
      orders: [
        // The newest stays: by its number a store knows which were signed.
        connection.prepare(
          `DELETE FROM signed WHERE order_no > @after AND order_no <= @upTo AND order_no < (SELECT max(order_no) FROM signed)
             AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.order_no = signed.order_no AND (${OPEN} OR updated_at >= @before))`,
        ),
        connection.prepare(
          `DELETE FROM orders WHERE order_no > @after AND order_no <= @upTo AND NOT (${OPEN} OR updated_at >= @before)`,
        ),
      ],
      steps: [connection.prepare('DELETE FROM steps WHERE seq > @after AND seq <= @upTo AND at < @before')],
    };
  }

  /** The next slice, to be called within a transaction. @returns rows of it that went; undefined after the last */
  slice(): PrunedRows | undefined {
    for (let phase = PHASES[this.#phase]; phase !== undefined; phase = PHASES[this.#phase]) {
      const rows = this.#next[phase].all(this.#seen, SLICE);
      const last = rows.at(-1);
      this.#late = rows.every(({ at }) => at >= this.#before) ? this.#late + 1 : 0;
      if (last === undefined || this.#late > MOST_LATE) {
        this.#phase += 1;
        this.#seen = 0;
        this.#late = 0;
        continue;
      }
      const range = { after: this.#seen, upTo: last.key, before: this.#before };
      this.#seen = last.key;
      if (this.#late > 0) return NOTHING;
      const went = this.#remove[phase].map((statement) => statement.run(range).changes).at(-1) ?? 0;
      return { ...NOTHING, [phase]: went };
    }
    return undefined;
  }
}

/** Together. */
export function addPruned(one: PrunedRows, other: PrunedRows): PrunedRows {
  return { steps: one.steps + other.steps, orders: one.orders + other.orders, fills: one.fills + other.fills };
}
