/**
 * Ends a command in good order when the heap of its main thread is nearly full. V8 itself ends the process at once: it prints a
 * stack dump, cancels no order and closes no file.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { backgroundTimer } from '../clock/index.ts';

/** V8's heap, as far as the watch needs it. Megabytes. */
export interface Heap {
  /** What V8 may use for objects that live on. */
  readonly limitMb: number;
  /** What is in use, including what the next collection frees. */
  usedMb(): number;
  collect(): void;
}

const MB = 1_048_576;
const EVERY_MS = 100;
/** A collection of everything takes long: only from this share of the limit on. */
const SUSPICIOUS = 0.8;
/** And only where so much has come since the last one. */
const STEP = 0.03;
/** What is in use after such a collection, at most. */
const FULL = 0.88;

/** The heap of this thread. @param limitMb as `bin/halfspread.js` has found it */
export function processHeap(limitMb: number): Heap {
  // V8 gives up after four collections in a row that free little, on a slow machine before the watch has looked once.
  setFlagsFromString('--no-detect-ineffective-gcs-near-heap-limit');
  return {
    limitMb,
    usedMb: () => getHeapStatistics().used_heap_size / MB,
    collect() {
      setFlagsFromString('--expose-gc');
      runInNewContext('gc')();
    },
  };
}

/** Calls `full` once, with a sentence for the user, when the heap is nearly full. @returns what ends the watch */
export function watchHeap(heap: Heap, full: (problem: string) => void, every = backgroundTimer): () => void {
  const { limitMb } = heap;
  let suspicious = SUSPICIOUS * limitMb;
  const end = every(EVERY_MS, () => {
    if (heap.usedMb() < suspicious) return;
    heap.collect();
    const used = heap.usedMb();
    suspicious = Math.max(SUSPICIOUS * limitMb, used + STEP * limitMb);
    if (used < FULL * limitMb) return;
    end();
    full(
      `error: the heap is full: ${Math.round(used)} MB of ${Math.round(limitMb)} MB are in use after a collection. The command is ended.\n` +
        'Fix: give it more memory, such as NODE_OPTIONS=--max-old-space-size=4096, or less to do: fewer tapes, markets or clients at once\n',
    );
  });
  return end;
}
