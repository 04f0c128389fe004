/**
 * Encodes texts and order ids for the database, which stores only well-formed Unicode, and computes the keys of ids.
 *
 * HOT: on the path of each written order (bench/server.ts).
 */

/** Marks a text that is not well-formed Unicode. */
const MARK = '\u0000';

/** Encodes a text with a lone surrogate as a mark and JSON, so that different texts stay different. */
export function textValue(text: string): string {
  return text.isWellFormed() && !text.startsWith(MARK) ? text : `${MARK}${JSON.stringify(text)}`;
}

/** Decodes a value of `textValue`. */
export function textOf(value: string): string {
  return value.startsWith(MARK) ? String(JSON.parse(value.slice(MARK.length))) : value;
}

/** Bytes of a digest, whose text is `0x` and lower-case hex digits. */
const BYTES = 32;
const KEY_BYTES = 6;
/** Value of a character that is not a hex digit. */
const NO_DIGIT = 255;
/** Values of ASCII characters as lower-case hex digits. */
const DIGITS = new Uint8Array(128).fill(NO_DIGIT);
for (let digit = 0; digit < 16; digit += 1) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** Encodes a digest as 32 bytes, and any other id as a text. */
export function idValue(id: string): Buffer | string {
  return digestBytes(id) ?? textValue(id);
}

/** Decodes a value of `idValue`. */
export function idText(value: Uint8Array | string): string {
  return typeof value === 'string' ? textOf(value) : `0x${Buffer.from(value).toString('hex')}`;
}

/**
 * Returns a key of 48 bits for the index by id. Digests are random, so an index of them is written at random places. With
 * short keys, more orders of a batch share a page. Two ids can have the same key, so a lookup compares the complete id.
 */
export function idKey(id: string): number {
  return isDigest(id) ? Number.parseInt(id.slice(-2 * KEY_BYTES), 16) : textKey(id);
}

/** Returns the key of an id from its column value. */
export function valueKey(value: Buffer | string, id: string): number {
  return typeof value === 'string' ? textKey(id) : value.readUIntBE(BYTES - KEY_BYTES, KEY_BYTES);
}

function textKey(id: string): number {
  let key = 0;
  for (let at = 0; at < id.length; at += 1) key = (key * 31 + id.charCodeAt(at)) % 281_474_976_710_656;
  return key;
}

function isDigest(id: string): boolean {
  if (id.length !== 2 * BYTES + 2 || !id.startsWith('0x')) return false;
  for (let at = 2; at < id.length; at += 1) if (digitAt(id, at) === NO_DIGIT) return false;
  return true;
}

function digestBytes(id: string): Buffer | undefined {
  if (id.length !== 2 * BYTES + 2 || !id.startsWith('0x')) return undefined;
  const bytes = Buffer.allocUnsafe(BYTES);
  for (let at = 0; at < BYTES; at += 1) {
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
