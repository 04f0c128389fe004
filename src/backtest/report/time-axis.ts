/**
 * The horizontal axis of all charts. Markets sleep for days and then move for hours: where nearly everything happens in
 * a small part of the time, the axis advances with what happened instead of with the clock, and says so.
 */
import type { Line } from '../../analytics/index.ts';

interface TimeTick {
  /** 0..1 from left to right. */
  readonly position: number;
  /** One or two lines: the time of day, and the date where it changes. */
  readonly label: string;
}

export interface TimeAxis {
  /** True when equal distances mean equally many changes of the mark, not equally much time. */
  readonly warped: boolean;
  /** 0..1; times outside are at the ends. */
  position(time: number): number;
  /** Round times at least `gap` (0..1) apart, and `edge` from the right end, where a label would be cut off. */
  ticks(gap: number, edge?: number): readonly TimeTick[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Coarse to fine: a midnight is the better tick than a quarter past. */
const STEPS = [
  ...[256, 64, 16, 4, 2, 1].map((days) => days * DAY),
  ...[12, 6, 3, 1].map((hours) => hours * HOUR),
  ...[30, 15, 5, 1].map((minutes) => minutes * MINUTE),
  ...[30, 10, 5, 1].map((seconds) => seconds * SECOND),
];
const MOST_CANDIDATES = 5_000;
const BREAKS = 24;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An axis over all lines. Their points are equally many changes apart, so dense points mean a busy time. */
export function timeAxis(lines: readonly Line[]): TimeAxis {
  const times = Float64Array.from(lines.flatMap(({ time }) => [...time])).sort();
  const from = times[0] ?? 0;
  const to = Math.max(times.at(-1) ?? 1, from + 1);
  const busy = quantile(times, 0.95) - quantile(times, 0.05);
  const warped = times.length > BREAKS && busy < 0.5 * (to - from);
  const breaks = warped ? distinct([from, ...inner(times), to]) : [from, to];
  const position = (time: number): number => positionOf(breaks, time);
  return { warped, position, ticks: (gap, edge = 0) => roundTicks({ from, to, position, gap, edge }) };
}

function inner(times: Float64Array): readonly number[] {
  return Array.from({ length: BREAKS - 1 }, (_, index) => quantile(times, (index + 1) / BREAKS));
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

function distinct(ascending: readonly number[]): readonly number[] {
  return ascending.filter((value, index) => index === 0 || value > (ascending[index - 1] ?? 0));
}

function positionOf(breaks: readonly number[], time: number): number {
  const last = breaks.length - 1;
  const above = breaks.findIndex((at) => at >= time);
  if (above === 0) return 0;
  if (above === -1) return 1;
  const left = breaks[above - 1] ?? 0;
  const right = breaks[above] ?? 1;
  return (above - 1 + (time - left) / (right - left)) / last;
}

interface Wanted {
  readonly from: number;
  readonly to: number;
  readonly gap: number;
  readonly edge: number;
  position(time: number): number;
}

function roundTicks({ from, to, gap, edge, position }: Wanted): readonly TimeTick[] {
  const chosen: { time: number; position: number }[] = [];
  for (const step of STEPS) {
    // Enough round times are better than all places taken by odd ones.
    if ((to - from) / step > MOST_CANDIDATES || chosen.length >= Math.max(3, 0.5 / gap)) break;
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      const at = position(time);
      if (at <= 1 - edge && chosen.every((other) => Math.abs(other.position - at) >= gap))
        chosen.push({ time, position: at });
    }
  }
  chosen.sort((a, b) => a.time - b.time);
  return chosen.map(({ time, position: at }, index) => {
    const before = chosen[index - 1];
    const newDay = before === undefined || Math.floor(before.time / DAY) !== Math.floor(time / DAY);
    return { position: at, label: newDay ? `${timeOfDay(time)}\n${dayOfMonth(time)}` : timeOfDay(time) };
  });
}

function timeOfDay(time: number): string {
  const text = new Date(time).toISOString();
  return time % MINUTE === 0 ? text.slice(11, 16) : text.slice(11, 19);
}

function dayOfMonth(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''}`;
}
