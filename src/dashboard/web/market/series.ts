import type { Range } from './chart-range.ts';

/** Width and height of the drawings' view box, in its own units. */
export const VIEW_BOX_SIZE = 1_000;

export interface Series {
  readonly time: readonly number[];
  readonly mid: readonly (number | null)[];
  readonly bid: readonly (number | null)[];
  readonly ask: readonly (number | null)[];
  readonly held: readonly (number | null)[];
}

export interface Scale extends Range {
  readonly low: number;
  readonly high: number;
}

/** Converts a time to the view box. */
export const toX = ({ from, until }: Scale, time: number): number =>
  ((time - from) / (until - from || 1)) * VIEW_BOX_SIZE;
/** Converts a price to the view box, whose origin is at the top. */
export const toY = ({ low, high }: Scale, price: number): number =>
  VIEW_BOX_SIZE - ((price - low) / (high - low || 1)) * VIEW_BOX_SIZE;

/** @param range the shown time. Default: from the first to the last point */
export function computeScale(series: Series, range?: Range): Scale {
  const { from, until } = range ?? { from: series.time[0] ?? 0, until: series.time.at(-1) ?? 1 };
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [index, time] of series.time.entries()) {
    if (time < from || time > until) continue;
    for (const price of [series.mid[index], series.bid[index], series.ask[index]]) {
      if (price === null || price === undefined) continue;
      low = Math.min(low, price);
      high = Math.max(high, price);
    }
  }
  if (low > high) [low, high] = [0, 10_000];
  const margin = Math.max(20, (high - low) * 0.08);
  return { from, until, low: Math.max(0, low - margin), high: Math.min(10_000, high + margin) };
}

/** Returns the visible points, and a point before and after them for the ends of lines. */
export function visiblePart(series: Series, { from, until }: Scale): Series {
  const first = Math.max(
    0,
    series.time.findLastIndex((time) => time < from),
  );
  const after = series.time.findIndex((time) => time > until);
  if (first === 0 && after < 0) return series;
  const part = <Value>(values: readonly Value[]): readonly Value[] =>
    values.slice(first, after < 0 ? undefined : after + 1);
  const { time, mid, bid, ask, held } = series;
  return { time: part(time), mid: part(mid), bid: part(bid), ask: part(ask), held: part(held) };
}

/** Returns the index of the last time at or before `wanted`; 0 if all times are later. */
export function indexAt(times: readonly number[], wanted: number): number {
  const index = times.findLastIndex((time) => time <= wanted);
  return Math.max(0, index);
}

/** Draws steps: the line stays level until the next point, and is broken from a missing value to the next value. */
export function stepPath(time: readonly number[], values: readonly (number | null)[], scale: Scale): string {
  let path = '';
  let isDrawing = false;
  for (const [index, value] of values.entries()) {
    const left = toX(scale, time[index] ?? 0).toFixed(1);
    if (value === null) {
      if (isDrawing) path += `H${left}`;
      isDrawing = false;
      continue;
    }
    const top = toY(scale, value).toFixed(1);
    path += isDrawing ? `H${left}V${top}` : `M${left} ${top}`;
    isDrawing = true;
  }
  return path;
}

/** Draws the band between own bid and own ask, where both exist. */
export function bandPath({ time, bid, ask }: Series, scale: Scale): string {
  let path = '';
  let upper: string[] = [];
  let lower: string[] = [];
  const close = (): void => {
    if (upper.length > 1) path += `M${upper.join('L')}L${lower.toReversed().join('L')}Z`;
    upper = [];
    lower = [];
  };
  for (const [index, at] of time.entries()) {
    const [bidPrice, askPrice] = [bid[index] ?? null, ask[index] ?? null];
    const left = toX(scale, at).toFixed(1);
    // Both edges stay level until this time.
    for (const line of [upper, lower]) {
      const before = line.at(-1)?.split(' ')[1];
      if (before !== undefined) line.push(`${left} ${before}`);
    }
    if (bidPrice === null || askPrice === null) {
      close();
      continue;
    }
    upper.push(`${left} ${toY(scale, askPrice).toFixed(1)}`);
    lower.push(`${left} ${toY(scale, bidPrice).toFixed(1)}`);
  }
  close();
  return path;
}
