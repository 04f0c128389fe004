/**
 * Stores a transaction's order events in blocks of at most 26 events. Each block is one row, because a row for each
 * event would cost the writing thread more. An event has 76 bytes, little-endian:
 *
 *      0 f64 id        24 f64 at      48 f64 amount   68 u32 market  74 u8 reason
 *      8 f64 previous  32 f64 shares  56 f64 fee      72 u8 kind     75 u8 0
 *     16 f64 order     40 f64 filled  64 u32 account  73 u8 status
 *
 * Invariant: ids ascend within a block and from block to block. The key of a block is its last id. This id is also the
 * initial value of the block's CRC-32, so that a check detects two blocks whose contents were swapped.
 */
import { crc32 } from 'node:zlib';
import type { EventNumbers } from '../../exchange/index.ts';
import type { Connection } from './database.ts';

export const EVENT_BYTES = 76;
/** Maximum number of events in a block. Two full blocks fit into a page of 4 KiB. */
export const MAX_IN_BLOCK = 26;

export interface EventBlock {
  /** Ids of the first and the last event. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** Time of the last event. */
  readonly at: number;
  readonly crc: number;
  readonly bytes: Uint8Array;
}

export function blockCrc(last: number, bytes: Uint8Array): number {
  return crc32(bytes, last % 4_294_967_296);
}

/**
 * HOT: on the path of every order (bench/journal.ts).
 * @param numbers values from `start` on, in the order of `ROW.event`
 * @param offset offset in the block
 */
function putEvent(view: DataView, offset: number, numbers: Float64Array, start: number): void {
  view.setFloat64(offset, numbers[start]!, true);
  view.setFloat64(offset + 8, numbers[start + 1]!, true);
  view.setFloat64(offset + 16, numbers[start + 4]!, true);
  view.setFloat64(offset + 24, numbers[start + 12]!, true);
  view.setFloat64(offset + 32, numbers[start + 6]!, true);
  view.setFloat64(offset + 40, numbers[start + 7]!, true);
  view.setFloat64(offset + 48, numbers[start + 8]!, true);
  view.setFloat64(offset + 56, numbers[start + 9]!, true);
  view.setUint32(offset + 64, numbers[start + 2]!, true);
  view.setUint32(offset + 68, numbers[start + 3]!, true);
  view.setUint8(offset + 72, numbers[start + 5]!);
  view.setUint8(offset + 73, numbers[start + 10]!);
  view.setUint8(offset + 74, numbers[start + 11]!);
}

/** Describes the damage of a block; returns undefined if the block is intact. */
export function blockFault({ first, last, count, at, crc, bytes }: EventBlock): string | undefined {
  if (!(bytes instanceof Uint8Array)) return 'there are no bytes';
  if (count < 1 || bytes.length !== count * EVENT_BYTES) return `${bytes.length} bytes cannot be ${count} events`;
  if (blockCrc(last, bytes) !== crc) return 'their checksum is wrong';
  const view = createView(bytes);
  const [begin, end] = [idAt(view, 0), idAt(view, count - 1)];
  if (begin !== first || end !== last) return `they go from ${begin} to ${end}`;
  const { at: time } = eventAt(view, (count - 1) * EVENT_BYTES);
  return time === at ? undefined : `the last event has time ${time}, not ${at}`;
}

/** Returns the event with an id; undefined if the intact block does not contain it. */
export function eventIn({ bytes, count }: EventBlock, id: number): EventNumbers | undefined {
  const view = createView(bytes);
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (idAt(view, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low < count && idAt(view, low) === id ? eventAt(view, low * EVENT_BYTES) : undefined;
}

export function* eventsIn({ bytes, count }: EventBlock): Iterable<EventNumbers> {
  const view = createView(bytes);
  for (let event = 0; event < count; event += 1) yield eventAt(view, event * EVENT_BYTES);
}

function eventAt(view: DataView, offset: number): EventNumbers {
  return {
    id: view.getFloat64(offset, true),
    previous: view.getFloat64(offset + 8, true),
    order: view.getFloat64(offset + 16, true),
    at: view.getFloat64(offset + 24, true),
    shares: view.getFloat64(offset + 32, true),
    filled: view.getFloat64(offset + 40, true),
    amount: view.getFloat64(offset + 48, true),
    fee: view.getFloat64(offset + 56, true),
    account: view.getUint32(offset + 64, true),
    market: view.getUint32(offset + 68, true),
    kind: view.getUint8(offset + 72),
    status: view.getUint8(offset + 73),
    reason: view.getUint8(offset + 74),
  };
}

function idAt(view: DataView, event: number): number {
  return view.getFloat64(event * EVENT_BYTES, true);
}

function createView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Writes events within the open transaction. */
export class EventWriter {
  readonly #insert;
  readonly #bytes = Buffer.alloc(MAX_IN_BLOCK * EVENT_BYTES);
  readonly #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  #count = 0;
  #first = 0;
  #last = 0;
  #time = 0;

  constructor(connection: Connection) {
    this.#insert = connection.prepare<[number, number, number, number, number, Buffer]>(
      'INSERT INTO event_blocks (last, first, count, at, crc, bytes) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  /** @param numbers values from `start` on, in the order of `ROW.event` @throws RangeError if the id does not ascend */
  add(numbers: Float64Array, start: number): void {
    const id = numbers[start]!;
    if (this.#count === 0) this.#first = id;
    else if (id <= this.#last) throw new RangeError(`Invariant: order event ${id} after ${this.#last}`);
    putEvent(this.#view, this.#count * EVENT_BYTES, numbers, start);
    this.#last = id;
    this.#time = numbers[start + 12]!;
    this.#count += 1;
    if (this.#count === MAX_IN_BLOCK) this.flush();
  }

  flush(): void {
    if (this.#count === 0) return;
    const bytes = this.#bytes.subarray(0, this.#count * EVENT_BYTES);
    this.#insert.run(this.#last, this.#first, this.#count, this.#time, blockCrc(this.#last, bytes), bytes);
    this.#count = 0;
  }

  clear(): void {
    this.#count = 0;
  }
}
