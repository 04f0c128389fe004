/**
 * The index of orders by key (`idKey`). HOT: on the path of every written order (bench/server.ts).
 *
 * Keys are random, so writing the index in each transaction would write a page for nearly every order. New keys
 * therefore wait in memory, sorted into ranges. After every 1,024 orders, the next range is written to the index. A
 * range's keys are close together and share a few pages. A rare lookup of a waiting key scans up to two thousand keys.
 *
 * Invariant: orders up to `indexed` (table `head`) are in the index. Every later order is in memory, and may be in the
 * index.
 */
import { type RowBatch, RowCursor } from '../../exchange/index.ts';
import { idKey, KEY_LIMIT } from './column-values.ts';
import type { Connection } from './database.ts';
import type { DatabaseReads } from './database-reads.ts';

export interface KeyPart {
  /** Alternately a key and its order. */
  readonly pairs: Float64Array<ArrayBuffer>;
  /** Number of the last order up to which the index is complete after the write. */
  readonly indexed: number;
}

const RANGES = 64;
const RANGE_WIDTH = KEY_LIMIT / RANGES;
/** New orders after which the next range is written. Usually tens of thousands of keys wait. */
const ORDERS_PER_RANGE = 1_024;
/** Maximum number of ranges in one transaction, which then takes some ms. After a start or a large batch, more wait. */
const MAX_RANGES = 16;
/** Number of pairs (a key and its order) that one statement writes. */
const GROUP = 16;

export class OrderKeys {
  readonly #reads: DatabaseReads;
  readonly #findInTable;
  readonly #findInIndex;
  /** For each range, alternately a key and its order. */
  readonly #ranges: number[][] = Array.from({ length: RANGES }, () => []);
  /** Pairs that `takeKeysToIndex` returned and that are not in the index yet. */
  #unwrittenKeys: number[] = [];
  #nextRange = 0;
  #ordersSinceWrite = 0;
  #lastOrder: number;
  /** The last order when the current pass over all ranges began. */
  #lastOrderAtPassStart: number;
  #indexed: number;

  constructor(reads: DatabaseReads) {
    const { connection } = reads;
    this.#reads = reads;
    this.#findInTable = connection
      .prepare<[number, Buffer | string], number>('SELECT no FROM orders WHERE no = ? AND id = ?')
      .pluck();
    this.#findInIndex = connection
      .prepare<[number, Buffer | string], number>(
        'SELECT o.no FROM order_keys k CROSS JOIN orders o ON o.no = k.no WHERE k.id_key = ? AND o.id = ?',
      )
      .pluck();
    this.#indexed =
      reads.query(() => connection.prepare<[], number>('SELECT indexed FROM head').pluck().get(), 'head') ?? 0;
    this.#lastOrder = this.#indexed;
    const waiting = connection.prepare<[number], { readonly no: number; readonly key: number }>(
      'SELECT no, id_key AS key FROM orders WHERE no > ? ORDER BY no',
    );
    reads.query(() => {
      for (const { no, key } of waiting.iterate(this.#indexed)) {
        if (!(key >= 0 && key < KEY_LIMIT)) {
          throw reads.recordDamage(`table orders, row no ${no}`, `its key cannot be ${key}`);
        }
        this.add(no, key);
      }
    }, 'orders');
    this.#lastOrderAtPassStart = this.#lastOrder;
  }

  /** Yields the keys that are not in the index yet. */
  *waiting(): Iterable<number> {
    for (const pairs of this.#ranges) for (let at = 0; at < pairs.length; at += 2) yield pairs[at]!;
  }

  /** Adds the orders of a batch that is in the table. */
  addOrders(batch: RowBatch): void {
    for (const row = new RowCursor(batch); row.next(); ) {
      if (row.kind === 'order') this.add(batch.numbers[row.at]!, idKey(batch.texts[row.textAt] ?? ''));
    }
  }

  /** Adds an order that is in the table. @param order greater than all added orders */
  add(order: number, key: number): void {
    this.#ranges[Math.floor(key / RANGE_WIDTH)]!.push(key, order);
    this.#lastOrder = order;
    this.#ordersSinceWrite += 1;
  }

  /** Finds the order with an id in the table. @param value result of `encodeId` */
  find(key: number, value: Buffer | string): number | undefined {
    return this.#reads.query(() => {
      for (const pairs of [this.#ranges[Math.floor(key / RANGE_WIDTH)]!, this.#unwrittenKeys]) {
        for (let at = 0; at < pairs.length; at += 2) {
          if (pairs[at] !== key) continue;
          const order = pairs[at + 1]!;
          if (this.#findInTable.get(order, value) !== undefined) return order;
        }
      }
      return this.#findInIndex.get(key, value);
    }, 'orders');
  }

  /** Removes and returns the keys that the next transaction writes. Call `onWritten` before the next call. */
  takeKeysToIndex(): KeyPart | undefined {
    const count = Math.min(Math.floor(this.#ordersSinceWrite / ORDERS_PER_RANGE), RANGES - this.#nextRange, MAX_RANGES);
    if (count === 0) return undefined;
    this.#ordersSinceWrite -= count * ORDERS_PER_RANGE;
    const begin = this.#nextRange;
    this.#nextRange += count;
    this.#unwrittenKeys = this.#ranges.slice(begin, this.#nextRange).flat();
    for (let range = begin; range < this.#nextRange; range += 1) this.#ranges[range] = [];
    if (this.#nextRange === RANGES) {
      this.#nextRange = 0;
      this.#indexed = this.#lastOrderAtPassStart;
      this.#lastOrderAtPassStart = this.#lastOrder;
    }
    return { pairs: Float64Array.from(this.#unwrittenKeys), indexed: this.#indexed };
  }

  /** Call it when the keys of the last `takeKeysToIndex` are in the index. */
  onWritten(): void {
    this.#unwrittenKeys = [];
  }
}

/** Returns a function that writes pairs within the open transaction. After a restart, some pairs are written again. */
export function createKeyWriter(connection: Connection): (part: KeyPart) => void {
  const insert = (pairs: number) =>
    connection.prepare<number[]>(
      `INSERT OR IGNORE INTO order_keys VALUES ${Array.from({ length: pairs }, () => '(?, ?)').join(', ')}`,
    );
  const insertPair = insert(1);
  const insertGroup = insert(GROUP);
  const updateHead = connection.prepare<[number]>('UPDATE head SET indexed = ?');
  return ({ pairs, indexed }) => {
    let at = 0;
    for (; at + 2 * GROUP <= pairs.length; at += 2 * GROUP) insertGroup.run(...pairs.subarray(at, at + 2 * GROUP));
    for (; at < pairs.length; at += 2) insertPair.run(pairs[at]!, pairs[at + 1]!);
    updateHead.run(indexed);
  };
}
