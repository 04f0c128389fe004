/** Exit codes. Scripts rely on them, and docs/cli.md is generated from this list. */
import { z } from 'zod';
import { ConfigFault } from '../config/config-fault.ts';
import { Fault, FileFault, InputFault, StrategyFault } from '../domain/index.ts';

const SIGNALS = { interrupted: 130, terminated: 143 } as const;
/** `replay` reports a difference with the code of internal errors. */
export const EXIT = { ok: 0, internal: 1, differs: 1, usage: 2, data: 3, strategy: 4, venue: 5, ...SIGNALS } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'The command succeeded.',
  internal: 'An internal error of halfspread, such as a broken invariant. The stack is printed.',
  differs:
    'No error: `replay` found a step that differs, and printed it on standard output. An internal error prints only to standard error.',
  usage:
    "The command line, a configuration file, the name of a strategy, a parameter, a stored state or the version of Node is wrong. Or the heap is too small, a port is in use, a signing library gives a wrong signature, a venue refused an operator's command or an example market of `--seed`, or every trial of a study failed.",
  data: 'A file cannot be read or written, or is missing, truncated or damaged: a tape, a recording, the source of a strategy, a database.',
  strategy: 'A strategy threw. Every order was cancelled. The stack and the event that caused it are printed.',
  venue:
    'A venue or a Redis cannot be reached, is not a venue, refuses a request or the login. Or the clock of this machine is wrong. Or orders and holdings of bot and venue disagree. Or a bot was stopped and the venue did not confirm that no order is open. Every order was cancelled as far as possible.',
  interrupted:
    'Interrupted by SIGINT (Ctrl+C). Every order was cancelled, no report was written. (`run` ends with 0 when the venue has confirmed that none of its orders is open, as a signal is the normal way to end it.) An unfinished tape remains as `.tape.partial`: delete it. A venue answered its pending requests and closed its database.',
  terminated: 'Terminated by SIGTERM, with the same effects.',
};

/** Codes of faults that users can correct, by exit code. */
const FAULT_CODES: readonly (readonly [ExitCode, readonly string[]])[] = [
  [EXIT.usage, ['PRIVATE_KEY', 'KEYSTORE', 'KEYSTORE_PASSWORD', 'CONTROL_INPUT', 'INSTALL', 'STATE', 'SQL', 'DUCKDB']],
  [EXIT.usage, ['TRIALS', 'REPLAY', 'SEED', 'PORT', 'SIGNING_BACKEND']],
  [EXIT.venue, ['LINK', 'BLOCKED', 'REFUSED', 'VENUE', 'UNAUTHORIZED', 'LOGIN', 'SIGNING', 'API_KEY', 'HEARTBEAT']],
  [EXIT.venue, ['REDIS', 'RECONCILE', 'TICK_CHANGED', 'CONTROL', 'NO_BOT', 'WATCHDOG', 'CLOCK_SKEW', 'STOPPED']],
  [EXIT.venue, ['NOT_VERIFIED', 'CLOCK_AHEAD']],
  [EXIT.data, ['FILE', 'STORE_CLOSED', 'REGISTRY', 'SNAPSHOT', 'STATE_VERSION', 'ARCHIVE_DIVERGED', 'JOURNAL']],
  [EXIT.data, ['JOURNAL_BYTES', 'JOURNAL_CLOSED', 'JOURNAL_DIVERGED', 'JOURNAL_GONE', 'JOURNAL_LOST']],
];

/** Returns the first of joined errors, such as the fault of a run whose cancels failed too; else the error itself. */
export function firstError(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? firstError(error.errors[0]) : error;
}

export function toExitCode(thrown: unknown): ExitCode {
  const error = firstError(thrown);
  if (error instanceof StrategyFault || (error instanceof Fault && error.code === 'STRATEGY')) return EXIT.strategy;
  if (error instanceof FileFault) return EXIT.data;
  if (error instanceof ConfigFault || error instanceof InputFault || error instanceof z.ZodError) return EXIT.usage;
  if (!(error instanceof Fault)) return EXIT.internal;
  if (error.code === 'ABORTED') return EXIT.interrupted;
  return FAULT_CODES.find(([, codes]) => codes.includes(error.code))?.[0] ?? EXIT.internal;
}
