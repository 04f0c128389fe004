import { Fault } from '../domain/index.ts';

/** A place in a text file, counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The complete line. */
  readonly text: string;
}

/** An error in a configuration. The message begins with file:line:column. */
export class ConfigFault extends Fault {
  readonly place: Place | undefined;
  /** The message without the place. */
  readonly problem: string;

  constructor(source: Place | string, problem: string, options: { readonly cause?: unknown } = {}) {
    const where = typeof source === 'string' ? source : `${source.file}:${source.line}:${source.column}`;
    super('CONFIG', `${where}: ${problem}`, options);
    this.name = 'ConfigFault';
    this.place = typeof source === 'string' ? undefined : source;
    this.problem = problem;
  }
}

/** Longest part of a line in an excerpt, characters. */
const MAX_EXCERPT = 120;

/** Returns the line with a caret under the column, for a terminal. Cuts a long line to the part around the column. */
export function excerpt({ line, column, text }: Place): string {
  const lineNumber = String(line);
  const first = Math.max(0, Math.min(column - 1 - MAX_EXCERPT / 2, text.length - MAX_EXCERPT));
  const part = text.slice(first, first + MAX_EXCERPT).replace(/\p{Cc}/gu, ' ');
  // The column may be beyond the text if a placeholder hides the line.
  const at = Math.min(Math.max(column - 1 - first, 0), part.length);
  return `  ${lineNumber} | ${part}\n  ${' '.repeat(lineNumber.length)} | ${' '.repeat(at)}^\n`;
}
