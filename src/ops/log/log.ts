/** The log of a bot: lines of JSON, written with pino, without secrets. Terminals get readable lines. */
import { type Logger, pino } from 'pino';
import { isRecord } from '../../domain/index.ts';
import { escapeLine, tryParseJson } from '../../network/index.ts';
import type { Log } from '../../venues/base/index.ts';
import type { Redactor } from './redactor.ts';

export type { Log };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface LogOptions {
  readonly level: LogLevel;
  readonly redactor: Redactor;
  /** Receives complete lines. Must not throw, because an error in a timer or an error handler ends the process. */
  readonly write: (line: string) => void;
}

/** Creates a log. Each entry passes the redactor twice: as a value, and as a complete line. */
export function createLog({ level, redactor, write }: LogOptions): Logger {
  const redact = (fields: object): Record<string, unknown> => {
    const redacted = redactor.value(fields);
    return typeof redacted === 'object' && redacted !== null ? { ...redacted } : { value: redacted };
  };
  return pino(
    {
      level,
      base: null,
      formatters: { bindings: redact, log: redact },
      // `logMethod` has converted errors already.
      serializers: { err: (redacted: unknown) => redacted },
      hooks: {
        logMethod([first, ...rest], method) {
          const others = rest.map((each) => redactor.text(String(each)));
          if (typeof first !== 'object' || first === null) method.call(this, redactor.text(String(first)), ...others);
          // Also converts errors, because pino's own conversion does not redact secrets.
          else method.call(this, first instanceof Error ? { err: redactor.value(first) } : redact(first), ...others);
        },
      },
    },
    { write: (line) => write(redactor.text(line)) },
  );
}

const LEVELS: ReadonlyMap<unknown, string> = new Map([
  [20, 'debug '],
  [40, 'WARN '],
  [50, 'ERROR '],
  [60, 'FATAL '],
]);

/** Formats a JSON line as `10:28:59 trading  account=0x… markets=5` in UTC, with stacks below. Keeps other lines. */
export function readableLine(line: string): string {
  const fields = parseObject(line);
  if (fields === undefined) return line;
  const { level, time, msg, ...rest } = fields;
  const stacks: string[] = [];
  const parts = Object.entries(rest).map(([name, value]) => {
    const stack = stackText(value);
    if (stack !== undefined) stacks.push(stack);
    return stack === undefined ? escapeLine(`${name}=${valueText(value)}`) : '';
  });
  const head = `${clockText(time)} ${LEVELS.get(level) ?? ''}${escapeLine(String(msg ?? ''))}`;
  const fieldsText = parts.filter((text) => text !== '').join(' ');
  return [fieldsText === '' ? head : `${head}  ${fieldsText}`, ...stacks].map((text) => `${text}\n`).join('');
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  const value = tryParseJson(line);
  return isRecord(value) ? value : undefined;
}

function clockText(time: unknown): string {
  const moment = new Date(typeof time === 'number' ? time : Number.NaN);
  return Number.isNaN(moment.getTime()) ? '--:--:--' : moment.toISOString().slice(11, 19);
}

function stackText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('stack' in value)) return undefined;
  return String(value.stack)
    .split('\n')
    .map((line) => `    ${escapeLine(line)}`)
    .join('\n');
}

function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
