/** Typed columns that grow, and fields that hold large numbers. */
import { InputFault } from '../../domain/index.ts';

/**
 * First value of a field that will hold numbers above 2^31. V8 stores small integers and floats differently: when a field
 * changes from one to the other, V8 gives its objects another shape and discards the code compiled for the old one.
 */
export const AS_FLOAT = 0.5;

/** Returns the length of columns for `capacity` entries and number 0: a power of two. */
export function columnLength(capacity: number): number {
  return 2 << (31 - Math.clz32(capacity));
}

/** Returns the power of two above `highest`. @throws InputFault unless it is 1 … `end - 1` */
export function lengthFor(name: string, highest: number, end: number): number {
  if (!Number.isInteger(highest) || highest < 1 || highest >= end) {
    throw new InputFault(name, highest, `an integer from 1 to ${end - 1}`);
  }
  return columnLength(highest);
}

/** Returns a longer copy of a column. */
export function floats(column: Float64Array, length: number): Float64Array {
  const grown = new Float64Array(length);
  grown.set(column);
  return grown;
}

export function ints(column: Int32Array, length: number): Int32Array {
  const grown = new Int32Array(length);
  grown.set(column);
  return grown;
}

export function flags(column: Uint8Array, length: number): Uint8Array {
  const grown = new Uint8Array(length);
  grown.set(column);
  return grown;
}
