/**
 * Ends a command cleanly when the heap of its main thread is nearly full. V8 itself would end the process at once with a stack
 * dump, without cancelling orders or closing files.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { backgroundTimer } from '../clock/index.ts';

export type Heap = Readonly<ReturnType<typeof processHeap>>;

const MB = 1_048_576;
const EVERY_MS = 100;
/** Share of the limit from which a full collection is worth its time. */
const SUSPICIOUS = 0.8;
/** Least growth between two collections, as a share of the limit. */
const STEP = 0.03;
/** Most used memory after a collection, as a share of the limit. */
const FULL = 0.88;

/** V8's heap of this thread, megabytes. @param limitMb as `bin/halfspread.js` measured it */
export function processHeap(limitMb: number) {
  // V8 gives up after four consecutive collections that free little; on a slow machine, even before the first check.
  setFlagsFromString('--no-detect-ineffective-gcs-near-heap-limit');
  return {
    /** Limit of V8's heap for old objects. */
    limitMb,
    /** Used memory, including garbage. */
    usedMb: (): number => getHeapStatistics().used_heap_size / MB,
    collect(): void {
      setFlagsFromString('--expose-gc');
      runInNewContext('gc')();
    },
  };
}

/** Calls `full` once, with a message for the user, when the heap is nearly full. @returns stops the watch */
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
