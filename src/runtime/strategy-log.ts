/** Logs of strategies, with limits on length and number of lines, so that a strategy cannot fill the disk. */
import type { LogFields, LogLevel, StrategyLog } from '../strategy/index.ts';

export interface StrategyLogLine {
  readonly level: LogLevel;
  readonly text: string;
  readonly fields: LogFields;
}

/** The strategy instance of a log line. `market` is its slug if the instance has a single market. */
export interface LogSource {
  readonly strategy: string;
  readonly market?: string;
}

export interface StrategyLogOptions {
  /** Time for the rate limit, ms; simulated in a backtest. */
  readonly now: () => number;
  readonly write: (line: StrategyLogLine) => void;
  /** Maximum number of lines per run. Default: no limit. */
  readonly maxLines?: number;
}

/** Maximum number of lines per second. The next line reports the number of dropped lines. */
const PER_SECOND = 20;
const MAX_TEXT = 500;
const MAX_FIELDS = 16;
const MAX_VALUE = 200;

/** A log that drops every line, for replays. */
export const SILENT_LOG: StrategyLog = { info: () => {}, warn: () => {}, error: () => {} };

export function strategyLog({ now, write, maxLines = Number.POSITIVE_INFINITY }: StrategyLogOptions): StrategyLog {
  let second = Number.NaN;
  let inSecond = 0;
  let written = 0;
  let missing = 0;
  const log = (level: LogLevel, text: unknown, fields: unknown): void => {
    const present = Math.floor(now() / 1_000);
    if (present !== second) {
      second = present;
      inSecond = 0;
    }
    if (inSecond >= PER_SECOND || written > maxLines) {
      missing += 1;
      return;
    }
    inSecond += 1;
    written += 1;
    if (written > maxLines) {
      write({
        level: 'warn',
        text: `the strategy has logged ${maxLines} lines; the rest of this run is left out`,
        fields: {},
      });
      return;
    }
    if (missing > 0)
      write({ level: 'warn', text: `${missing} lines left out: at most ${PER_SECOND} a second`, fields: {} });
    missing = 0;
    write({ level, text: cut(String(text), MAX_TEXT), fields: boundedFields(fields) });
  };
  return {
    info: (text, fields) => log('info', text, fields),
    warn: (text, fields) => log('warn', text, fields),
    error: (text, fields) => log('error', text, fields),
  };
}

/** Strategies run without a type check, so other values than numbers, strings and booleans become a description. */
function boundedFields(fields: unknown): LogFields {
  if (typeof fields !== 'object' || fields === null) return fields === undefined ? {} : { fields: bounded(fields) };
  const entries = Object.entries(fields).slice(0, MAX_FIELDS);
  return Object.fromEntries(entries.map(([name, value]) => [cut(name, MAX_VALUE), bounded(value)]));
}

function bounded(value: unknown): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value, MAX_VALUE);
  return typeof value === 'object' && value !== null ? 'an object' : cut(String(value), MAX_VALUE);
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
