import { Fault } from '../domain/index.ts';

/** A place in a text file, counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The whole line, for showing. */
  readonly text: string;
}

/** A configuration file says something that cannot be. The message begins with file:line:column. */
export class ConfigFault extends Fault {
  readonly place: Place | undefined;

  constructor(where: Place | string, problem: string, options: { readonly cause?: unknown } = {}) {
    const place = typeof where === 'string' ? undefined : where;
    super(
      'CONFIG',
      `${place === undefined ? where : `${place.file}:${place.line}:${place.column}`}: ${problem}`,
      options,
    );
    this.name = 'ConfigFault';
    this.place = place;
  }
}

/** The line with a mark under the column, for a terminal. */
export function excerpt({ line, column, text }: Place): string {
  const number = String(line);
  return `  ${number} | ${text}\n  ${' '.repeat(number.length)} | ${' '.repeat(column - 1)}^\n`;
}
