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

  /** Returns minutes since local midnight, 0..1439. */
  minuteOfDay(time: EpochMs): number {
    return parseMinutes(this.#format.format(time));
  }

  /** Returns the next time after `time` at `minute` of the day, or an hour later if a clock change skips the minute. */
  next(time: EpochMs, minute: number): EpochMs {
    const startOfMinute = time - (time % MINUTE_MS);
    const minutesAhead = (minute - this.minuteOfDay(time) + DAY_MINUTES) % DAY_MINUTES;
    const candidate = unchecked.time(startOfMinute + (minutesAhead === 0 ? DAY_MINUTES : minutesAhead) * MINUTE_MS);
    const halfDay = DAY_MINUTES / 2;
    const shiftMinutes = ((minute - this.minuteOfDay(candidate) + halfDay + DAY_MINUTES) % DAY_MINUTES) - halfDay;
    const shifted = unchecked.time(candidate + shiftMinutes * MINUTE_MS);
    return shifted > time && this.minuteOfDay(shifted) === minute ? shifted : candidate;
  }
}

/** Converts `22:30` to minutes since midnight. */
export function parseMinutes(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}
