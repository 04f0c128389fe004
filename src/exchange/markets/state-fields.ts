/** Lists, texts and what may be undefined, in a state's sequence of numbers and texts. */
import { Fault } from '../../domain/index.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';

/** A count and the entries. */
export function list<T>(
  writer: StateWriter,
  entries: readonly T[],
  write: (writer: StateWriter, entry: T) => void,
): void {
  writer.number(entries.length);
  for (const entry of entries) write(writer, entry);
}

/** What `list` wrote. */
export function listOf<T>(reader: StateReader, read: (reader: StateReader) => T): T[] {
  const entries: T[] = [];
  for (let left = reader.number(); left > 0; left -= 1) entries.push(read(reader));
  return entries;
}

/** 0 for undefined, or 1 and the number. */
export function optionalNumber(writer: StateWriter, value: number | undefined): void {
  writer.number(value === undefined ? 0 : 1);
  if (value !== undefined) writer.number(value);
}

/** What `optionalNumber` wrote. */
export function numberOr<T>(reader: StateReader, brand: (value: number) => T): T | undefined {
  return reader.number() === 0 ? undefined : brand(reader.number());
}

/** 0 for undefined, or 1 and the text. */
export function optionalText(writer: StateWriter, value: string | undefined): void {
  writer.number(value === undefined ? 0 : 1);
  if (value !== undefined) writer.text(value);
}

/** What `optionalText` wrote. */
export function textOr(reader: StateReader): string | undefined {
  return reader.number() === 0 ? undefined : reader.text();
}

/** A text as an entry of `list`. */
export function writeText(writer: StateWriter, value: string): void {
  writer.text(value);
}

/** A text as an entry of `listOf`. */
export function readText(reader: StateReader): string {
  return reader.text();
}

/** The value at an index of its list, as it was written. @throws Fault when the list has no such index */
export function entryOf<T>(words: readonly T[], place: number, what: string): T {
  for (const [at, word] of words.entries()) if (at === place) return word;
  throw new Fault('SNAPSHOT', `${place} is no ${what} in this snapshot`);
}
