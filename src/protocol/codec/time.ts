/** Times: ISO 8601 with Z on the wire, epoch ms internally. */
import { type EpochMs, formatTime, parseTime } from '../../domain/index.ts';
import type { Raw } from '../field.ts';
import { asArgument, textOf } from './argument.ts';

/** Reads a `Time` argument with 0 to 9 decimals, rounded **down** to milliseconds. @throws WireFault */
export function readTime(field: string, raw: Raw<'Time'>): EpochMs {
  return asArgument(() => parseTime(field, textOf(raw)));
}

/** A power of two. */
const PLACES = 1024;
/** A cache of recently formatted times, as answers repeat them. */
const WRITTEN: ({ readonly time: EpochMs; readonly text: string } | undefined)[] = new Array(PLACES).fill(undefined);

/** Formats a time of an answer: three decimals, none for a whole second. @throws RangeError for an invalid date */
export function timeText(time: EpochMs): string {
  const place = time & (PLACES - 1);
  const written = WRITTEN[place];
  if (written?.time === time) return written.text;
  const text = formatTime(time).replace('.000Z', 'Z');
  WRITTEN[place] = { time, text };
  return text;
}
