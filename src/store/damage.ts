/** How readers of a database report damage: one kind of fault, whatever found it. */
import { FileFault } from '../domain/index.ts';

/** What to do about a damaged database. */
export function damageRemedy(file: string): string {
  return `Put back a good copy of the file. \`npx halfspread journal check ${file}\` lists what is damaged`;
}

/** @param where a table and row, a record, an entry @param problem what is wrong with it */
export function damaged(file: string, where: string | undefined, problem: string, cause?: unknown): FileFault {
  return new FileFault(file, where, problem, damageRemedy(file), cause === undefined ? {} : { cause });
}
