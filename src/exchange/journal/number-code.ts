/**
 * Numbers as bytes: small ones short, all of them exact.
 *
 * HOT: a snapshot holds millions of numbers, a journal some ten a command; about 5 ns each way (bench/journal.ts).
 *
 * Code: 0 … 239 is itself. 240 + n: a positive integer in n + 1 bytes follows (n = 0 … 6), 247 + n: a negative one, its
 * distance from zero. 254: a float64 follows, for all that is no safe integer (negative zero too). Little-endian; the
 * shortest form is the only one that is written.
 */

/** No number takes more bytes. */
export const MOST_NUMBER_BYTES = 9;
/** Whole numbers from 0 under it are one byte: themselves. */
export const SMALL_NUMBERS = 240;
const POSITIVE = 240;
const NEGATIVE = 247;
const FLOAT = 254;
const TWO_TO_32 = 4_294_967_296;

/** The code of a number, by its first byte: how many bytes it has in all. 0 for a byte that begins none. */
export function numberBytes(first: number): number {
  if (first < SMALL_NUMBERS) return 1;
  if (first < NEGATIVE) return first - POSITIVE + 2;
  if (first < FLOAT) return first - NEGATIVE + 2;
  return first === FLOAT ? MOST_NUMBER_BYTES : 0;
}

/**
 * Writes any number at `at`. There must be room for `MOST_NUMBER_BYTES`: bytes behind the number may be overwritten.
 * @returns where the next one begins
 */
export function putNumber(view: DataView, at: number, value: number): number {
  const small = value | 0;
  if (small === value && small >= 0 && small < SMALL_NUMBERS) {
    if (small === 0 && Object.is(value, -0)) return putFloat(view, at, value);
    view.setUint8(at, small);
    return at + 1;
  }
  if (!Number.isSafeInteger(value)) return putFloat(view, at, value);
  const size = value < 0 ? -value : value;
  const low = size >>> 0;
  const high = (size - low) / TWO_TO_32;
  const more = high === 0 ? 3 - (Math.clz32(low) >>> 3) : 7 - (Math.clz32(high) >>> 3);
  view.setUint8(at, (value < 0 ? NEGATIVE : POSITIVE) + more);
  view.setUint32(at + 1, low, true);
  if (high !== 0) view.setUint32(at + 5, high, true);
  return at + more + 2;
}

/**
 * The number that begins at `at` with the byte `first`, where `MOST_NUMBER_BYTES` can be read.
 * @param first not under 240, one that begins a number
 */
export function longNumber(view: DataView, at: number, first: number): number {
  if (first === FLOAT) return view.getFloat64(at + 1, true);
  const isNegative = first >= NEGATIVE;
  const bytes = first - (isNegative ? NEGATIVE : POSITIVE) + 1;
  // Read whole and cut: the bytes behind belong to somebody else.
  const low = view.getUint32(at + 1, true);
  let size = low;
  if (bytes < 4) size = low & ((1 << (bytes * 8)) - 1);
  else if (bytes > 4) size = low + (view.getUint32(at + 5, true) & highMask(bytes)) * TWO_TO_32;
  return isNegative ? -size : size;
}

/** The same where the bytes may end with the number. */
export function lastNumber(view: DataView, at: number, first: number): number {
  if (first === FLOAT) return view.getFloat64(at + 1, true);
  const isNegative = first >= NEGATIVE;
  let size = 0;
  for (let byte = first - (isNegative ? NEGATIVE : POSITIVE) + 1; byte > 0; byte--) {
    size = size * 256 + view.getUint8(at + byte);
  }
  return isNegative ? -size : size;
}

function highMask(bytes: number): number {
  return (1 << ((bytes - 4) * 8)) - 1;
}

function putFloat(view: DataView, at: number, value: number): number {
  view.setUint8(at, FLOAT);
  view.setFloat64(at + 1, value, true);
  return at + MOST_NUMBER_BYTES;
}
