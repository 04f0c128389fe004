/**
 * HOT: each order checked or signed writes ten of these words. Numbers are written without a bigint where they are safe
 * integers; a whole order is hashed in about 4 us, nearly all of it keccak (bench/signing.ts).
 */
import type { FieldKind, FieldValue } from './field-kind.ts';

const TWO_32 = 4_294_967_296;
const DECIMAL = /^(?:0|[1-9][0-9]{0,77})$/;
/** Integers with this number of digits are always safe. */
const SAFE_DIGITS = 15;

/** An unsigned integer of 8, 16, 64 or 256 bits. On the wire, up to 16 bits are an `Int`, larger ones a `UintString`. */
export function uint(bits: 8 | 16 | 64 | 256): FieldKind {
  const max = (1n << BigInt(bits)) - 1n;
  const maxNumber = bits < 53 ? Number(max) : Number.MAX_SAFE_INTEGER;
  const isNumber = (value: FieldValue | undefined): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= maxNumber;
  const isBig = (value: FieldValue | undefined): value is bigint =>
    typeof value === 'bigint' && value >= 0n && value <= max;
  const read = (value: unknown): FieldValue | undefined => {
    const isInteger = typeof value === 'number' || typeof value === 'bigint';
    const found = typeof value === 'string' ? decimal(value) : isInteger ? value : undefined;
    return isNumber(found) || isBig(found) ? found : undefined;
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
      if (!isBig(value)) return false;
      // setBigUint64 writes the low 64 bits of its argument.
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

/** One value of a list, signed as its index (`uint8`). */
export function choice(...words: readonly string[]): FieldKind {
  const places = uint(8);
  const at = (value: unknown): number => (typeof value === 'string' ? words.indexOf(value) : -1);
  return {
    type: 'uint8',
    expected: words.join(' or '),
    write: (value, sink, offset) => at(value) >= 0 && places.write(at(value), sink, offset),
    fromWire: (value) => words[at(value)],
    toWire: String,
    fromTyped: (value) => words[Number(places.fromTyped(value) ?? -1)],
    toTyped: (value) => String(at(value)),
  };
}

export const bool: FieldKind = {
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

/** Whether a text is a `UintString`: digits without sign, leading zeros or exponent. */
function decimal(text: string): number | bigint | undefined {
  if (!DECIMAL.test(text)) return undefined;
  if (text.length <= SAFE_DIGITS) return Number(text);
  const wide = BigInt(text);
  return wide <= Number.MAX_SAFE_INTEGER ? Number(wide) : wide;
}
