/**
 * A ring in shared memory that passes decoded blocks from the decoding thread to the reading thread.
 *
 * Invariants: exactly one of the two threads claims each block, so the reader only waits for a block that is being
 * decoded. The decoding thread is ahead by at most one block per slot. If the thread fails, the reader decodes the
 * block again and throws the same fault, so the result does not depend on timing.
 *
 * HOT: copying a decoded block costs 1 to 2.5 ns per row, decoding it costs 15 to 20 (bench/replay.ts).
 */
import { blockUntilChanged } from '../clock/index.ts';
import { type Block, copyRows } from '../tape/index.ts';

/** Number of blocks that the thread may be ahead of a tape's reader. A block has 31 bytes per row, usually 1 MB. */
export const SLOTS = 4;

/** Maximum time that the reader waits for a block of the thread, ms. Then the reader decodes the block itself. */
const TIMEOUT_MS = 2_000;

/** Indexes of `control`: the next block to claim, the next block to read, then the state of each slot. */
const NEXT_TO_CLAIM = 0;
const NEXT_TO_READ = 1;
const FIRST_SLOT = 2;

/** The ring's shared memory, which is passed to the other thread. */
export interface RingMemory {
  readonly control: Int32Array;
  readonly slots: readonly Block[];
  /** Index after the last block. */
  readonly end: number;
}

/** @param rows rows of the largest block in `first..end-1` */
export function makeRingMemory(first: number, end: number, rows: number, slots = SLOTS): RingMemory {
  const control = new Int32Array(new SharedArrayBuffer((FIRST_SLOT + slots) * Int32Array.BYTES_PER_ELEMENT));
  control[NEXT_TO_CLAIM] = first;
  control[NEXT_TO_READ] = first;
  return { control, slots: Array.from({ length: slots }, () => makeSharedBlock(rows)), end };
}

/** Access to the ring for one thread. The comment of each method names the calling thread. */
export class ReadAheadRing {
  readonly #control: Int32Array;
  readonly #memory: RingMemory;

  constructor(memory: RingMemory) {
    this.#control = memory.control;
    this.#memory = memory;
  }

  /** Decoder: claims the next block and returns its index; `full` when no slot is free, `over` after the last block. */
  claim(): number | 'full' | 'over' {
    for (;;) {
      const index = Atomics.load(this.#control, NEXT_TO_CLAIM);
      if (index >= this.#memory.end) return 'over';
      if (index >= Atomics.load(this.#control, NEXT_TO_READ) + this.#memory.slots.length) return 'full';
      if (Atomics.compareExchange(this.#control, NEXT_TO_CLAIM, index, index + 1) === index) return index;
    }
  }

  /** Decoder: number of claimed blocks that the reader has not reached. */
  get lead(): number {
    return Atomics.load(this.#control, NEXT_TO_CLAIM) - Atomics.load(this.#control, NEXT_TO_READ);
  }

  /** Decoder: returns the memory for a claimed block. */
  slot(index: number): Block {
    const { slots } = this.#memory;
    return slots[index % slots.length]!;
  }

  /** Decoder: reports whether a claimed block was decoded into its slot. */
  finish(index: number, isDecoded: boolean): void {
    const stateIndex = FIRST_SLOT + (index % this.#memory.slots.length);
    Atomics.store(this.#control, stateIndex, isDecoded ? index + 1 : -index - 1);
    Atomics.notify(this.#control, stateIndex);
  }

  /** Reader: copies the next block, `index`, into `into`. Returns false if the reader must decode the block itself. */
  read(index: number, rows: number, into: Block): boolean {
    if (index < Atomics.load(this.#control, NEXT_TO_READ)) return false;
    const isClaimed = Atomics.compareExchange(this.#control, NEXT_TO_CLAIM, index, index + 1) !== index;
    const decoded = isClaimed && this.#isDecoded(index);
    if (decoded) {
      copyRows(this.slot(index), 0, rows, into, 0);
      into.count = rows;
    }
    Atomics.store(this.#control, NEXT_TO_READ, index + 1);
    return decoded;
  }

  /** Reader: stops the decoder from claiming further blocks. */
  close(): void {
    Atomics.store(this.#control, NEXT_TO_CLAIM, this.#memory.end);
    Atomics.store(this.#control, NEXT_TO_READ, this.#memory.end);
  }

  #isDecoded(index: number): boolean {
    const stateIndex = FIRST_SLOT + (index % this.#memory.slots.length);
    for (;;) {
      const state = Atomics.load(this.#control, stateIndex);
      if (Math.abs(state) === index + 1) return state > 0;
      if (!blockUntilChanged(this.#control, stateIndex, state, TIMEOUT_MS)) return false;
    }
  }
}

function makeSharedBlock(rows: number): Block {
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
