/**
 * Encodes a block of rows as bytes, and decodes it. The file format (`history/`) adds compression and checksums.
 *
 * HOT: decoding makes one pass per column (planes.ts), or one `fill` for a constant column. Encoding is not hot.
 *
 * Layout, little-endian: rows (u32), first `tx` (f64), then the columns in the order of `Block`. Each column is: number
 * of planes (u8), base (f64), number of patches (u32), byte planes (planes.ts), patches (u32 row and f64 value each).
 * `tx` contains the steps from row to row, `rx` the differences `rx - tx`, and `shares` lots (2^53 micro-shares are 40
 * bits of lots). A patch is a value of `shares` that is not a whole number of lots: a delay in ms.
 */
import { LOT } from '../domain/index.ts';
import { type Block, KIND } from './block.ts';
import { MAX_PLANES, planesFor, readOffsets, readScaled, readSums, readWords, writePlanes } from './planes.ts';
import { checkMarkets, checkRows, checkSizes, LAST_TIME, MAX_TIME_DIFFERENCE_MS } from './row-rules.ts';

const HEAD_BYTES = 12;
const COLUMN_HEAD_BYTES = 13;
const PATCH_BYTES = 12;
const COLUMNS = 8;
const MAX_WORD = 65_535;
/** Lots with at most this many planes stay below 2^53 micro-shares. */
const SAFE_PLANES = 4;
/** Maximum number of byte planes: three columns have up to 6, two have up to 2, and three have 1. */
const MAX_ROW_PLANES = 25;

/** Number of bytes of a block without rows. */
export const MIN_BLOCK_BYTES = HEAD_BYTES + COLUMNS * COLUMN_HEAD_BYTES;

export function maxBlockBytes(rows: number): number {
  return MIN_BLOCK_BYTES + (MAX_ROW_PLANES + PATCH_BYTES) * rows;
}

export function encodeBlock(block: Block): Uint8Array {
  const { count, tx, rx, market, price } = block;
  const firstTime = tx[0] ?? 0;
  const values = new Float64Array(count);
  const head = new Uint8Array(HEAD_BYTES);
  new DataView(head.buffer).setUint32(0, count, true);
  new DataView(head.buffer).setFloat64(4, firstTime, true);
  const fillValues = (value: (row: number) => number): Float64Array => {
    for (let row = 0; row < count; row += 1) values[row] = value(row);
    return values;
  };
  return concatenate([
    head,
    encodeAboveBase(fillValues((row) => (row === 0 ? 0 : tx[row]! - tx[row - 1]!))),
    encodeAboveBase(fillValues((row) => rx[row]! - tx[row]!)),
    encodeAboveBase(fillValues((row) => market[row]!)),
    encodeBytes(block.kind.subarray(0, count)),
    encodeBytes(block.side.subarray(0, count)),
    encodeAboveBase(fillValues((row) => price[row]!)),
    encodeLots(block.shares, values),
    encodeBytes(block.flags.subarray(0, count)),
  ]);
}

/**
 * Decodes `bytes` into `block` and checks each row by the rules of row-rules.ts. The caller has verified the checksum.
 * @param markets number of markets; rows may name the markets 0 … `markets - 1`
 * @throws RangeError if the bytes are not a block, exceed the capacity of `block`, or contain an invalid row
 */
export function decodeBlock(bytes: Uint8Array, block: Block, markets = 65_536): void {
  const reader = new Reader(bytes);
  const { rows, firstTime } = reader;
  if (rows > block.tx.length) throw new RangeError(`${rows} rows do not fit into a block of ${block.tx.length}`);
  reader.nextColumn(MAX_PLANES, 0, LAST_TIME);
  readSums(reader, firstTime, block.tx);
  reader.nextColumn(MAX_PLANES, -MAX_TIME_DIFFERENCE_MS, MAX_TIME_DIFFERENCE_MS);
  readOffsets(reader, block.tx, block.rx);
  reader.nextColumn(2, 0, MAX_WORD);
  readWords(reader, block.market);
  // A column of this base and number of planes may have a market that the tape does not.
  if (reader.base + (1 << (8 * reader.planes)) > markets) checkMarkets(block, rows, markets);
  readBytes(reader, block.kind);
  readBytes(reader, block.side);
  reader.nextColumn(2, 0, MAX_WORD);
  readWords(reader, block.price);
  reader.nextColumn(MAX_PLANES, 0, 0, rows);
  readScaled(reader, LOT, block.shares);
  if (reader.planes > SAFE_PLANES) checkSizes(block, rows);
  reader.applyPatches(block);
  readBytes(reader, block.flags);
  reader.expectEnd();
  block.count = rows;
  checkRows(block);
}

