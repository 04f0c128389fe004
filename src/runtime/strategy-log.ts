/** Logs of strategies, with limits on length and number of lines, so that a strategy cannot fill the disk. */
import type { LogFields, LogLevel, StrategyLog } from '../strategy/index.ts';

export interface StrategyLogLine {
  readonly level: LogLevel;
  readonly text: string;
  readonly fields: LogFields;
}

export interface LogSource {
  readonly strategy: string;
  /** Slug of the market; absent for an instance with several markets. */
  readonly market?: string;
}

export interface StrategyLogOptions {
  /** Returns the time for the rate limit, ms; simulated in a backtest. */
  readonly now: () => number;
  readonly write: (line: StrategyLogLine) => void;
  /** Maximum number of lines per run. Default: no limit. */
  readonly maxLines?: number;
}

/** Maximum number of lines per second. The next written line reports how many were dropped. */
const PER_SECOND = 20;
/** Maximum numbers of characters of a text, of fields, and of characters of a field. */
const MAX_TEXT = 500;
const MAX_FIELDS = 16;
const MAX_VALUE = 200;

/** A log that drops every line, for replays. */
export const SILENT_LOG: StrategyLog = { info: () => {}, warn: () => {}, error: () => {} };

export function createStrategyLog({ now, write, maxLines = Infinity }: StrategyLogOptions): StrategyLog {
  let second = Number.NaN;
  let inSecond = 0;
  let written = 0;
  let dropped = 0;
  const log = (level: LogLevel, text: unknown, fields: unknown): void => {
    const currentSecond = Math.floor(now() / 1_000);
    if (currentSecond !== second) {
      second = currentSecond;
      inSecond = 0;
    }
    if (inSecond >= PER_SECOND || written > maxLines) {
      dropped += 1;
      return;
    }
    inSecond += 1;
    written += 1;
    const warn = (warning: string) => write({ level: 'warn', text: warning, fields: {} });
    if (written > maxLines) {
      warn(`the strategy has logged ${maxLines} lines; the rest of this run is left out`);
      return;
    }
    if (dropped > 0) warn(`${dropped} lines left out: at most ${PER_SECOND} a second`);
    dropped = 0;
    write({ level, text: truncate(String(text), MAX_TEXT), fields: limitFields(fields) });
  };
  return {
    info: (text, fields) => log('info', text, fields),
    warn: (text, fields) => log('warn', text, fields),
    error: (text, fields) => log('error', text, fields),
  };
}

/** Replaces values other than numbers, strings and booleans by a description, as strategies run without a type check. */
function limitFields(fields: unknown): LogFields {
  if (typeof fields !== 'object' || fields === null) return fields === undefined ? {} : { fields: limitValue(fields) };
  const entries = Object.entries(fields).slice(0, MAX_FIELDS);
  return Object.fromEntries(entries.map(([name, value]) => [truncate(name, MAX_VALUE), limitValue(value)]));
}

function limitValue(value: unknown): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return truncate(value, MAX_VALUE);
  return typeof value === 'object' && value !== null ? 'an object' : truncate(String(value), MAX_VALUE);
}

function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
