/** Times: ISO 8601 with Z outside, milliseconds inside. */
import { type EpochMs, formatTime, parseTime } from '../../domain/index.ts';
import { asArgument } from './argument.ts';
import { type Raw, textOf } from './raw-text.ts';

/** A `Time` argument, 0 to 9 decimals, cut **down** to milliseconds. @throws WireFault */
export function readTime(field: string, raw: Raw<'Time'>): EpochMs {
  return asArgument(() => parseTime(field, textOf(raw)));
}

/** A time as answers have it: three decimals, none at a whole second. */
export function timeText(time: EpochMs): string {
  return formatTime(time).replace('.000Z', 'Z');
}
