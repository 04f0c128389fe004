/** Times of a source as epoch ms. What cannot be read becomes NaN. Fractions below a millisecond are cut **down**. */
import { InputFault } from '../../domain/index.ts';
import { numberOf } from './units.ts';

/** Reads one cell. */
export type TimeReader = (value: unknown) => number;

const EPOCH_UNITS: ReadonlyMap<string, number> = new Map([
  ['epoch_s', 1_000],
  ['epoch_ms', 1],
  ['epoch_us', 1 / 1_000],
  ['epoch_ns', 1 / 1_000_000],
]);

/** Abbreviations with one meaning in market data, minutes east of UTC. Others are refused. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ['UTC', 0],
  ['GMT', 0],
  ['Z', 0],
  ['EST', -300],
  ['EDT', -240],
  ['CST', -360],
  ['CDT', -300],
  ['MST', -420],
  ['MDT', -360],
  ['PST', -480],
  ['PDT', -420],
  ['CET', 60],
  ['CEST', 120],
]);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MINUTE = 60_000;

/** Parts of a pattern, as a regular expression and what they set. */
const TOKENS: readonly (readonly [token: string, pattern: string])[] = [
  ['yyyy', '(?<year>\\d{4})'],
  ['MMMM', '(?<month>[A-Za-z]+)'],
  ['MMM', '(?<month>[A-Za-z]{3})'],
  ['MM', '(?<month>\\d{2})'],
  ['M', '(?<month>\\d{1,2})'],
  ['EEEE', '[A-Za-z]+'],
  ['EEE', '[A-Za-z]{3}'],
  ['dd', '(?<day>\\d{2})'],
  ['d', '(?<day>\\d{1,2})'],
  ['HH', '(?<hour>\\d{2})'],
  ['H', '(?<hour>\\d{1,2})'],
  ['hh', '(?<hour>\\d{2})'],
  ['h', '(?<hour>\\d{1,2})'],
  ['mm', '(?<minute>\\d{2})'],
  ['ss', '(?<second>\\d{2})'],
  ['SSS', '(?<fraction>\\d{1,9})'],
  ['a', '(?<half>[AaPp][Mm])'],
  ['zzz', '(?<zone>[A-Za-z]{1,5}|[+-]\\d{2}:?\\d{2})'],
];
const ISO =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?)?\s*(?<zone>Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/;

/**
 * @param format `epoch_s`, `epoch_ms`, `epoch_us`, `epoch_ns`, `iso8601`, or a pattern such as `EEEE, MMMM d, yyyy HH:mm:ss zzz`
 * @param zone of times that name none: `UTC`, `EST`, `-05:00` or a name such as `America/New_York`
 * @param onZone is called with the zone that a time names, as it stands there
 * @throws InputFault for a format or zone that is unknown
 */
export function timeReader(format: string, zone: string | undefined, onZone: (zone: string) => void): TimeReader {
  const unit = EPOCH_UNITS.get(format);
  if (unit !== undefined) return (value) => Math.floor(numberOf(value) * unit);
  const pattern = format === 'iso8601' ? ISO : patternOf(format);
  const offsetOf = zone === undefined ? () => Number.NaN : offsetReader(zone);
  let last: unknown;
  let lastTime = Number.NaN;
  return (value) => {
    // Rows of one moment follow each other.
    if (value === last) return lastTime;
    last = value;
    const parts = pattern.exec(String(value).trim())?.groups;
    lastTime = parts === undefined ? Number.NaN : timeOf(parts, offsetOf, onZone);
    return lastTime;
  };
}

function timeOf(
  parts: Readonly<Record<string, string | undefined>>,
  offsetOf: (local: number) => number,
  onZone: (zone: string) => void,
): number {
  const { year, month, day, hour = '0', minute = '0', second = '0', fraction = '', half, zone } = parts;
  const monthNo = /^\d/.test(month ?? '') ? Number(month) - 1 : MONTHS.indexOf((month ?? '').slice(0, 3).toLowerCase());
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const local = Date.UTC(Number(year), monthNo, Number(day), hours, Number(minute), Number(second), ms);
  const date = new Date(local);
  // `Date.UTC` makes 1 March of 30 February, and the next day of hour 25.
  const isReal = monthNo >= 0 && date.getUTCDate() === Number(day) && date.getUTCHours() === hours;
  if (!isReal || date.getUTCMinutes() !== Number(minute)) return Number.NaN;
  if (zone === undefined) return local - offsetOf(local) * MINUTE;
  onZone(zone);
  return local - (fixedOffset(zone) ?? Number.NaN) * MINUTE;
}

function patternOf(format: string): RegExp {
  let source = '';
  for (let at = 0; at < format.length; ) {
    const token = TOKENS.find(([name]) => format.startsWith(name, at));
    source += token === undefined ? (format[at] ?? '').replace(/[^\w\s]/g, '\\$&') : token[1];
    at += token?.[0].length ?? 1;
  }
  const needs = ['year', 'month', 'day', 'hour'].find((part) => !source.includes(`<${part}>`));
  if (needs !== undefined || /\(\?<(\w+)>.*\(\?<\1>/.test(source)) {
    const known = [...EPOCH_UNITS.keys(), 'iso8601'].join(', ');
    throw new InputFault(
      'time.format',
      format,
      `${known}, or a pattern with year (yyyy), month, day and hour, each once`,
    );
  }
  return new RegExp(`^${source}$`);
}

/** Minutes east of UTC of an abbreviation or `+01:00`. */
function fixedOffset(zone: string): number | undefined {
  const known = ZONES.get(zone.toUpperCase());
  if (known !== undefined) return known;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? undefined : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Minutes east of UTC at a local time. In the hour that comes twice, the first one counts; NaN in one that is skipped. */
function offsetReader(zone: string): (local: number) => number {
  const fixed = fixedOffset(zone);
  if (fixed !== undefined) return () => fixed;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (cause) {
    throw new InputFault('time.zone', zone, 'UTC, EST, -05:00 or a name such as America/New_York', { cause });
  }
  const offsetAt = (time: number): number => {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name === 'GMT' ? 0 : (fixedOffset(name.slice('GMT'.length)) ?? Number.NaN);
  };
  const byHour = new Map<number, number>();
  return (local) => {
    const hour = Math.floor(local / (15 * MINUTE));
    let offset = byHour.get(hour);
    if (offset === undefined) {
      const before = offsetAt(local - 1_440 * MINUTE);
      const after = offsetAt(local + 1_440 * MINUTE);
      offset = [before, after].find((each) => offsetAt(local - each * MINUTE) === each) ?? Number.NaN;
      if (byHour.size > 100_000) byHour.clear();
      byHour.set(hour, offset);
    }
    return offset;
  };
}
