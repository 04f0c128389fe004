/** Reads times of a source as epoch ms, rounded **down**; NaN for an invalid time. */
import { InputFault } from '../../domain/index.ts';
import { parseNumber } from './units.ts';

export type TimeReader = (value: unknown) => number;

const EPOCH_UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['epoch_s', 1_000],
  ['epoch_ms', 1],
  ['epoch_us', 1 / 1_000],
  ['epoch_ns', 1 / 1_000_000],
]);

/** Offsets of unambiguous abbreviations, minutes east of UTC. Other abbreviations are refused. */
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
const MINUTE_MS = 60_000;

/** Tokens of a pattern, and the regular expressions that read them. */
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
  ['a', '(?<amPm>[AaPp][Mm])'],
  ['zzz', '(?<zone>[A-Za-z]{1,5}|[+-]\\d{2}:?\\d{2})'],
];
const ISO =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?)?\s*(?<zone>Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/;

/**
 * Returns a reader of times.
 * @param format `epoch_s`, `epoch_ms`, `epoch_us`, `epoch_ns`, `iso8601`, or a pattern such as
 * `EEEE, MMMM d, yyyy HH:mm:ss zzz`
 * @param zone zone of times that name none: `UTC`, `EST`, `-05:00` or a name such as `America/New_York`
 * @param onZone called with the zone in a time, as text
 * @throws InputFault for an unknown format or zone
 */
export function makeTimeReader(format: string, zone: string | undefined, onZone: (zone: string) => void): TimeReader {
  const unitMs = EPOCH_UNIT_MS.get(format);
  if (unitMs !== undefined) return (value) => Math.floor(parseNumber(value) * unitMs);
  const pattern = format === 'iso8601' ? ISO : compilePattern(format);
  const getOffset = zone === undefined ? () => Number.NaN : makeOffsetReader(zone);
  let lastValue: unknown;
  let lastTime = Number.NaN;
  return (value) => {
    // Consecutive rows often have the same time.
    if (value === lastValue) return lastTime;
    lastValue = value;
    const parts = pattern.exec(String(value).trim())?.groups;
    lastTime = parts === undefined ? Number.NaN : computeTime(parts, getOffset, onZone);
    return lastTime;
  };
}

function computeTime(
  parts: Readonly<Record<string, string | undefined>>,
  getOffset: (local: number) => number,
  onZone: (zone: string) => void,
): number {
  const { year, month, day, hour = '0', minute = '0', second = '0', fraction = '', amPm, zone } = parts;
  const monthIndex = /^\d/.test(month ?? '')
    ? Number(month) - 1
    : MONTHS.indexOf((month ?? '').slice(0, 3).toLowerCase());
  const hours = amPm === undefined ? Number(hour) : (Number(hour) % 12) + (amPm.toLowerCase() === 'pm' ? 12 : 0);
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const local = Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute), Number(second), ms);
  const date = new Date(local);
  // `Date.UTC` converts 30 February to a day in March, and hour 25 to the next day.
  const isReal = monthIndex >= 0 && date.getUTCDate() === Number(day) && date.getUTCHours() === hours;
  if (!isReal || date.getUTCMinutes() !== Number(minute)) return Number.NaN;
  if (zone === undefined) return local - getOffset(local) * MINUTE_MS;
  onZone(zone);
  return local - (parseFixedOffset(zone) ?? Number.NaN) * MINUTE_MS;
}

function compilePattern(format: string): RegExp {
  let source = '';
  for (let at = 0; at < format.length; ) {
    const token = TOKENS.find(([name]) => format.startsWith(name, at));
    source += token === undefined ? (format[at] ?? '').replace(/[^\w\s]/g, '\\$&') : token[1];
    at += token?.[0].length ?? 1;
  }
  const missing = ['year', 'month', 'day', 'hour'].find((part) => !source.includes(`<${part}>`));
  if (missing !== undefined || /\(\?<(\w+)>.*\(\?<\1>/.test(source)) {
    const known = [...EPOCH_UNIT_MS.keys(), 'iso8601'].join(', ');
    const expected = `${known}, or a pattern with year (yyyy), month, day and hour, each once`;
    throw new InputFault('time.format', format, expected);
  }
  return new RegExp(`^${source}$`);
}

/** Returns the minutes east of UTC of an abbreviation or an offset such as `+01:00`; undefined for other zones. */
function parseFixedOffset(zone: string): number | undefined {
  const known = ZONES.get(zone.toUpperCase());
  if (known !== undefined) return known;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return sign === undefined ? undefined : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Returns a function from local time to minutes east of UTC: the first offset of a repeated hour, NaN if skipped. */
function makeOffsetReader(zone: string): (local: number) => number {
  const fixed = parseFixedOffset(zone);
  if (fixed !== undefined) return () => fixed;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch (cause) {
    throw new InputFault('time.zone', zone, 'UTC, EST, -05:00 or a name such as America/New_York', { cause });
  }
  const offsetAt = (time: number): number => {
    const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name === 'GMT' ? 0 : (parseFixedOffset(name.slice('GMT'.length)) ?? Number.NaN);
  };
  const byQuarterHour = new Map<number, number>();
  return (local) => {
    const quarterHour = Math.floor(local / (15 * MINUTE_MS));
    let offset = byQuarterHour.get(quarterHour);
    if (offset === undefined) {
      const before = offsetAt(local - 1_440 * MINUTE_MS);
      const after = offsetAt(local + 1_440 * MINUTE_MS);
      offset = [before, after].find((each) => offsetAt(local - each * MINUTE_MS) === each) ?? Number.NaN;
      if (byQuarterHour.size > 100_000) byQuarterHour.clear();
      byQuarterHour.set(quarterHour, offset);
    }
    return offset;
  };
}
