/**
 * Integers as byte planes: all lowest bytes, then all second bytes, and so on, as many planes as the largest value
 * needs. Byte planes compress better and faster than whole words.
 *
 * HOT: every stored row is decoded here, in a separate loop for each width, 0.5 to 1.6 ns a row (bench/replay.ts).
 */

/** Maximum number of planes of one column, for integers below 2^48. */
export const MAX_PLANES = 6;

const BYTE = 256;

/** Returns the number of planes for integers up to `largest`; undefined above `MAX_PLANES`. */
export function planesFor(largest: number): number | undefined {
  let planes = 0;
  for (let rest = largest; rest >= 1; rest = Math.floor(rest / BYTE)) planes += 1;
  return planes <= MAX_PLANES ? planes : undefined;
}

/** One column of an encoded block, whose planes begin at `at`. */
interface Column {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly planes: number;
  /** Added to each integer. */
  readonly base: number;
  readonly rows: number;
}

export function writePlanes(values: Float64Array, planes: number, bytes: Uint8Array, at: number): void {
  const rows = values.length;
  for (let row = 0; row < rows; row += 1) {
    let rest = values[row]!;
    for (let plane = 0; plane < planes; plane += 1) {
      const high = Math.floor(rest / BYTE);
      bytes[at + plane * rows + row] = rest - high * BYTE;
      rest = high;
    }
  }
}

/** Sets `out[row] = base + integer`. */
export function readWords({ bytes, at, planes, base, rows }: Column, out: Uint16Array): void {
  const high = at + rows;
  if (planes === 0) out.fill(base, 0, rows);
  else if (planes === 1) for (let row = 0; row < rows; row += 1) out[row] = base + bytes[at + row]!;
  else for (let row = 0; row < rows; row += 1) out[row] = base + (bytes[at + row]! | (bytes[high + row]! << 8));
}

/** Sets `out[row] = integer * scale`, without the base. */
export function readScaled(column: Column, scale: number, out: Float64Array): void {
  const { bytes, at, planes, rows } = column;
  const second = at + rows;
  const third = second + rows;
  if (planes === 0) out.fill(0, 0, rows);
  else if (planes === 1) for (let row = 0; row < rows; row += 1) out[row] = bytes[at + row]! * scale;
  else if (planes === 2) {
    for (let row = 0; row < rows; row += 1) out[row] = (bytes[at + row]! | (bytes[second + row]! << 8)) * scale;
  } else {
    for (let row = 0; row < rows; row += 1) {
      out[row] = (bytes[at + row]! | (bytes[second + row]! << 8) | (bytes[third + row]! << 16)) * scale;
    }
  }
  if (planes > 3) addHighPlanes(column, scale, out);
}

/** Adds the planes whose shift would reach the sign bit. Separate, so that V8 optimizes the short loops. */
function addHighPlanes({ bytes, at, planes, rows }: Column, scale: number, out: Float64Array): void {
  let weight = scale * 0x100_0000;
  for (let plane = 3, from = at + 3 * rows; plane < planes; plane += 1, from += rows, weight *= BYTE) {
    for (let row = 0; row < rows; row += 1) out[row] = out[row]! + bytes[from + row]! * weight;
  }
}

/** Sets `out[row] = out[row - 1] + base + integer`, with `start` before the first row. */
export function readSums(column: Column, start: number, out: Float64Array): void {
  const { bytes, at, planes, base, rows } = column;
  let sum = start;
  const second = at + rows;
  if (planes === 0) for (let row = 0; row < rows; row += 1) out[row] = sum += base;
  else if (planes === 1) for (let row = 0; row < rows; row += 1) out[row] = sum += base + bytes[at + row]!;
  else if (planes === 2) {
    for (let row = 0; row < rows; row += 1) out[row] = sum += base + (bytes[at + row]! | (bytes[second + row]! << 8));
  } else {
    readScaled(column, 1, out);
    for (let row = 0; row < rows; row += 1) out[row] = sum += base + out[row]!;
  }
}

/** Sets `out[row] = reference[row] + base + integer`. */
export function readOffsets(column: Column, reference: Float64Array, out: Float64Array): void {
  const { planes, base, rows } = column;
  if (planes === 0 && base === 0) {
    out.set(reference.subarray(0, rows));
    return;
  }
  readScaled(column, 1, out);
  for (let row = 0; row < rows; row += 1) out[row] = reference[row]! + base + out[row]!;
}
