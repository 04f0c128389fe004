import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { AheadRing, type RingMemory, ringMemory } from './ahead-ring.ts';
import { BlockReader } from './block-reader.ts';
import type { BlockEntry } from './tape-format.ts';

/** What the thread is told. */
export interface AheadJob {
  readonly path: string;
  readonly blocks: readonly BlockEntry[];
  readonly memory: RingMemory;
}

/** Starts a thread that decodes blocks `first..end-1` ahead of whoever takes them from the ring. */
export function decodingAhead(path: string, blocks: readonly BlockEntry[], first: number, end: number): AheadRing {
  const rows = blocks.slice(first, end).reduce((most, block) => Math.max(most, block.rows), 0);
  const memory = ringMemory(first, end, rows);
  aheadThread({ path, blocks, memory });
  return new AheadRing(memory);
}

/** The thread itself. It holds no process up, and ends when its work does. */
export function aheadThread(job: AheadJob): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './ahead-thread.ts' : './ahead-thread.js';
  const thread = new Worker(new URL(entry, import.meta.url), { workerData: job });
  // One that fails hands nothing over any more: the reader decodes by itself, and tells what is wrong with a block.
  thread.on('error', () => {});
  thread.unref();
  return thread;
}

/** The thread's work: until the ring is closed or the last block is decoded. */
export function decodeAhead({ path, blocks, memory }: AheadJob): void {
  const ring = new AheadRing(memory);
  const fd = openSync(path, 'r');
  const reader = new BlockReader(path, fd, blocks);
  for (let index = ring.begin(); index !== 'over'; index = ring.begin()) {
    if (index === 'full') ring.awaitRoom();
    else ring.finish(index, decoded(reader, index, ring));
  }
  closeSync(fd);
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
