/**
 * Kinds of fields that are signed as bytes: address, bytes32, UUID, text.
 *
 * HOT: each checked or signed order writes four of these words (bench/signing.ts).
 */
import type { FieldKind, FieldValue } from './field-kind.ts';
import { bytes16ToUuid, isHex, isUuid, lowerHex, uuidToBytes16, writeDigits } from './hex.ts';

const utf8 = new TextEncoder();

/** An Ethereum address, right-aligned in its word. */
export const address: FieldKind = hexKind('address', 20, 12);

/** 32 bytes. */
export const bytes32: FieldKind = hexKind('bytes32', 32, 0);

/** A UUID, signed as its 16 bytes, left-aligned in the word. */
export const uuid: FieldKind = {
  type: 'bytes16',
  expected: 'a UUID (8-4-4-4-12 hex digits)',
  write(value, { bytes }, at) {
    if (!isUuid(value)) return false;
    writeDigits(value, 0, bytes, at, 4);
    writeDigits(value, 9, bytes, at + 4, 2);
    writeDigits(value, 14, bytes, at + 6, 2);
    writeDigits(value, 19, bytes, at + 8, 2);
    writeDigits(value, 24, bytes, at + 10, 6);
    return true;
  },
  fromWire: (value) => (isUuid(value) ? value.toLowerCase() : undefined),
  toWire: String,
  fromTyped: (value) => (typeof value === 'string' ? bytes16ToUuid(value) : undefined),
  toTyped: (value) => uuidToBytes16(String(value)) ?? String(value),
};

/** A text of any length, signed as the keccak of its UTF-8. */
export const text: FieldKind = {
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

function hexKind(type: string, count: number, left: number): FieldKind {
  const read = (value: unknown): FieldValue | undefined => (isHex(value, count) ? lowerHex(value) : undefined);
  const show = (value: FieldValue): string => (isHex(value) ? lowerHex(value) : String(value));
  return {
    type,
    expected: `0x and ${2 * count} hex digits`,
    write(value, { bytes }, at) {
      if (!isHex(value, count)) return false;
      writeDigits(value, 2, bytes, at + left, count);
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
