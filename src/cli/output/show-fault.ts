/** Error messages for users, with their exit codes. */
import { z } from 'zod';
import { ConfigFault, excerpt } from '../../config/config-fault.ts';
import { StrategyFault, thrownText } from '../../domain/index.ts';
import { PACKAGE_URL } from '../../package-files.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-code.ts';

export interface ShownFault {
  /** Complete lines. */
  readonly text: string;
  readonly exitCode: ExitCode;
}

/** @param debug adds the stack to errors that users can correct, too */
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
 * Describes an uncaught error. Commands catch their own errors, so it comes from a timer or promise of a strategy. A
 * stack with only files of halfspread is an internal error. A stack without files has an unknown origin.
 * @param debug adds the stack in all cases
 */
export function showUncaughtError(error: unknown, debug: boolean): ShownFault {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const files = stack.match(/file:\/\/[^\s)]+/g) ?? [];
  if (files.length > 0 && files.every((file) => file.startsWith(PACKAGE_URL))) return showFault(error, debug);
  const hasNoFiles = error instanceof Error && files.length === 0;
  const origin = hasNoFiles
    ? 'Its origin is unknown: a timer or promise of a strategy, this machine, or halfspread itself. '
    : 'It comes from a timer or promise of the strategy. ';
  const advice = 'Work only in handlers: use timers of the strategy instead of setTimeout, and no promises';
  return {
    exitCode: hasNoFiles ? EXIT.internal : EXIT.strategy,
    text:
      `error: an uncaught error ended the run: ${thrownText(error)}${placeOf(files)}. ` +
      `${origin}${hasNoFiles ? 'Please report it with the lines below' : advice}\n` +
      ((debug || hasNoFiles) && stack !== '' ? `${stack}\n` : ''),
  };
}

/** Returns the message. A Zod error is always about the options of a command. */
function messageOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `--${optionName(path)}: ${message}`).join('; ');
  return error instanceof Error ? error.message : thrownText(error);
}

/** Converts a member such as `creditCents` to the name of its option, `credit-cents`. */
function optionName(path: readonly PropertyKey[]): string {
  return path.join('.').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the event that caused the error, if known, and the stack of the error. */
function strategyDetail(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const thrown = cause instanceof Error ? stackOf(cause) : `thrown: ${thrownText(cause)}`;
  if (!(error instanceof StrategyFault)) return `${thrown}\n`;
  const { event, row } = error.failure;
  return `event: ${event === undefined ? `market row ${row}` : JSON.stringify(event)}\n${thrown}\n`;
}

/** Omits the stack of a schema error, because the fault above already names field and problem. */
function stackOf(error: Error): string {
  const { cause, stack = error.message } = error;
  return cause instanceof Error && !(cause instanceof z.ZodError) ? `${stack}\ncaused by ${stackOf(cause)}` : stack;
}

/** Returns the first place outside of halfspread. */
function placeOf(files: readonly string[]): string {
  const place = files.find((file) => !file.startsWith(PACKAGE_URL));
  return place === undefined ? '' : ` (${place})`;
}
