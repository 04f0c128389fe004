/** Calls `work` every `everyMs` milliseconds, and does not keep the process alive for it. @returns what ends it */
export function backgroundTimer(everyMs: number, work: () => void): () => void {
  const timer = setInterval(work, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Resolves after the event loop has turned once, so that signals, timers and input had their chance. Costs microseconds;
 * it is no wait.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Milliseconds since some moment of this process, with fractions; never goes back, whatever is done to the system's time. For
 * measuring how long something took: metrics, and a clock that is to be steady.
 */
export type Stopwatch = () => number;

/** The system's. */
export const monotonic: Stopwatch = () => performance.now();

/**
 * Holds this thread up until another one has changed word `place` from `value` and said so (`Atomics.notify`); for
 * threads that share memory and have nothing else to do meanwhile.
 * @param words on shared memory
 * @param patienceMs how long at most. Default for ever
 * @returns false when that time has passed
 */
export function waitForChange(words: Int32Array, place: number, value: number, patienceMs?: number): boolean {
  return Atomics.wait(words, place, value, patienceMs) !== 'timed-out';
}
