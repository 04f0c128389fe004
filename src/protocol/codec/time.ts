import { type EpochMs, formatTime, parseTime } from '../../domain/index.ts';
import type { Raw } from '../field.ts';
import { parseArgument, unwrapRaw } from './argument.ts';

/** Reads a `Time` argument with up to 9 decimals. Rounds **down** to milliseconds. @throws WireFault */
export function readTime(field: string, raw: Raw<'Time'>): EpochMs {
  return parseArgument(() => parseTime(field, unwrapRaw(raw)));
}

/** Formats a time with three decimals, or none for a whole second. @throws RangeError for an invalid date */
export function timeText(time: EpochMs): string {
  return formatTime(time).replace('.000Z', 'Z');
}
