/** The visible time range of the chart, and the range that is read for it. */

export interface Range {
  /** Epoch ms. */
  readonly from: number;
  readonly until: number;
}

const SHORTEST_MS = 60_000;
const LONGEST_MS = 31 * 86_400_000;
/** Margin of the read range on both sides, in parts of its length, so that the chart can move while more is read. */
const MARGIN = 1;
/** Move after which a range is read again, in parts of its length. */
const STEP = 0.25;

/** Scales a range by a factor. The time at `part` of its width keeps its position. Ends at `now` at the latest. */
export function zoomed({ from, until }: Range, factor: number, part: number, now: number): Range {
  const length = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (until - from) * factor));
  const fixed = from + part * (until - from);
  return within({ from: fixed - part * length, until: fixed + (1 - part) * length }, now);
}

/** Moves a range later by a part of its length; earlier if negative. Ends at `now` at the latest. */
export function moved({ from, until }: Range, parts: number, now: number): Range {
  const by = parts * (until - from);
  return within({ from: from + by, until: until + by }, now);
}

function within({ from, until }: Range, now: number): Range {
  const over = Math.max(0, until - now);
  return { from: from - over, until: until - over };
}

/** The range to read for a visible range. Small moves do not change it. */
export function readFor({ from, until }: Range): Range {
  const length = until - from;
  const step = length * STEP;
  return {
    from: Math.floor(from / step) * step - MARGIN * length,
    until: Math.ceil(until / step) * step + MARGIN * length,
  };
}

/** Number of points to read, so that the visible range has `points`. */
export function pointsFor(read: Range, shown: Range, points: number): number {
  return Math.ceil((points * (read.until - read.from)) / (shown.until - shown.from));
}
