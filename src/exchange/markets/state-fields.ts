/** Writers and readers for the fields of a state. */
import { Fault } from '../../domain/index.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';

/** Writes a value and reads it back. */
export interface Field<T, Read extends T = T> {
  readonly write: (writer: StateWriter, value: T) => void;
  readonly read: (reader: StateReader) => Read;
}

/** Any text. */
export const TEXT: Field<string> = {
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text(),
};

export const NUMBER = numberOf((value) => value);

/** 0 or 1. */
export const FLAG: Field<boolean> = {
  write: (writer, value) => writer.number(value ? 1 : 0),
  read: (reader) => reader.number() !== 0,
};

/** A number with a unit. */
export function numberOf<T extends number>(brand: (value: number) => T): Field<T> {
  return { write: (writer, value) => writer.number(value), read: (reader) => brand(reader.number()) };
}

/** A text with a branded type. */
export function textOf<T extends string>(brand: (value: string) => T): Field<T> {
  return { write: (writer, value) => writer.text(value), read: (reader) => brand(reader.text()) };
}

/** 0 for undefined, or 1 and the value. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return {
    write: (writer, value) => {
      writer.number(value === undefined ? 0 : 1);
      if (value !== undefined) field.write(writer, value);
    },
    read: (reader) => (reader.number() === 0 ? undefined : field.read(reader)),
  };
}

/** The number of entries, and each entry. */
export function listOf<T>(field: Field<T>): Field<readonly T[], T[]> {
  return {
    write: (writer, entries) => {
      writer.number(entries.length);
      for (const entry of entries) field.write(writer, entry);
    },
    read: (reader) => Array.from({ length: reader.number() }, () => field.read(reader)),
  };
}

/** The index of a value in a list. @param what names the value in a fault */
export function codeIn<T>(values: readonly T[], what: string): Field<T> {
  return {
    write: (writer, value) => writer.number(values.indexOf(value)),
    read: (reader) => entryOf(values, reader.number(), what),
  };
}

/** The index of a value in a list, -1 for null. */
export function codeOrNull<T>(values: readonly T[], what: string): Field<T | null> {
  return {
    write: (writer, value) => writer.number(value === null ? -1 : values.indexOf(value)),
    read: (reader) => {
      const place = reader.number();
      return place < 0 ? null : entryOf(values, place, what);
    },
  };
}

/** The members of an object, in the order of `fields`. */
export function membersOf<T extends object>(fields: { readonly [Name in keyof T]-?: Field<T[Name]> }): Field<T> {
  return {
    write: (writer, value) => {
      for (const name in fields) fields[name].write(writer, value[name]);
    },
    read: (reader) => {
      const members = Object.keys(fields).map((name) => [name, Reflect.get(fields, name).read(reader)]);
      return Object.fromEntries(members);
    },
  };
}

/** Returns the value at an index. @throws Fault if the list has no such index */
export function entryOf<T>(values: readonly T[], place: number, what: string): T {
  for (const [at, value] of values.entries()) if (at === place) return value;
  throw new Fault('SNAPSHOT', `${place} is not a valid ${what} in this snapshot`);
}
