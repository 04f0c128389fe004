/**
 * The kinds of a signed message's fields, each in three forms: internal value, wire input, typed data.
 * HOT: each checked or signed order has fifteen fields (bench/signing.ts). Safe integers are written without a bigint.
 */
import { bytes16ToUuid, type Hex, isHex, isUuid, lowerHex, uuidToBytes16, writeHexBytes } from './hex.ts';
import type { Keccak256 } from './primitives.ts';

/** Internal value. Enumerated values, UUIDs and hex are strings. Integers are numbers, or bigints above 2^53. */
export type FieldValue = string | number | bigint | boolean;

export type Message = Readonly<Record<string, FieldValue>>;

export interface WordSink {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly keccak256: Keccak256;
}

/** Values are untrusted in each form. Methods return `false` or `undefined` for a value of another kind. */
export interface FieldKind<Value extends FieldValue = FieldValue> {
  /** The EIP-712 type, such as `uint64`. */
  readonly type: string;
  readonly expected: string;
  /** Writes a value to the word at `at`, except bytes that are always 0. Returns `false` for an invalid value. */
  write(value: FieldValue, sink: WordSink, at: number): boolean;
  /** Reads the venue's input objects: enumerated values, UUIDs, `UintString` or `Int`. */
  fromWire(value: unknown): Value | undefined;
  toWire(value: FieldValue): string | number | boolean;
  /** Reads the `message` of typed data: bytes as hex, integers as decimal strings or JSON numbers. */
  fromTyped(value: unknown): Value | undefined;
  /** Writes the `message` of typed data. Equal values give equal texts. */
  toTyped(value: FieldValue): string | boolean;
}

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
}

const utf8 = new TextEncoder();

/** An Ethereum address, right-aligned in its word. */
export const address = hexKind('address', 20, 12);

export const bytes32 = hexKind('bytes32', 32, 0);

/** A UUID, signed as its 16 bytes, left-aligned in the word. */
export const uuid: FieldKind<string> = {
  type: 'bytes16',
  expected: 'a UUID (8-4-4-4-12 hex digits)',
  write(value, { bytes }, at) {
    if (!isUuid(value)) return false;
    writeHexBytes(value, 0, bytes, at, 4);
    writeHexBytes(value, 9, bytes, at + 4, 2);
    writeHexBytes(value, 14, bytes, at + 6, 2);
    writeHexBytes(value, 19, bytes, at + 8, 2);
    writeHexBytes(value, 24, bytes, at + 10, 6);
    return true;
  },
  fromWire: (value) => (isUuid(value) ? value.toLowerCase() : undefined),
  toWire: String,
  fromTyped: (value) => (typeof value === 'string' ? bytes16ToUuid(value) : undefined),
  toTyped: (value) => uuidToBytes16(String(value)) ?? String(value),
};

/** A text of any length. The signature covers the keccak of its UTF-8. */
export const text: FieldKind<string> = {
  type: 'string',
  expected: 'text',
  write(value, { bytes, keccak256 }, at) {
    if (typeof value !== 'string') return false;
    bytes.set(keccak256(utf8.encode(value)), at);
    return true;
  },
  fromWire: asText,
  toWire: String,
  fromTyped: asText,
  toTyped: String,
};

