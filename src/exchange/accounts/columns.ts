/** Typed columns that grow. */

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
