/**
 * Decodes tapes ahead of their readers, with one thread for all tapes of a run.
 *
 * Invariants: each tape has a ring. The thread works on the tape with the fewest decoded blocks. All tapes share
 * `MAX_BLOCKS`. With more than `MAX_BLOCKS` tapes there is no thread, because it would save no time. Rows and faults
 * are the same with and without the thread (read-ahead-ring.ts).
 */
import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { blockThread } from '../clock/index.ts';
import { entryUrl } from '../package-files.ts';
import { BlockReader } from './block-reader.ts';
import { makeRingMemory, ReadAheadRing, type RingMemory, SLOTS } from './read-ahead-ring.ts';
import type { BlockEntry } from './tape-format.ts';

/** Maximum number of decoded blocks, about 1 MB each, that wait for the readers of all tapes. */
const MAX_BLOCKS = 32;

/** Pause of the thread while no slot is free. A reader needs longer for one block. */
const PAUSE_MS = 2;

export interface ReadAheadJob {
  readonly path: string;
  readonly blocks: readonly BlockEntry[];
  readonly markets: number;
  readonly memory: RingMemory;
}

/** The tapes that one thread decodes ahead. Each feed adds its tape, then `start` starts the thread. */
export class ReadAheadDecoder {
  readonly #slots: number;
  readonly #jobs: ReadAheadJob[] = [];

  /** @param tapes number of tapes that will be added */
  constructor(tapes: number) {
    this.#slots = Math.min(SLOTS, Math.floor(MAX_BLOCKS / tapes));
  }

  /** Returns a ring for blocks `first..end-1`; undefined when the block limit is reached. */
  add(tape: Omit<ReadAheadJob, 'memory'>, first: number, end: number): ReadAheadRing | undefined {
    if (this.#slots === 0 || (this.#jobs.length + 1) * this.#slots > MAX_BLOCKS) return undefined;
    const rows = tape.blocks.slice(first, end).reduce((max, block) => Math.max(max, block.rows), 0);
    const memory = makeRingMemory(first, end, rows, this.#slots);
    this.#jobs.push({ ...tape, memory });
    return new ReadAheadRing(memory);
  }

  start(): void {
    if (this.#jobs.length > 0) startDecodeAheadThread(this.#jobs);
  }
}

/** Starts the thread, which exits after its work and does not keep the process alive. */
export function startDecodeAheadThread(jobs: readonly ReadAheadJob[]): Worker {
  const thread = new Worker(entryUrl('decode-ahead-thread', import.meta.url), { workerData: jobs });
  // After a failure of the thread, the readers decode the blocks and report damage.
  thread.on('error', () => {});
  thread.unref();
  return thread;
}

/** Runs in the thread until each ring is closed or its last block is decoded. */
export function decodeAhead(jobs: readonly ReadAheadJob[]): void {
  const tapes = jobs.map(({ path, blocks, markets, memory }) => {
    const fd = openSync(path, 'r');
    return { fd, ring: new ReadAheadRing(memory), reader: new BlockReader(path, fd, blocks, markets), isOver: false };
  });
  for (;;) {
    const unfinished = tapes.filter(({ isOver }) => !isOver).toSorted((a, b) => a.ring.lead - b.ring.lead);
    if (unfinished.length === 0) break;
    let hasDecoded = false;
    for (const tape of unfinished) {
      const index = tape.ring.claim();
      tape.isOver = index === 'over';
      if (typeof index === 'string') continue;
      let isDecoded = false;
      try {
        // The reader throws the fault of a damaged block when it reads this block.
        isDecoded = tape.reader.tryRead(index, tape.ring.slot(index));
      } finally {
        // A reader would wait for a claimed block forever.
        tape.ring.finish(index, isDecoded);
      }
      hasDecoded = true;
      break;
    }
    if (!hasDecoded) blockThread(PAUSE_MS);
  }
  for (const { fd } of tapes) closeSync(fd);
}
