/** Typed columns that grow, and fields that hold large numbers. */

/**
 * What a field is given first that will hold more than 2^31, before its real first value. V8 keeps small integers and
 * floats apart: when a field turns from one into the other, its objects get another shape, all code compiled for the old
 * one is thrown away, and V8 never again trusts the fields that hold such an object to know its shape.
 */
export const AS_FLOAT = 0.5;

/** @returns the length of columns with room for `capacity` entries beside number 0: a power of two */
export function columnLength(capacity: number): number {
  return 2 << (31 - Math.clz32(capacity));
}

/** The same values in a column of another length. */
export function floats(column: Float64Array, length: number): Float64Array {
  const grown = new Float64Array(length);
  grown.set(column);
  return grown;
}

/** The same values in a column of another length. */
export function ints(column: Int32Array, length: number): Int32Array {
  const grown = new Int32Array(length);
  grown.set(column);
  return grown;
}

/** The same values in a column of another length. */
export function flags(column: Uint8Array, length: number): Uint8Array {
  const grown = new Uint8Array(length);
  grown.set(column);
  return grown;
}
