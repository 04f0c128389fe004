/** Computes the visible time range of the chart, the range to read, and round times and prices at the axes. */

export interface Range {
  /** Epoch ms. */
  readonly from: number;
  readonly until: number;
}

const SHORTEST_MS = 60_000;
const LONGEST_MS = 31 * 86_400_000;
/** Margin of the read range on both sides, in parts of the visible range, so that the chart can move at once. */
const MARGIN = 1;
/** Move after which the chart reads again, in parts of the visible range. */
const STEP = 0.25;

/** Scales a range. The time at `part` of the width keeps its position. The range ends at `now` at the latest. */
export function zoomRange({ from, until }: Range, factor: number, part: number, now: number): Range {
  const length = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (until - from) * factor));
  const fixed = from + part * (until - from);
  return limitToNow({ from: fixed - part * length, until: fixed + (1 - part) * length }, now);
}

/** Moves a range later by a part of its length; earlier if negative. The range ends at `now` at the latest. */
export function moveRange({ from, until }: Range, parts: number, now: number): Range {
  const by = parts * (until - from);
  return limitToNow({ from: from + by, until: until + by }, now);
}

function limitToNow({ from, until }: Range, now: number): Range {
  const over = Math.max(0, until - now);
  return { from: from - over, until: until - over };
}

/** Returns the range to read for a visible range. Small moves do not change the result. */
export function rangeToRead({ from, until }: Range): Range {
  const length = until - from;
  const step = length * STEP;
  return {
    from: Math.floor(from / step) * step - MARGIN * length,
    until: Math.ceil(until / step) * step + MARGIN * length,
  };
}

/** Returns the number of points to read, so that the visible range has `points`. */
export function pointsToRead(read: Range, shown: Range, points: number): number {
  return Math.ceil((points * (read.until - read.from)) / (shown.until - shown.from));
}

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14].map((count) => count * DAY),
];
const PRICE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];
const MAX_TICKS = 6;

/** Returns the multiples of a step in the range. The step is the smallest that fits at most six times. */
export function timeTicks({ from, until }: Range): readonly number[] {
  return multiples(from, until, chooseStep(TIME_STEPS, until - from));
}

/** @param tickBps the market's tick; 0 without a fixed tick */
export function priceTicks(low: number, high: number, tickBps: number): readonly number[] {
  const steps = PRICE_STEPS.filter((step) => step >= tickBps);
  return multiples(low, high, chooseStep(steps, high - low));
}

function chooseStep(steps: readonly number[], length: number): number {
  return steps.find((step) => length / step <= MAX_TICKS) ?? steps.at(-1) ?? 1;
}

function multiples(from: number, until: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(until / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}
