/** A row with the moment it came to be. */
export interface IntMap {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The number from which on rows are of a moment or later, found by halves: rows are numbered in the order of time, and no
 * index by time has to be written.
 * @param last number of the last row, or more
 * @param next the first row from a number on
 * @returns one more than `last` where all are older
 */
export function firstSince(moment: number, last: number, next: (id: number) => IntMap | undefined): number {
  let [low, high] = [0, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = next(middle);
    if (found === undefined || found.at >= moment) high = middle;
    else low = Math.min(found.id + 1, high);
  }
  return low;
}