function hexKind(type: string, count: number, offset: number): FieldKind<Hex> {
  const read = (value: unknown): Hex | undefined => (isHex(value, count) ? lowerHex(value) : undefined);
  const show = (value: FieldValue): string => (isHex(value) ? lowerHex(value) : String(value));
  return {
    type,
    expected: `0x and ${2 * count} hex digits`,
    write(value, { bytes }, at) {
      if (!isHex(value, count)) return false;
      writeHexBytes(value, 2, bytes, at + offset, count);
      return true;
    },
    fromWire: read,
    toWire: show,
    fromTyped: read,
    toTyped: show,
  };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const TWO_32 = 4_294_967_296;
const DECIMAL = /^(?:0|[1-9][0-9]{0,77})$/;
/** Integers with this number of digits are always safe. */
const SAFE_DIGITS = 15;

/**
 * Makes the kind of an unsigned integer: a safe integer, or a bigint of any size. Readers prefer a safe integer.
 * On the wire, integers of up to 16 bits are an `Int`, larger integers a `UintString`.
 */
export function uint(bits: 8 | 16): FieldKind<number>;
export function uint(bits: 64 | 256): FieldKind<number | bigint>;
export function uint(bits: 8 | 16 | 64 | 256): FieldKind<number | bigint> {
  const max = (1n << BigInt(bits)) - 1n;
  const maxNumber = bits < 53 ? Number(max) : Number.MAX_SAFE_INTEGER;
  const isNumber = (value: FieldValue | undefined): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= maxNumber;
  const isBigint = (value: FieldValue | undefined): value is bigint =>
    typeof value === 'bigint' && value >= 0n && value <= max;
  const read = (value: unknown): number | bigint | undefined => {
    const isInteger = typeof value === 'number' || typeof value === 'bigint';
    const found = typeof value === 'string' ? parseDecimal(value) : isInteger ? value : undefined;
    return isNumber(found) || isBigint(found) ? found : undefined;
  };
  return {
    type: `uint${bits}`,
    expected: bits <= 16 ? `an integer from 0 to ${max}` : `an integer from 0 to 2^${bits} - 1`,
    write(value, { view }, at) {
      if (isNumber(value)) {
        if (bits > 64) for (let word = at; word < at + 24; word += 8) view.setBigUint64(word, 0n);
        view.setUint32(at + 24, value / TWO_32);
        view.setUint32(at + 28, value);
        return true;
      }
      if (!isBigint(value)) return false;
      // `setBigUint64` writes only the low 64 bits of its argument.
      if (bits > 64) {
        view.setBigUint64(at, value >> 192n);
        view.setBigUint64(at + 8, value >> 128n);
        view.setBigUint64(at + 16, value >> 64n);
      }
      view.setBigUint64(at + 24, value);
      return true;
    },
    fromWire: read,
    toWire: (value) => (bits <= 16 ? Number(value) : String(value)),
    fromTyped: read,
    toTyped: String,
  };
}

/** Makes the kind of a value from a list. The signature covers the index of the value (`uint8`). */
export function choice<Value extends string>(...values: readonly Value[]): FieldKind<Value> {
  const indexKind = uint(8);
  const known: readonly unknown[] = values;
  const getIndex = (value: unknown): number => known.indexOf(value);
  return {
    type: 'uint8',
    expected: values.join(' or '),
    write: (value, sink, at) => getIndex(value) >= 0 && indexKind.write(getIndex(value), sink, at),
    fromWire: (value) => values[getIndex(value)],
    toWire: String,
    fromTyped: (value) => values[Number(indexKind.fromTyped(value) ?? -1)],
    toTyped: (value) => String(getIndex(value)),
  };
}

export const bool: FieldKind<boolean> = {
  type: 'bool',
  expected: 'true or false',
  write(value, { bytes }, at) {
    if (typeof value !== 'boolean') return false;
    bytes[at + 31] = value ? 1 : 0;
    return true;
  },
  fromWire: (value) => (typeof value === 'boolean' ? value : undefined),
  toWire: Boolean,
  fromTyped: (value) => (typeof value === 'boolean' ? value : undefined),
  toTyped: Boolean,
};

/** Parses a `UintString`: digits without sign, leading zeros or exponent. Returns undefined for any other text. */
function parseDecimal(text: string): number | bigint | undefined {
  if (!DECIMAL.test(text)) return undefined;
  if (text.length <= SAFE_DIGITS) return Number(text);
  const wide = BigInt(text);
  return wide <= Number.MAX_SAFE_INTEGER ? Number(wide) : wide;
}
