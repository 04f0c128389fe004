export interface FaultOptions {
  readonly cause?: unknown;
  /** Whether the same call may succeed later without a change by the user. Default false. */
  readonly retryable?: boolean;
}

/**
 * Base class of all faults: problems outside of the program, such as input, files and venues. Refusals are values, not
 * faults. The code is stable. The message names the problem, its place and a remedy.
 */
export class Fault extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** `received` of an `InputFault` whose message does not show a value, such as that of an unknown key. */
export const NOT_SHOWN: unique symbol = Symbol('not shown');

/** A value from the outside is invalid. */
export class InputFault extends Fault {
  readonly field: string;
  readonly received: unknown;
  readonly expected: string;

  constructor(field: string, received: unknown, expected: string, options: FaultOptions = {}) {
    const found = received === undefined ? ', but it is missing' : `, got ${formatReceived(received)}`;
    super(
      'INPUT',
      `${field === '' ? '' : `${field}: `}expected ${expected}${received === NOT_SHOWN ? '' : found}`,
      options,
    );
    this.name = 'InputFault';
    this.field = field;
    this.received = received;
    this.expected = expected;
  }
}

/** A file cannot be used. `where` is a line, a byte offset or a field in the file. `problem` excludes the remedy. */
export class FileFault extends Fault {
  readonly file: string;
  readonly where: string | undefined;
  readonly problem: string;

  constructor(file: string, where: string | undefined, problem: string, remedy: string, options: FaultOptions = {}) {
    super('FILE', `${file}${where === undefined ? '' : `, ${where}`}: ${problem}. ${remedy}`, options);
    this.name = 'FileFault';
    this.file = file;
    this.where = where;
    this.problem = problem;
  }
}

/** Returns a thrown error's message, or any other thrown value as text. */
export function errorMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns a thrown value as an Error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns a thrown value as text: a fault's message, or another error's name and message. Never throws. */
export function thrownText(cause: unknown): string {
  try {
    if (cause instanceof Fault) return cause.message;
    return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  } catch {
    return 'a value without a text';
  }
}

/** Describes a frequent error of the file system. Returns undefined for any other error. */
export function pathProblem(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause ? PATH_PROBLEMS.get(cause.code) : undefined;
}

/** Returns `read()`. @throws FileFault with this remedy if `read` fails */
export function withReadFault<T>(path: string, remedy: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof FileFault) throw cause;
    const problem = pathProblem(cause) ?? `it cannot be read (${thrownText(cause)})`;
    throw new FileFault(path, undefined, problem, remedy, { cause });
  }
}

const PATH_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['ENOTDIR', 'a part of the path before the last is a file, not a folder'],
  ['EISDIR', 'this is a folder, not a file'],
  ['EACCES', 'this user may not read it'],
  ['ESPIPE', 'this is a pipe, not a file'],
]);

function formatReceived(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return String(value);
}
