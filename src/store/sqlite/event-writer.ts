/**
 * Writes order events in blocks.
 *
 * HOT: events come with nearly every order; a block's bytes are used again (bench/journal.ts).
 */
import type { Connection } from './database.ts';
import { blockCrc, EVENT_BYTES, MOST_IN_BLOCK, putEvent } from './event-block.ts';

const SQL = 'INSERT INTO event_blocks (last, first, count, at, crc, bytes) VALUES (?, ?, ?, ?, ?, ?)';

/** Events within whatever transaction is open. */
export class EventWriter {
  readonly #insert;
  readonly #bytes = Buffer.alloc(MOST_IN_BLOCK * EVENT_BYTES);
  readonly #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  #count = 0;
  #first = 0;
  #last = 0;
  #time = 0;

  constructor(connection: Connection) {
    this.#insert = connection.prepare<[number, number, number, number, number, Buffer]>(SQL);
  }

  /** @param numbers from `at` on in the order of `ROW.event` @throws RangeError when its id does not follow */
  add(numbers: Float64Array, at: number): void {
    const id = numbers[at]!;
    if (this.#count === 0) this.#first = id;
    else if (id <= this.#last) throw new RangeError(`Invariant: order event ${id} after ${this.#last}`);
    putEvent(this.#view, this.#count * EVENT_BYTES, numbers, at);
    this.#last = id;
    this.#time = numbers[at + 12]!;
    this.#count += 1;
    if (this.#count === MOST_IN_BLOCK) this.flush();
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#count === 0) return;
    const bytes = this.#bytes.subarray(0, this.#count * EVENT_BYTES);
    this.#insert.run(this.#last, this.#first, this.#count, this.#time, blockCrc(this.#last, bytes), bytes);
    this.#count = 0;
  }

  forget(): void {
    this.#count = 0;
  }
}
