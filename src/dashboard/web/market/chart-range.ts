/** Which stretch of time the chart shows, and which one is read for it. */

export interface Range {
  /** Epoch ms. */
  readonly from: number;
  readonly until: number;
}

const SHORTEST_MS = 60_000;
const LONGEST_MS = 31 * 86_400_000;
/** A range that is moved is read with so much more on both sides, in parts of its length: it can be moved on while the next is read. */
const MARGIN = 1;
/** It is read again when it has been moved by such a part of its length. */
const STEP = 0.25;

/** Shorter or longer by a factor, with the time at `part` of its width where it was. Ends with `now` at the latest. */
export function zoomed({ from, until }: Range, factor: number, part: number, now: number): Range {
  const length = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (until - from) * factor));
  const fixed = from + part * (until - from);
  return within({ from: fixed - part * length, until: fixed + (1 - part) * length }, now);
}

/** Later by a part of its length; below 0 earlier. Ends with `now` at the latest. */
export function moved({ from, until }: Range, parts: number, now: number): Range {
  const by = parts * (until - from);
  return within({ from: from + by, until: until + by }, now);
}

function within({ from, until }: Range, now: number): Range {
  const over = Math.max(0, until - now);
  return { from: from - over, until: until - over };
}

/** What is read for a range: the same for small moves of it. */
export function readFor({ from, until }: Range): Range {
  const length = until - from;
  const step = length * STEP;
  return {
    from: Math.floor(from / step) * step - MARGIN * length,
    until: Math.ceil(until / step) * step + MARGIN * length,
  };
}

/** How many points are read so that the range itself has `points`. */
export function pointsFor(read: Range, shown: Range, points: number): number {
  return Math.ceil((points * (read.until - read.from)) / (shown.until - shown.from));
}
