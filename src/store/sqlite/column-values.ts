/**
 * Encodes texts and order ids for the database, which stores only well-formed Unicode, and computes the keys of ids.
 *
 * HOT: on the path of each written order (bench/server.ts).
 */

/** First character of a text that is stored as JSON. */
const JSON_PREFIX = '\u0000';

/** Encodes a text that is not well-formed, or starts with the prefix, as prefix and JSON. Texts stay distinct. */
export function encodeText(text: string): string {
  return text.isWellFormed() && !text.startsWith(JSON_PREFIX) ? text : `${JSON_PREFIX}${JSON.stringify(text)}`;
}

export function decodeText(value: string): string {
  return value.startsWith(JSON_PREFIX) ? String(JSON.parse(value.slice(JSON_PREFIX.length))) : value;
}

/** Bytes of a digest. The text of a digest is `0x` and lower-case hex digits. */
const DIGEST_BYTES = 32;
const KEY_BYTES = 6;
/** 2^48. All keys are below it. */
export const KEY_LIMIT = 281_474_976_710_656;
/** Value of a character that is not a hex digit. */
const NO_DIGIT = 255;
/** Values of ASCII characters as lower-case hex digits. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (let digit = 0; digit < 16; digit += 1) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** Encodes a digest as 32 bytes, and any other id as a text. */
export function encodeId(id: string): Buffer | string {
  return digestBytes(id) ?? encodeText(id);
}

export function decodeId(value: Uint8Array | string): string {
  return typeof value === 'string' ? decodeText(value) : `0x${Buffer.from(value).toString('hex')}`;
}

/**
 * Returns a key of 48 bits for the index by id. Random digests make the index change in many pages. With short keys,
 * more orders of a batch share a page. Two ids can have the same key, so a lookup compares the complete id.
 */
export function idKey(id: string): number {
  return isDigest(id) ? Number.parseInt(id.slice(-2 * KEY_BYTES), 16) : textKey(id);
}

/** Returns the same key as `idKey`, but faster. @param value result of `encodeId(id)` */
export function encodedIdKey(value: Buffer | string, id: string): number {
  return typeof value === 'string' ? textKey(id) : value.readUIntBE(DIGEST_BYTES - KEY_BYTES, KEY_BYTES);
}

function textKey(id: string): number {
  let key = 0;
  for (let at = 0; at < id.length; at += 1) key = (key * 31 + id.charCodeAt(at)) % KEY_LIMIT;
  return key;
}

function isDigest(id: string): boolean {
  if (id.length !== 2 * DIGEST_BYTES + 2 || !id.startsWith('0x')) return false;
  for (let at = 2; at < id.length; at += 1) if (digitAt(id, at) === NO_DIGIT) return false;
  return true;
}

function digestBytes(id: string): Buffer | undefined {
  if (id.length !== 2 * DIGEST_BYTES + 2 || !id.startsWith('0x')) return undefined;
  const bytes = Buffer.allocUnsafe(DIGEST_BYTES);
  for (let at = 0; at < DIGEST_BYTES; at += 1) {
    const high = digitAt(id, 2 * at + 2);
    const low = digitAt(id, 2 * at + 3);
    if (high === NO_DIGIT || low === NO_DIGIT) return undefined;
    bytes[at] = 16 * high + low;
  }
  return bytes;
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? DIGITS[code]! : NO_DIGIT;
}