/** Reads the columns of an encoded block. Each call of `nextColumn()` sets the fields to the next column. */
class Reader {
  readonly rows: number;
  readonly firstTime: number;
  planes = 0;
  base = 0;
  at = HEAD_BYTES;
  #patches = 0;
  #next = HEAD_BYTES;
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.rows = this.#view.getUint32(0, true);
    this.firstTime = this.#view.getFloat64(4, true);
  }

  /** Moves to the next column and checks its number of planes, its base and its number of patches. */
  nextColumn(maxPlanes: number, minBase: number, maxBase: number, maxPatches = 0): void {
    const head = this.#next;
    this.planes = this.#view.getUint8(head);
    this.base = this.#view.getFloat64(head + 1, true);
    this.#patches = this.#view.getUint32(head + 9, true);
    this.at = head + COLUMN_HEAD_BYTES;
    this.#next = this.at + this.planes * this.rows + this.#patches * PATCH_BYTES;
    if (this.#next > this.bytes.length) throw new RangeError('a column extends beyond its block');
    const { base } = this;
    const isBase = Number.isInteger(base) && base >= minBase && base <= maxBase;
    if (this.planes > maxPlanes || this.#patches > maxPatches || !isBase)
      throw new RangeError(`a column of ${this.planes} planes, base ${base}, ${this.#patches} patches is invalid`);
  }

  /** Applies the patches. Only rows with a delay may have patches. */
  applyPatches({ kind, shares }: Block): void {
    const from = this.at + this.planes * this.rows;
    for (let patch = 0; patch < this.#patches; patch += 1) {
      const at = from + patch * PATCH_BYTES;
      const row = this.#view.getUint32(at, true);
      const value = this.#view.getFloat64(at + 4, true);
      if (row >= this.rows || kind[row] !== KIND.placeDelay) throw new RangeError(`row ${row}: invalid size ${value}`);
      shares[row] = value;
    }
  }

  expectEnd(): void {
    if (this.#next !== this.bytes.length) throw new RangeError('a block has bytes left over');
  }
}

function readBytes(reader: Reader, out: Uint8Array): void {
  reader.nextColumn(1, 0, 255);
  if (reader.planes === 0) out.fill(reader.base, 0, reader.rows);
  else out.set(reader.bytes.subarray(reader.at, reader.at + reader.rows));
}

/** Encodes values as the smallest value (the base) and the differences from the base. */
function encodeAboveBase(values: Float64Array): Uint8Array {
  let min = values[0] ?? 0;
  let max = min;
  for (const value of values) {
    if (value < min) min = value;
    else if (value > max) max = value;
  }
  for (let row = 0; row < values.length; row += 1) values[row] = values[row]! - min;
  const planes = planesFor(max - min);
  if (planes === undefined) throw new RangeError(`Invariant: values from ${min} to ${max} exceed the range of a block`);
  return encodeColumn(values, planes, min, []);
}

function encodeBytes(values: Uint8Array): Uint8Array {
  const first = values[0] ?? 0;
  return values.every((value) => value === first)
    ? encodeColumn(new Float64Array(values.length), 0, first, [])
    : encodeColumn(Float64Array.from(values), 1, 0, []);
}

function encodeLots(shares: Float64Array, values: Float64Array): Uint8Array {
  const patches: [row: number, value: number][] = [];
  let max = 0;
  for (let row = 0; row < values.length; row += 1) {
    const value = shares[row]!;
    const lots = value / LOT;
    const isWholeLots = Number.isInteger(lots);
    if (!isWholeLots) patches.push([row, value]);
    values[row] = isWholeLots ? lots : 0;
    if (isWholeLots && lots > max) max = lots;
  }
  return encodeColumn(values, planesFor(max) ?? 0, 0, patches);
}

function encodeColumn(values: Float64Array, planes: number, base: number, patches: [number, number][]): Uint8Array {
  const rows = values.length;
  const bytes = new Uint8Array(COLUMN_HEAD_BYTES + planes * rows + patches.length * PATCH_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, planes);
  view.setFloat64(1, base, true);
  view.setUint32(9, patches.length, true);
  writePlanes(values, planes, bytes, COLUMN_HEAD_BYTES);
  patches.forEach(([row, value], index) => {
    const at = COLUMN_HEAD_BYTES + planes * rows + index * PATCH_BYTES;
    view.setUint32(at, row, true);
    view.setFloat64(at + 4, value, true);
  });
  return bytes;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
