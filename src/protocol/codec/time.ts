/** Converts times between ISO 8601 with Z on the wire and epoch ms internally. */
import { type EpochMs, formatTime, parseTime } from '../../domain/index.ts';
import type { Raw } from '../field.ts';
import { asArgument, unwrapRaw } from './argument.ts';

/** Reads a `Time` argument with up to 9 decimals. Rounds **down** to milliseconds. @throws WireFault */
export function readTime(field: string, raw: Raw<'Time'>): EpochMs {
  return asArgument(() => parseTime(field, unwrapRaw(raw)));
}

/** A power of two, so that a mask selects the slot. */
const CACHE_SLOTS = 1024;
/** Recently formatted times, because answers repeat times. */
const CACHE: ({ readonly time: EpochMs; readonly text: string } | undefined)[] = new Array(CACHE_SLOTS).fill(undefined);

/** Formats a time with three decimals, or none for a whole second. @throws RangeError for an invalid date */
export function timeText(time: EpochMs): string {
  const slot = time & (CACHE_SLOTS - 1);
  const cached = CACHE[slot];
  if (cached?.time === time) return cached.text;
  const text = formatTime(time).replace('.000Z', 'Z');
  CACHE[slot] = { time, text };
  return text;
}
