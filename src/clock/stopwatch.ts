/**
 * Milliseconds since some moment of this process, with fractions; never goes back, whatever is done to the system's time. For
 * measuring how long something took: metrics, and a clock that is to be steady.
 */
export type Stopwatch = () => number;

/** The system's. */
export const monotonic: Stopwatch = () => performance.now();
