/** Typed columns that grow, and limits and first values of fields. */
import { InputFault } from '../../domain/index.ts';

/** A `Map` throws when it gets more entries. */
export const MAX_MAP_ENTRIES = 1 << 24;

/**
 * First value of a field that will contain numbers above 2^31. V8 stores small integers and floats differently. When a
 * field changes from an integer to a float, V8 discards the compiled code that uses its objects.
 */
export const AS_FLOAT = 0.5;

/** Returns the length of columns for `capacity` entries and the unused number 0: a power of two. */
export function columnLength(capacity: number): number {
  return 2 << (31 - Math.clz32(capacity));
}

/** Returns the power of two above `highest`. @throws InputFault unless `highest` is 1 … `end - 1` */
export function checkedColumnLength(name: string, highest: number, end: number): number {
  if (!Number.isInteger(highest) || highest < 1 || highest >= end) {
    throw new InputFault(name, highest, `an integer from 1 to ${end - 1}`);
  }
  return columnLength(highest);
}

export function growFloats(column: Float64Array, length: number): Float64Array {
  const grown = new Float64Array(length);
  grown.set(column);
  return grown;
}

export function growInts(column: Int32Array, length: number): Int32Array {
  const grown = new Int32Array(length);
  grown.set(column);
  return grown;
}

export function growFlags(column: Uint8Array, length: number): Uint8Array {
  const grown = new Uint8Array(length);
  grown.set(column);
  return grown;
}
