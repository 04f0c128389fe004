/** The log of a bot: lines of JSON, written with pino, without secrets. */
import { type Logger, pino } from 'pino';
import type { Log } from '../../venues/base/index.ts';
import type { Redactor } from './redactor.ts';

export type { Log };

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly redactor: Redactor;
  /** Receives complete lines. */
  readonly write: (line: string) => void;
}

/** Each log entry passes the redactor twice: as a value, and as a complete line. */
export function createLog({ level, redactor, write }: LogOptions): Logger {
  const members = (fields: object): Record<string, unknown> => {
    const shown = redactor.value(fields);
    return typeof shown === 'object' && shown !== null ? { ...shown } : { value: shown };
  };
  return pino(
    {
      level,
      base: null,
      formatters: { bindings: members, log: members },
      // `logMethod` has converted errors already.
      serializers: { err: (shown: unknown) => shown },
      hooks: {
        logMethod([first, ...rest], method) {
          const shown = typeof first === 'object' && first !== null ? plain(first) : redactor.text(String(first));
          method.call(
            this,
            shown,
            ...rest.map((each) => redactor.text(typeof each === 'string' ? each : String(each))),
          );
        },
      },
    },
    { write: (line) => write(redactor.text(line)) },
  );

  /** Converts errors, too: pino's own conversion does not redact secrets. */
  function plain(fields: object): object {
    return fields instanceof Error ? { err: redactor.value(fields) } : members(fields);
  }
}
