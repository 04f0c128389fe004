/** Round times and prices at the axes of the chart. */
import type { Range } from './chart-range.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14].map((count) => count * DAY),
];
const PRICE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];
const MOST = 6;

/** Multiples of the least step of which at most six lie in the range. */
export function timeTicks({ from, until }: Range): readonly number[] {
  return multiples(from, until, stepOf(TIME_STEPS, until - from));
}

/** @param tickBps of the market; 0 without one */
export function priceTicks(low: number, high: number, tickBps: number): readonly number[] {
  const steps = PRICE_STEPS.filter((step) => step >= tickBps);
  return multiples(low, high, stepOf(steps, high - low));
}

function stepOf(steps: readonly number[], length: number): number {
  return steps.find((step) => length / step <= MOST) ?? steps.at(-1) ?? 1;
}

function multiples(from: number, until: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(until / step) - first + 1);
  return Array.from({ length: count }, (_, at) => (first + at) * step);
}
