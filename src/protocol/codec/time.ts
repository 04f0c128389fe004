/** Times: ISO 8601 with Z outside, milliseconds inside. */
import { type EpochMs, formatTime, parseTime } from '../../domain/index.ts';
import type { Raw } from '../field.ts';
import { asArgument, textOf } from './argument.ts';

/** A `Time` argument, 0 to 9 decimals, cut **down** to milliseconds. @throws WireFault */
export function readTime(field: string, raw: Raw<'Time'>): EpochMs {
  return asArgument(() => parseTime(field, textOf(raw)));
}

/** A power of two. */
const PLACES = 1024;
/** A cache of the times written last: answers repeat the same ones. */
const WRITTEN: ({ readonly time: EpochMs; readonly text: string } | undefined)[] = new Array(PLACES).fill(undefined);

/** A time as answers have it: three decimals, none at a whole second. @throws RangeError for one that no date has */
export function timeText(time: EpochMs): string {
  const place = time & (PLACES - 1);
  const written = WRITTEN[place];
  if (written?.time === time) return written.text;
  const text = formatTime(time).replace('.000Z', 'Z');
  WRITTEN[place] = { time, text };
  return text;
}
