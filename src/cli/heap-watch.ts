/**
 * Ends a command cleanly when the heap of its main thread is nearly full. V8 itself would end the process at once with
 * a stack dump, without cancelling orders or closing files.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { backgroundTimer } from '../clock/index.ts';

export type Heap = Readonly<ReturnType<typeof processHeap>>;

const MB = 1_048_576;
const CHECK_INTERVAL_MS = 100;
/** Used share of the limit that causes a full collection. */
const COLLECT_SHARE = 0.8;
/** Growth since the last full collection that causes the next collection, as a share of the limit. */
const GROWTH_SHARE = 0.03;
/** Used share of the limit after a full collection above which the heap is full. */
const FULL_SHARE = 0.88;

/** Returns access to V8's heap of this thread. @param limitMb heap limit that `bin/halfspread.js` measured */
export function processHeap(limitMb: number) {
  // V8 ends the process after four collections that free little. On a slow machine that can precede the first check.
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

/** Calls `onFull` once, with a message for the user, when the heap is nearly full. Returns a stop function. */
export function watchHeap(heap: Heap, onFull: (problem: string) => void, every = backgroundTimer): () => void {
  const { limitMb } = heap;
  let collectAtMb = COLLECT_SHARE * limitMb;
  const stop = every(CHECK_INTERVAL_MS, () => {
    if (heap.usedMb() < collectAtMb) return;
    heap.collect();
    const usedMb = heap.usedMb();
    collectAtMb = Math.max(COLLECT_SHARE * limitMb, usedMb + GROWTH_SHARE * limitMb);
    if (usedMb < FULL_SHARE * limitMb) return;
    stop();
    onFull(
      `error: the heap is full: ${Math.round(usedMb)} MB of ${Math.round(limitMb)} MB are in use after a collection. The command is ended.\n` +
        'Fix: give it more memory, such as NODE_OPTIONS=--max-old-space-size=4096, or less to do: fewer tapes, markets or clients at once\n',
    );
  });
  return stop;
}
