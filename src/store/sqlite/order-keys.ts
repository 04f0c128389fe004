/**
 * HOT: where the orders of a key are: each order that is written passes here (bench/server.ts).
 *
 * Keys are random. An index that each transaction wrote would cost a page of the log for nearly every order; so new keys wait
 * in memory by ranges, and with every thousand orders the range whose turn it is goes into the index as a whole: its keys lie
 * near each other there, and meet on a few pages. Whoever asks for one that waits has a thousand or two looked through: few ask.
 *
 * Invariant: orders up to `indexed` (table `head`) are in the index; every later one is here, and may be in the index, too.
 */
import { type RowBatch, RowCursor } from '../../exchange/index.ts';
import type { Connection } from './database.ts';
import type { DatabaseReads } from './database-reads.ts';
import { textOf, textValue } from './text-value.ts';

/** Some keys on their way into the index. */
export interface KeyPart {
  /** Key, order, key, order … */
  readonly pairs: Float64Array<ArrayBuffer>;
  /** All orders up to this one are in the index then. */
  readonly indexed: number;
}

interface KeyColumns {
  readonly no: number;
  readonly id_key: number;
}

const RANGES = 64;
/** Keys are below 2^48. */
const RANGE_WIDTH = 281_474_976_710_656 / RANGES;
/** New orders after which the next range goes: those that wait come to some tens of thousands at most times. */
const ORDERS_A_RANGE = 1_024;
/** Ranges that go with one transaction at most, as many wait after a start or a large batch: some milliseconds. */
const MOST_RANGES = 16;

/** The index by id with what it does not have yet. */
export class OrderKeys {
  readonly #reads: DatabaseReads;
  readonly #isOrder;
  readonly #inIndex;
  /** Key, order, key, order … of each. */
  readonly #ranges: number[][] = Array.from({ length: RANGES }, () => []);
  /** Was sent, and is not yet durable. */
  #leaving: number[] = [];
  #next = 0;
  #sinceLast = 0;
  #last: number;
  /** The last order that there was when the sweep over the ranges began. */
  #lastAtBegin: number;
  #indexed: number;

