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

/** Further lines of a second are dropped. The next written line reports how many. */
const MAX_LINES_PER_SECOND = 20;
const MAX_TEXT_LENGTH = 500;
const MAX_FIELDS = 16;
const MAX_FIELD_LENGTH = 200;

/** A log that drops every line, for replays. */
export const SILENT_LOG: StrategyLog = { info: () => {}, warn: () => {}, error: () => {} };

export function createStrategyLog({ now, write, maxLines = Infinity }: StrategyLogOptions): StrategyLog {
  let second = Number.NaN;
  let linesInSecond = 0;
  let written = 0;
  let dropped = 0;
  const log = (level: LogLevel, text: unknown, fields: unknown): void => {
    const currentSecond = Math.floor(now() / 1_000);
    if (currentSecond !== second) {
      second = currentSecond;
      linesInSecond = 0;
    }
    if (linesInSecond >= MAX_LINES_PER_SECOND || written > maxLines) {
      dropped += 1;
      return;
    }
    linesInSecond += 1;
    written += 1;
    const warn = (warning: string) => write({ level: 'warn', text: warning, fields: {} });
    if (written > maxLines) {
      warn(`the strategy has logged ${maxLines} lines; the rest of this run is left out`);
      return;
    }
    if (dropped > 0) warn(`${dropped} lines left out: at most ${MAX_LINES_PER_SECOND} a second`);
    dropped = 0;
    write({ level, text: truncate(String(text), MAX_TEXT_LENGTH), fields: limitFields(fields) });
  };
  return {
    info: (text, fields) => log('info', text, fields),
    warn: (text, fields) => log('warn', text, fields),
    error: (text, fields) => log('error', text, fields),
  };
}

/** Describes values other than numbers, strings and booleans, because strategies run without a type check. */
function limitFields(fields: unknown): LogFields {
  if (typeof fields !== 'object' || fields === null) return fields === undefined ? {} : { fields: limitValue(fields) };
  const entries = Object.entries(fields).slice(0, MAX_FIELDS);
  return Object.fromEntries(entries.map(([name, value]) => [truncate(name, MAX_FIELD_LENGTH), limitValue(value)]));
}

function limitValue(value: unknown): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return truncate(value, MAX_FIELD_LENGTH);
  return typeof value === 'object' && value !== null ? 'an object' : truncate(String(value), MAX_FIELD_LENGTH);
}

function truncate(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
