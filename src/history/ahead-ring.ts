/**
 * Blocks in flight from the thread that decodes them to the thread that reads them: a ring in shared memory.
 *
 * Invariants: exactly one of the two starts each block, the one that comes first. So the reader never waits for a block
 * that is not being decoded. The thread is at most as many blocks ahead as there are slots. The reader decodes again
 * what the thread could not, and meets the same fault at the same place: the result does not depend on timing.
 *
 * HOT: handing a block over costs 1 to 2.5 ns a row, its copy; decoding costs 15 to 20. Measured in bench/replay.ts.
 */
import { waitForChange } from '../clock/index.ts';
import { type Block, copyRows } from '../tape/index.ts';

/** How far the thread may be ahead of one tape's reader, in blocks: 31 bytes a row, 1 MB a block of the usual size. */
export const SLOTS = 4;

/** How long the reader waits for a block that was begun, in ms, before it takes the thread for dead. */
const PATIENCE_MS = 2_000;

/** Places in `control`: the next block that was not started, the next that the reader wants, then one for each slot. */
const BEGUN = 0;
const WANTED = 1;
const FIRST_SLOT = 2;

/** The ring's memory, to be handed to the other thread as it is. */
export interface RingMemory {
  readonly control: Int32Array;
  /** One word that changes whenever a reader makes room; all rings of one thread share it. */
  readonly room: Int32Array;
  readonly slots: readonly Block[];
  /** The block after the last one. */
  readonly end: number;
}

/** @param rows of the largest of the blocks `first..end-1` */
export function ringMemory(
  first: number,
  end: number,
  rows: number,
  { slots = SLOTS, room = sharedWords(1) }: { readonly slots?: number; readonly room?: Int32Array } = {},
): RingMemory {
  const control = sharedWords(FIRST_SLOT + slots);
  control[BEGUN] = first;
  control[WANTED] = first;
  return { control, room, slots: Array.from({ length: slots }, () => sharedBlock(rows)), end };
}

/** Zeros that threads share. */
export function sharedWords(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}

/** One end of the ring; both sides make their own. */
export class AheadRing {
  readonly #control: Int32Array;
  readonly #room: Int32Array;
  readonly #slots: readonly Block[];
  readonly #end: number;

  constructor({ control, room, slots, end }: RingMemory) {
    this.#control = control;
    this.#room = room;
    this.#slots = slots;
    this.#end = end;
  }

  /**
   * The thread: begins the next block and answers its number; `full` while there is no room, `over` when none is left.
   */
  begin(): number | 'full' | 'over' {
    for (;;) {
      const index = Atomics.load(this.#control, BEGUN);
      if (index >= this.#end) return 'over';
      if (index >= Atomics.load(this.#control, WANTED) + this.#slots.length) return 'full';
      if (Atomics.compareExchange(this.#control, BEGUN, index, index + 1) === index) return index;
    }
  }

  /** The thread: how many blocks have been begun ahead of the reader. */
  get lead(): number {
    return Atomics.load(this.#control, BEGUN) - Atomics.load(this.#control, WANTED);
  }

  /** The thread: where to decode a block that it has begun. */
  slot(index: number): Block {
    return this.#slots[index % this.#slots.length]!;
  }

  /** The thread: the block it has begun stands in its slot, or could not be decoded. */
  finish(index: number, decoded: boolean): void {
    const place = FIRST_SLOT + (index % this.#slots.length);
    Atomics.store(this.#control, place, decoded ? index + 1 : -index - 1);
    Atomics.notify(this.#control, place);
  }

  /** Copies block `index`, the next one, into `into`. @returns false when the reader has to decode it itself */
  take(index: number, rows: number, into: Block): boolean {
    if (index < Atomics.load(this.#control, WANTED)) return false;
    const begun = Atomics.compareExchange(this.#control, BEGUN, index, index + 1) !== index;
    const decoded = begun && this.#isDecoded(index);
    if (decoded) {
      copyRows(this.slot(index), 0, rows, into, 0);
      into.count = rows;
    }
    this.#want(index + 1);
    return decoded;
  }

  /** The reader: nothing more is to be begun. */
  close(): void {
    Atomics.store(this.#control, BEGUN, this.#end);
    this.#want(this.#end);
  }

  #isDecoded(index: number): boolean {
    const place = FIRST_SLOT + (index % this.#slots.length);
    for (;;) {
      const state = Atomics.load(this.#control, place);
      if (Math.abs(state) === index + 1) return state > 0;
      if (!waitForChange(this.#control, place, state, PATIENCE_MS)) return false;
    }
  }

  #want(index: number): void {
    Atomics.store(this.#control, WANTED, index);
    Atomics.add(this.#room, 0, 1);
    Atomics.notify(this.#room, 0);
  }
}

function sharedBlock(rows: number): Block {
  const memory = new SharedArrayBuffer(31 * rows);
  return {
    count: 0,
    tx: new Float64Array(memory, 0, rows),
    rx: new Float64Array(memory, 8 * rows, rows),
    shares: new Float64Array(memory, 16 * rows, rows),
    market: new Uint16Array(memory, 24 * rows, rows),
    price: new Uint16Array(memory, 26 * rows, rows),
    kind: new Uint8Array(memory, 28 * rows, rows),
    side: new Uint8Array(memory, 29 * rows, rows),
    flags: new Uint8Array(memory, 30 * rows, rows),
  };
}