  constructor(connection: Connection, reads: DatabaseReads) {
    this.#reads = reads;
    this.#isOrder = connection
      .prepare<[number, Buffer | string], number>('SELECT no FROM orders WHERE no = ? AND id = ?')
      .pluck();
    this.#inIndex = connection
      .prepare<[number, Buffer | string], number>(
        'SELECT o.no FROM order_keys k CROSS JOIN orders o ON o.no = k.no WHERE k.id_key = ? AND o.id = ?',
      )
      .pluck();
    this.#indexed =
      reads.ask(() => connection.prepare<[], number>('SELECT indexed FROM head').pluck().get(), 'head') ?? 0;
    this.#last = this.#indexed;
    const waiting = connection.prepare<[number], KeyColumns>('SELECT no, id_key FROM orders WHERE no > ? ORDER BY no');
    reads.ask(() => {
      for (const { no, id_key: key } of waiting.iterate(this.#indexed)) {
        if (!(key >= 0 && key < RANGES * RANGE_WIDTH)) {
          throw reads.damaged(`table orders, row no ${no}`, `its key cannot be ${key}`);
        }
        this.add(no, key);
      }
    }, 'orders');
    this.#lastAtBegin = this.#last;
  }

  /** Keys of all orders that wait. */
  *waiting(): Iterable<number> {
    for (const pairs of this.#ranges) for (let at = 0; at < pairs.length; at += 2) yield pairs[at]!;
  }

  /** The table has the orders of a batch now. */
  written(batch: RowBatch): void {
    for (const row = new RowCursor(batch); row.next(); ) {
      if (row.kind === 'order') this.add(batch.numbers[row.at]!, idKey(batch.texts[row.textAt] ?? ''));
    }
  }

  /** The table has an order now. @param order greater than all before */
  add(order: number, key: number): void {
    this.#ranges[Math.floor(key / RANGE_WIDTH)]!.push(key, order);
    this.#last = order;
    this.#sinceLast += 1;
  }

  /** The order with an id, of those that the table has. @param value of `idValue` */
  find(key: number, value: Buffer | string): number | undefined {
    return this.#reads.ask(() => this.#find(key, value), 'orders');
  }

  #find(key: number, value: Buffer | string): number | undefined {
    for (const pairs of [this.#ranges[Math.floor(key / RANGE_WIDTH)]!, this.#leaving]) {
      for (let at = 0; at < pairs.length; at += 2) {
        if (pairs[at] !== key) continue;
        const order = pairs[at + 1]!;
        if (this.#isOrder.get(order, value) !== undefined) return order;
      }
    }
    return this.#inIndex.get(key, value);
  }

  /** What is to go into the index with the next transaction. One at a time: `durable` follows. */
  take(): KeyPart | undefined {
    const count = Math.min(Math.floor(this.#sinceLast / ORDERS_A_RANGE), RANGES - this.#next, MOST_RANGES);
    if (count === 0) return undefined;
    this.#sinceLast -= count * ORDERS_A_RANGE;
    const begin = this.#next;
    this.#next += count;
    this.#leaving = this.#ranges.slice(begin, this.#next).flat();
    for (let range = begin; range < this.#next; range += 1) this.#ranges[range] = [];
    if (this.#next === RANGES) {
      this.#next = 0;
      this.#indexed = this.#lastAtBegin;
      this.#lastAtBegin = this.#last;
    }
    return { pairs: Float64Array.from(this.#leaving), indexed: this.#indexed };
  }

  /** What was taken is in the index. */
  durable(): void {
    this.#leaving = [];
  }
}

/** A digest is `0x` and this many bytes in small hex digits. */
const BYTES = 32;
const KEY_BYTES = 6;
/** What no hex digit stands for. */
const NONE = 255;
/** The values of the characters below 128 as small hex digits. */
const DIGITS = new Uint8Array(128).fill(NONE);
for (let digit = 0; digit < 16; digit += 1) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** 32 bytes for a digest; any other text stays a text. */
export function idValue(id: string): Buffer | string {
  return digestBytes(id) ?? textValue(id);
}

/** What `idValue` made. */
export function idText(value: Uint8Array | string): string {
  return typeof value === 'string' ? textOf(value) : `0x${Buffer.from(value).toString('hex')}`;
}

/**
 * A short key for the index by id: 48 bits. Digests are random, so a full index of them is written at random places, a page
 * an order: the smaller it is, the more orders of one batch share a page. Rows of two ids with the same key differ by their id.
 */
export function idKey(id: string): number {
  return isDigest(id) ? Number.parseInt(id.slice(-2 * KEY_BYTES), 16) : textKey(id);
}

/** The key of an id whose value is at hand. */
export function valueKey(value: Buffer | string, id: string): number {
  return typeof value === 'string' ? textKey(id) : value.readUIntBE(BYTES - KEY_BYTES, KEY_BYTES);
}

function textKey(id: string): number {
  let key = 0;
  for (let at = 0; at < id.length; at += 1) key = (key * 31 + id.charCodeAt(at)) % 281_474_976_710_656;
  return key;
}

function isDigest(id: string): boolean {
  if (id.length !== 2 * BYTES + 2 || !id.startsWith('0x')) return false;
  for (let at = 2; at < id.length; at += 1) if (digitAt(id, at) === NONE) return false;
  return true;
}

function digestBytes(id: string): Buffer | undefined {
  if (id.length !== 2 * BYTES + 2 || !id.startsWith('0x')) return undefined;
  const bytes = Buffer.allocUnsafe(BYTES);
  for (let at = 0; at < BYTES; at += 1) {
    const high = digitAt(id, 2 * at + 2);
    const low = digitAt(id, 2 * at + 3);
    if (high === NONE || low === NONE) return undefined;
    bytes[at] = 16 * high + low;
  }
  return bytes;
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? DIGITS[code]! : NONE;
}
