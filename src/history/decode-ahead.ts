/**
 * Decodes tapes ahead of their readers, with one thread for all tapes of a run.
 *
 * Invariants: a ring for each tape; the thread works on the tape whose reader it is least ahead of. Memory is bounded
 * over all tapes: with more than `MAX_BLOCKS / SLOTS` of them each has fewer blocks ahead. Beyond `MAX_BLOCKS` tapes there is
 * no thread: for a third of 100 tapes it takes 100 MB and saves no time. Rows and faults are the same with the thread and without it (ahead-ring.ts).
 */
import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { waitForChange } from '../clock/index.ts';
import { AheadRing, type RingMemory, ringMemory, SLOTS, sharedWords } from './ahead-ring.ts';
import { BlockReader } from './block-reader.ts';
import type { BlockEntry } from './tape-format.ts';

/** Blocks of all tapes that may wait for their readers: about 1 MB each. */
const MAX_BLOCKS = 32;

export interface AheadJob {
  readonly path: string;
  readonly blocks: readonly BlockEntry[];
  readonly markets: number;
  readonly memory: RingMemory;
}

/** Tapes that one thread decodes ahead. Feeds add theirs, then `start` begins the thread. */
export class AheadDecoder {
  readonly #room = sharedWords(1);
  readonly #slots: number;
  readonly #jobs: AheadJob[] = [];

  /** @param tapes that will be added */
  constructor(tapes: number) {
    this.#slots = Math.min(SLOTS, Math.floor(MAX_BLOCKS / tapes));
  }

  /** A ring of blocks `first..end-1`; undefined when the memory for them is spent. */
  add(tape: Omit<AheadJob, 'memory'>, first: number, end: number): AheadRing | undefined {
    if (this.#slots === 0 || (this.#jobs.length + 1) * this.#slots > MAX_BLOCKS) return undefined;
    const rows = tape.blocks.slice(first, end).reduce((most, block) => Math.max(most, block.rows), 0);
    const memory = ringMemory(first, end, rows, { slots: this.#slots, room: this.#room });
    this.#jobs.push({ ...tape, memory });
    return new AheadRing(memory);
  }

  start(): void {
    if (this.#jobs.length > 0) aheadThread(this.#jobs);
  }
}

/** The thread itself. It holds no process up, and ends when its work does. */
export function aheadThread(jobs: readonly AheadJob[]): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './ahead-thread.ts' : './ahead-thread.js';
  const thread = new Worker(new URL(entry, import.meta.url), { workerData: jobs });
  // After a failure the thread hands over no more blocks: the reader decodes them itself and reports damaged ones.
  thread.on('error', () => {});
  thread.unref();
  return thread;
}

/** The thread's work: until each ring is closed or its last block is decoded. */
export function decodeAhead(jobs: readonly AheadJob[]): void {
  const room = jobs[0]?.memory.room;
  if (room === undefined) return;
  const tapes = jobs.map(({ path, blocks, markets, memory }) => {
    const fd = openSync(path, 'r');
    return { fd, ring: new AheadRing(memory), reader: new BlockReader(path, fd, blocks, markets), isOver: false };
  });
  for (;;) {
    const seen = Atomics.load(room, 0);
    const open = tapes.filter(({ isOver }) => !isOver).toSorted((a, b) => a.ring.lead - b.ring.lead);
    if (open.length === 0) break;
    let hasDecoded = false;
    for (const tape of open) {
      const index = tape.ring.begin();
      tape.isOver = index === 'over';
      if (typeof index === 'string') continue;
      tape.ring.finish(index, decoded(tape.reader, index, tape.ring));
      hasDecoded = true;
      break;
    }
    // Room that was made since `seen` was looked up is not waited for.
    if (!hasDecoded && open.some(({ isOver }) => !isOver)) waitForChange(room, 0, seen);
  }
  for (const { fd } of tapes) closeSync(fd);
}

function decoded(reader: BlockReader, index: number, ring: AheadRing): boolean {
  try {
    reader.read(index, ring.slot(index));
    return true;
  } catch {
    // The reader meets the same fault when it comes to this block, and throws it.
    return false;
  }
}
