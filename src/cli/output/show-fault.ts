/** Error messages for users, with their exit codes. */
import { z } from 'zod';
import { ConfigFault, excerpt } from '../../config/config-fault.ts';
import { StrategyFault, thrownText } from '../../domain/index.ts';
import { PACKAGE_URL } from '../../package-files.ts';
import { EXIT, type ExitCode, firstError, toExitCode } from '../exit-code.ts';

export interface ShownFault {
  /** Complete lines. */
  readonly text: string;
  readonly exitCode: ExitCode;
}

interface ShowOptions {
  /** Whether to add the stack to all errors, also to those that users can correct. Default false. */
  readonly showsStack?: boolean;
}

export function showFault(error: unknown, { showsStack = false }: ShowOptions = {}): ShownFault {
  const exitCode = toExitCode(error);
  if (exitCode === EXIT.internal) {
    const stack = error instanceof Error ? stackText(error) : thrownText(error);
    const request = 'This is a fault of halfspread. Please report it with the lines above.';
    return { exitCode, text: `internal error: ${stack}\n${request}\n` };
  }
  const message = messageText(error);
  const first = firstError(error);
  const place = first instanceof ConfigFault && first.place !== undefined ? excerpt(first.place) : '';
  const strategy = exitCode === EXIT.strategy ? strategyDetail(first) : '';
  const stack = showsStack && error instanceof Error ? `${stackText(error)}\n` : '';
  return { exitCode, text: `error: ${message}\n${place}${strategy}${stack}` };
}

/**
 * Describes an uncaught error. If the stack has files outside halfspread, the error comes from a strategy's timer or
 * promise, because commands catch their own errors. If the stack has no files, the origin is unknown.
 */
export function showUncaughtError(error: unknown, { showsStack = false }: ShowOptions = {}): ShownFault {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const files = stack.match(/file:\/\/[^\s)]+/g) ?? [];
  const outside = files.find((file) => !file.startsWith(PACKAGE_URL));
  if (files.length > 0 && outside === undefined) return showFault(error, { showsStack });
  const hasNoFiles = error instanceof Error && files.length === 0;
  const origin = hasNoFiles
    ? 'Its origin is unknown: a timer or promise of a strategy, this machine, or halfspread itself. '
    : 'It comes from a timer or promise of the strategy. ';
  const advice = 'Work only in handlers: use timers of the strategy instead of setTimeout, and no promises';
  return {
    exitCode: hasNoFiles ? EXIT.internal : EXIT.strategy,
    text:
      `error: an uncaught error ended the run: ${thrownText(error)}${outside === undefined ? '' : ` (${outside})`}. ` +
      `${origin}${hasNoFiles ? 'Please report it with the lines below' : advice}\n` +
      ((showsStack || hasNoFiles) && stack !== '' ? `${stack}\n` : ''),
  };
}

/** Returns the message. Zod errors are always about a command's options. */
function messageText(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `--${optionName(path)}: ${message}`).join('; ');
  return error instanceof Error ? error.message : thrownText(error);
}

/** Converts a path such as `['creditCents']` to the name of its option, `credit-cents`. */
function optionName(path: readonly PropertyKey[]): string {
  return path.join('.').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function strategyDetail(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const thrown = cause instanceof Error ? stackText(cause) : `thrown: ${thrownText(cause)}`;
  if (!(error instanceof StrategyFault)) return `${thrown}\n`;
  const { event, row } = error.failure;
  return `event: ${event === undefined ? `market row ${row}` : JSON.stringify(event)}\n${thrown}\n`;
}

/**
 * Returns the stacks of an error, its causes and the errors that it joins. Omits a schema error, because the message
 * already describes it.
 */
function stackText(error: Error): string {
  const { cause, stack = error.message } = error;
  const joined: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const causes = [cause, ...joined].flatMap((each) =>
    each instanceof Error && !(each instanceof z.ZodError) ? [`caused by ${stackText(each)}`] : [],
  );
  return [stack, ...causes].join('\n');
}
