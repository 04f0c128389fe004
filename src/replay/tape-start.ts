/** Where a replay begins: a moment of the tape, as people write it. */
import { column, type EpochMs, formatTime, InputFault, parseTime } from '../domain/index.ts';
import type { TapeManifest } from '../tape/index.ts';

const TIME_OF_DAY = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?Z$/;
const DAY_MS = 86_400_000;

/** @param text ISO 8601 with Z, or a time of day (the last on the tape). @throws InputFault for neither, or outside the tape */
export function tapeStart(field: string, text: string | undefined, { from, to }: TapeManifest): EpochMs {
  if (text === undefined) return from;
  const time = lastTimeOfDay(text, to) ?? parseTime(field, text);
  if (time >= from && time <= to) return column.time(time);
  throw new InputFault(field, text, `a time between ${formatTime(from)} and ${formatTime(to)}, where the tape is`);
}

function lastTimeOfDay(text: string, to: EpochMs): number | undefined {
  const [match, hours = '', minutes = '', seconds = '', rest = ''] = TIME_OF_DAY.exec(text) ?? [];
  if (match === undefined) return undefined;
  const within = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest.padEnd(3, '0'));
  const sameDay = Math.floor(to / DAY_MS) * DAY_MS + within;
  return sameDay <= to ? sameDay : sameDay - DAY_MS;
}
