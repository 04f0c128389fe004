/** Stores signed orders before they are sent, and keeps them until their final states are known. */
import type { Statement } from 'better-sqlite3';
import { type OrderNo, type PlaceOrder, unchecked } from '../../domain/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import type { DatabaseReads } from '../sqlite/database-reads.ts';
import { BOT_CHECKSUMS, ChecksummedInsert } from './bot-checksums.ts';

type SignedRow = {
  readonly [Column in 'order_no' | 'market' | 'signed_at' | 'epoch' | 'crc']: number;
} & { readonly [Column in 'market_id' | 'hash' | 'wire' | 'command']: string };

const { signed: TABLE } = BOT_CHECKSUMS;
const COLUMNS = [...TABLE.checksums.crc, 'crc'].join(', ');

export class SignedRows {
  readonly #insert: ChecksummedInsert;
  readonly #decode;
  readonly #byHash: Statement<[string], SignedRow>;
  readonly #byNumber: Statement<[number], SignedRow>;
  readonly #unfinishedOrders: Statement<[], SignedRow>;
  readonly #deleteBelow: Statement<[number]>;
  readonly #last: Statement<[], number>;

  constructor(reads: DatabaseReads) {
    const { connection } = reads;
    this.#insert = new ChecksummedInsert(connection, 'signed');
    this.#decode = reads.rowDecoder('signed', TABLE, toRecord);
    this.#byHash = connection.prepare(`SELECT ${COLUMNS} FROM signed WHERE hash = ?`);
    this.#byNumber = connection.prepare(`SELECT ${COLUMNS} FROM signed WHERE order_no = ?`);
    this.#unfinishedOrders = connection.prepare(
      `SELECT ${COLUMNS} FROM signed JOIN (SELECT order_no FROM orders WHERE status IN ('NEW', 'LIVE', 'UNKNOWN'))
         USING (order_no) ORDER BY order_no`,
    );
    this.#last = connection.prepare<[], number>('SELECT coalesce(max(order_no), 0) FROM signed').pluck();
    this.#deleteBelow = connection.prepare(
      `DELETE FROM signed WHERE order_no < ?
         AND order_no NOT IN (SELECT order_no FROM orders WHERE status IN ('NEW', 'LIVE', 'UNKNOWN'))`,
    );
  }

  /** Returns the highest order number; 0 without rows. */
  lastOrder(): number {
    return this.#last.get() ?? 0;
  }

  add({ order, market, marketId, hash, timestampMs, epoch, wire, command }: SignedRecord): void {
    const ids = { order_no: order, market, market_id: marketId, hash };
    this.#insert.add({ ...ids, signed_at: timestampMs, epoch, wire, command: JSON.stringify(command) });
  }

  /** @throws FileFault for a damaged row */
  findByHash(hash: string): SignedRecord | undefined {
    return this.#decodeRow(this.#byHash.get(hash));
  }

  /** @throws FileFault for a damaged row */
  findByNumber(order: OrderNo): SignedRecord | undefined {
    return this.#decodeRow(this.#byNumber.get(order));
  }

  /** Returns the signed orders that are open or UNKNOWN. @throws FileFault for a damaged row */
  unfinishedOrders(): readonly SignedRecord[] {
    return this.#unfinishedOrders.all().map(this.#decode);
  }

  /** Removes final orders below a number. */
  deleteBelow(order: number): void {
    this.#deleteBelow.run(order);
  }

  #decodeRow(row: SignedRow | undefined): SignedRecord | undefined {
    return row === undefined ? undefined : this.#decode(row);
  }
}

function toRecord(row: SignedRow): SignedRecord {
  const { market_id: marketId, hash, signed_at: timestampMs, epoch, wire } = row;
  const [order, market] = [unchecked.order(row.order_no), unchecked.market(row.market)];
  const command: PlaceOrder = JSON.parse(row.command);
  return { order, market, marketId, hash, timestampMs, epoch, wire, command };
}
