/** Times of day in a time zone, including daylight saving time. */
import { type EpochMs, unchecked } from '../../domain/index.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

export class LocalTime {
  readonly #format: Intl.DateTimeFormat;

  /** @param zone IANA name such as Europe/Berlin. @throws RangeError for an unknown zone */
  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  }

  /** Minutes since local midnight, 0..1439. */
  minuteOf(time: EpochMs): number {
    return minutesOf(this.#format.format(time));
  }

  /** Returns the next moment after `time` at this minute of the day; an hour later if a clock change skips that minute. */
  next(time: EpochMs, minute: number): EpochMs {
    const whole = time - (time % MINUTE_MS);
    const ahead = (minute - this.minuteOf(time) + DAY_MINUTES) % DAY_MINUTES;
    const found = unchecked.time(whole + (ahead === 0 ? DAY_MINUTES : ahead) * MINUTE_MS);
    const half = DAY_MINUTES / 2;
    const shift = ((minute - this.minuteOf(found) + half + DAY_MINUTES) % DAY_MINUTES) - half;
    const shifted = unchecked.time(found + shift * MINUTE_MS);
    return shifted > time && this.minuteOf(shifted) === minute ? shifted : found;
  }
}

/** Converts `22:30` to minutes since midnight. */
export function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}
