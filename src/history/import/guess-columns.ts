/** Guesses the meaning of a sample's columns: time, price, side and others. */
import { ascending } from '../../domain/index.ts';
import type { Sample, SampleColumn } from './sample.ts';
import { makeTimeReader } from './time-format.ts';
import { isEmpty, type PriceUnit, parseNumber } from './units.ts';

/** Time formats, most frequent first. */
const TIME_FORMATS = [
  'iso8601',
  'EEEE, MMMM d, yyyy HH:mm:ss zzz',
  'yyyy-MM-dd HH:mm:ss zzz',
  'yyyy-MM-dd HH:mm:ss.SSS zzz',
  'yyyy/MM/dd HH:mm:ss',
  'MM/dd/yyyy HH:mm:ss',
  'M/d/yyyy h:mm:ss a',
  'dd.MM.yyyy HH:mm:ss',
] as const;
/** Epoch formats, each with the range of its numbers in the years 2001 to 2128. */
const EPOCH_RANGES = [
  ['epoch_s', 1e9, 5e9],
  ['epoch_ms', 1e12, 5e12],
  ['epoch_us', 1e15, 5e15],
  ['epoch_ns', 1e18, 5e18],
] as const;
export const BID_WORDS: readonly string[] = ['buy', 'bid', 'b', 'bids', 'yes_bid'];
export const ASK_WORDS: readonly string[] = ['sell', 'ask', 's', 'a', 'asks', 'offer'];
/** Ticks of known venues, bps. */
const TICKS = [100, 50, 25, 20, 10, 5, 2, 1];

export interface TimeGuess {
  readonly column: string;
  readonly format: string;
  /** Whether the values name their zone or need no zone. */
  readonly hasZone: boolean;
  readonly order: 'oldest_first' | 'newest_first' | 'any';
  /** Rows without a time. */
  readonly empty: number;
}

/** Guesses the time format of a column; undefined if it has no times. */
export function guessTime({ name, values }: SampleColumn): TimeGuess | undefined {
  const filled = values.filter((value) => !isEmpty(value));
  if (filled.length === 0) return undefined;
  const numbers = filled.map(parseNumber);
  const epoch = EPOCH_RANGES.find(([, from, to]) => areMost(numbers, (number) => number >= from && number < to))?.[0];
  const readAll = (pattern: string, zone?: string) => filled.map(makeTimeReader(pattern, zone, () => {}));
  const format = epoch ?? TIME_FORMATS.find((pattern) => areMost(readAll(pattern, 'UTC'), Number.isFinite));
  if (format === undefined) return undefined;
  const times = readAll(format, 'UTC').filter(Number.isFinite);
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const backward = steps.filter((step) => step < 0).length;
  const forward = steps.filter((step) => step > 0).length;
  const order = backward === 0 ? 'oldest_first' : forward === 0 ? 'newest_first' : 'any';
  const hasZone = areMost(readAll(format), Number.isFinite);
  return { column: name, format, order, empty: values.length - filled.length, hasZone };
}

export function guessPriceUnit({ name, values }: SampleColumn): PriceUnit {
  const numbers = parseNumbers(values);
  const max = numbers.reduce((a, b) => Math.max(a, b), 0);
  const min = numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  if (/odds/i.test(name) || (min > 1 && min < 2 && max > 2 && !numbers.every(Number.isInteger))) return 'decimal_odds';
  if (max <= 1) return 'dollars';
  return max <= 100 ? 'cents' : 'bps';
}

/**
 * Returns the largest of `TICKS` that fits 99% of the prices. If none does, 80% are enough, because average prices of
 * trades may be off the tick. `offTick` is the number of prices off the tick.
 */
export function guessTick(bps: readonly number[]): { readonly tick: number; readonly offTick: number } {
  const isOff = (price: number, tick: number) => Math.abs(price / tick - Math.round(price / tick)) > 0.01 / tick;
  const countOff = (tick: number) => bps.filter((price) => isOff(price, tick)).length;
  const findTick = (maxShare: number) => TICKS.find((each) => countOff(each) <= maxShare * bps.length);
  const tick = findTick(0.01) ?? findTick(0.2) ?? 1;
  return { tick, offTick: countOff(tick) };
}

/** Finds the first column that matches a name pattern and passes a test, in the order of the patterns. */
export function findColumn(
  { columns }: Sample,
  names: readonly RegExp[],
  passes: (column: SampleColumn) => boolean,
): SampleColumn | undefined {
  for (const name of names) {
    const found = columns.find((column) => name.test(column.name) && passes(column));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the different values of a column, most frequent first; undefined if there are more than `max`. */
export function distinctValues({ values }: SampleColumn, max: number): string[] | undefined {
  const counts = new Map<string, number>();
  for (const value of values) {
    if (isEmpty(value) || typeof value === 'object') continue;
    counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
    if (counts.size > max) return undefined;
  }
  return [...counts].sort((a, b) => ascending(b[1], a[1])).map(([word]) => word);
}

export function isNumeric({ values }: SampleColumn): boolean {
  const filled = values.filter((value) => !isEmpty(value));
  return areMost(filled.map(parseNumber), Number.isFinite);
}

export function parseNumbers(values: readonly unknown[]): number[] {
  return values.map(parseNumber).filter(Number.isFinite);
}

/** Whether more than 90% of the values pass. */
function areMost<T>(values: readonly T[], passes: (value: T) => boolean): boolean {
  return values.filter(passes).length > 0.9 * values.length;
}
