/** Calls `work` every `everyMs` milliseconds, and does not keep the process alive for it. @returns what ends it */
export function backgroundTimer(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resolves after one turn of the event loop, so that signals, timers and input had their chance. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Milliseconds since some moment of this process, with fractions; never goes back. */
export type Stopwatch = () => number;

export const monotonic: Stopwatch = () => performance.now();

/** Blocks this thread until `Atomics.notify` after word `place` was `value`; false after `patienceMs`, default never. */
export function waitForChange(words: Int32Array, place: number, value: number, patienceMs?: number): boolean {
  return Atomics.wait(words, place, value, patienceMs) !== 'timed-out';
}
