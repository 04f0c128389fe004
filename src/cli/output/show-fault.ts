/** What a user is told when something fails, and the exit code that goes with it. */
import { z } from 'zod';
import { ConfigFault, excerpt } from '../../config/config-fault.ts';
import { Fault, FileFault, InputFault, StrategyFault, thrownText } from '../../domain/index.ts';
import { PACKAGE_URL } from '../../package-files.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';

export interface ShownFault {
  /** Whole lines. */
  readonly text: string;
  readonly exitCode: ExitCode;
}

/** @param debug adds the stack where it would be left out: a user's mistake needs none */
export function showFault(error: unknown, debug: boolean): ShownFault {
  const exitCode = exitCodeOf(error);
  if (exitCode === EXIT.internal) {
    const stack = error instanceof Error ? stackOf(error) : thrownText(error);
    return {
      exitCode,
      text: `internal error: ${stack}\nThis is a fault of halfspread. Please report it with the lines above.\n`,
    };
  }
  const message = messageOf(error);
  const place = error instanceof ConfigFault && error.place !== undefined ? excerpt(error.place) : '';
  const strategy = exitCode === EXIT.strategy ? strategyDetail(error) : '';
  const stack = debug && error instanceof Error ? `${stackOf(error)}\n` : '';
  return { exitCode, text: `error: ${message}\n${place}${strategy}${stack}` };
}

/**
 * What is told of an error that nobody caught: a timer or a promise of a strategy, as commands catch their own. A stack that
 * leads through halfspread alone is an internal error; one that leads through no file blames nobody.
 * @param debug adds the stack where it would be left out
 */
export function strayError(error: unknown, debug: boolean): ShownFault {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const files = stack.match(/file:\/\/[^\s)]+/g) ?? [];
  if (files.length > 0 && files.every((file) => file.startsWith(PACKAGE_URL))) return showFault(error, debug);
  const isNowhere = error instanceof Error && files.length === 0;
  const whence = isNowhere
    ? 'Nothing says where it came from: a timer or a promise that a strategy left behind, this machine, or halfspread itself. '
    : 'It came of a timer or a promise that the strategy left behind; ';
  const advice =
    'a strategy works in its handlers only: use timers of the strategy instead of setTimeout, and no promises';
  return {
    exitCode: isNowhere ? EXIT.internal : EXIT.strategy,
    text:
      `error: an error that nobody caught ended the run: ${thrownText(error)}${placeOf(files)}. ` +
      `${whence}${isNowhere ? 'Please report it with the lines below' : advice}\n` +
      ((debug || isNowhere) && stack !== '' ? `${stack}\n` : ''),
  };
}

/** Only the options of a command come here as zod sees them: all else was put into words before. */
function messageOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; ');
  return error instanceof Error ? error.message : thrownText(error);
}

/** Codes of faults that users can do something about, and what they are about. */
const BY_CODE: ReadonlyMap<string, ExitCode> = new Map([
  ...['PRIVATE_KEY', 'KEYSTORE', 'KEYSTORE_PASSWORD', 'CONTROL_INPUT', 'INSTALL'].map(
    (code) => [code, EXIT.usage] as const,
  ),
  ...[
    ...['LINK', 'BLOCKED', 'REFUSED', 'VENUE', 'UNAUTHORIZED', 'LOGIN', 'SIGNING', 'API_KEY', 'HEARTBEAT'],
    ...['RECONCILE', 'TICK_CHANGED', 'CONTROL', 'NO_BOT', 'WATCHDOG', 'CLOCK_SKEW', 'STOPPED', 'NOT_VERIFIED'],
  ].map((code) => [code, EXIT.venue] as const),
  ...[
    ...['STORE_CLOSED', 'REGISTRY', 'SNAPSHOT', 'STATE_VERSION', 'ARCHIVE_DIVERGED'],
    ...['JOURNAL', 'JOURNAL_BYTES', 'JOURNAL_CLOSED', 'JOURNAL_DIVERGED', 'JOURNAL_GONE', 'JOURNAL_LOST'],
  ].map((code) => [code, EXIT.data] as const),
]);

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof StrategyFault || (error instanceof Fault && error.code === 'STRATEGY')) return EXIT.strategy;
  if (error instanceof FileFault) return EXIT.data;
  if (error instanceof ConfigFault || error instanceof InputFault || error instanceof z.ZodError) return EXIT.usage;
  if (error instanceof Fault && error.code === 'ABORTED') return EXIT.interrupted;
  return error instanceof Fault ? (BY_CODE.get(error.code) ?? EXIT.internal) : EXIT.internal;
}

/** The event that caused it, where one did, and the stack into the user's own file. */
function strategyDetail(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const thrown = cause instanceof Error ? stackOf(cause) : `thrown: ${thrownText(cause)}`;
  if (!(error instanceof StrategyFault)) return `${thrown}\n`;
  const { event, row } = error.failure;
  return `event: ${event === undefined ? `market row ${row}` : JSON.stringify(event)}\n${thrown}\n`;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

/** The first place in a file that is not halfspread's own. */
function placeOf(files: readonly string[]): string {
  const place = files.find((file) => !file.startsWith(PACKAGE_URL));
  return place === undefined ? '' : ` (${place})`;
}
