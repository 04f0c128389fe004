import { Fault } from '../../domain/index.ts';

/** Where the server tells what clients may not know. A pino logger is one. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What an exchange that ended tells everybody who asks; its end itself was logged, with all there is to know. */
const OF_AN_END: ReadonlySet<string> = new Set(['DESK_STOPPED', 'DESK_CLOSED']);

/** An error for the log: with its stack, unless a great many have the same one. */
export function logged(error: unknown): object {
  return error instanceof Fault && OF_AN_END.has(error.code)
    ? { code: error.code, problem: error.message }
    : { err: error };
}
