/** Signed orders: kept before they are sent, asked for until their end is known. */
import type { Statement } from 'better-sqlite3';
import { counted, type OrderNo, type PlaceOrder } from '../../domain/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import type { Connection } from '../sqlite/database.ts';

interface SignedRow {
  readonly order_no: number;
  readonly market: number;
  readonly market_id: string;
  readonly hash: string;
  readonly signed_at: number;
  readonly epoch: number;
  readonly wire: string;
  readonly command: string;
}

const COLUMNS = 'order_no, market, market_id, hash, signed_at, epoch, wire, command';

export class SignedRows {
  readonly #insert: Statement;
  readonly #byHash: Statement<[string], SignedRow>;
  readonly #byNumber: Statement<[number], SignedRow>;
  readonly #unsettled: Statement<[], SignedRow>;
  readonly #forget: Statement<[number]>;
  readonly #last: Statement<[], number>;

  constructor(connection: Connection) {
    this.#insert = connection.prepare('INSERT INTO signed VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#byHash = connection.prepare(`SELECT ${COLUMNS} FROM signed WHERE hash = ?`);
    this.#byNumber = connection.prepare(`SELECT ${COLUMNS} FROM signed WHERE order_no = ?`);
    this.#unsettled = connection.prepare(
      `SELECT ${COLUMNS} FROM signed JOIN (SELECT order_no FROM orders WHERE status IN ('NEW', 'LIVE', 'UNKNOWN'))
         USING (order_no) ORDER BY order_no`,
    );
    this.#last = connection.prepare<[], number>('SELECT coalesce(max(order_no), 0) FROM signed').pluck();
    this.#forget = connection.prepare(
      `DELETE FROM signed WHERE order_no < ?
         AND order_no NOT IN (SELECT order_no FROM orders WHERE status IN ('NEW', 'LIVE', 'UNKNOWN'))`,
    );
  }

  /** The highest number that is kept; 0 for none. */
  last(): number {
    return this.#last.get() ?? 0;
  }

  add({ order, market, marketId, hash, timestampMs, epoch, wire, command }: SignedRecord): void {
    this.#insert.run(order, market, marketId, hash, timestampMs, epoch, wire, JSON.stringify(command));
  }

  find(hash: string): SignedRecord | undefined {
    return recordOf(this.#byHash.get(hash));
  }

  numbered(order: OrderNo): SignedRecord | undefined {
    return recordOf(this.#byNumber.get(order));
  }

  unsettled(): readonly SignedRecord[] {
    return this.#unsettled.all().flatMap((row) => recordOf(row) ?? []);
  }

  /** Those that ended, below a number: nobody asks for them any more. */
  forgetBelow(order: number): void {
    this.#forget.run(order);
  }
}

function recordOf(row: SignedRow | undefined): SignedRecord | undefined {
  if (row === undefined) return undefined;
  const command: PlaceOrder = JSON.parse(row.command);
  return {
    order: counted.order(row.order_no),
    market: counted.market(row.market),
    marketId: row.market_id,
    hash: row.hash,
    timestampMs: row.signed_at,
    epoch: row.epoch,
    wire: row.wire,
    command,
  };
}
