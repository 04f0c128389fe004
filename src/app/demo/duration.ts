import { type DurationMs, durationMs, InputFault } from '../../domain/index.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const MOST_MS = 86_400_000;

/** `30s`, `1.5m`, `500ms` of the wall clock, at most a day; **up** to a millisecond. @throws InputFault naming the option */
export function parseDuration(option: string, text: string): DurationMs {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Math.ceil(Number(number) * (UNITS[unit] ?? Number.NaN));
  if (!(ms > 0 && ms <= MOST_MS)) {
    throw new InputFault(option, text, 'a time with its unit, above 0 and at most a day: 30s, 5m, 1h');
  }
  return durationMs(ms);
}
