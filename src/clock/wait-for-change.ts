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
