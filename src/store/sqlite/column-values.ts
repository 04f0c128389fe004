/**
 * Texts and order ids as they stand in the database, which knows Unicode alone, and the keys of ids.
 *
 * HOT: each order that is written passes here (bench/server.ts).
 */
/** Marks a text that is no Unicode. */
const MARK = '\u0000';

/** A text that is no Unicode (half a pair) as JSON behind a mark; so two of them stay two. */
export function textValue(text: string): string {
  return text.isWellFormed() && !text.startsWith(MARK) ? text : `${MARK}${JSON.stringify(text)}`;
}

/** What `textValue` made. */
export function textOf(value: string): string {
  return value.startsWith(MARK) ? String(JSON.parse(value.slice(MARK.length))) : value;
}

/** A digest is `0x` and this many bytes in small hex digits. */
const BYTES = 32;
const KEY_BYTES = 6;
/** What no hex digit stands for. */
const NONE = 255;
/** The values of the characters below 128 as small hex digits. */
const DIGITS = new Uint8Array(128).fill(NONE);
for (let digit = 0; digit < 16; digit += 1) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

/** 32 bytes for a digest; any other text stays a text. */
export function idValue(id: string): Buffer | string {
  return digestBytes(id) ?? textValue(id);
}

/** What `idValue` made. */
export function idText(value: Uint8Array | string): string {
  return typeof value === 'string' ? textOf(value) : `0x${Buffer.from(value).toString('hex')}`;
}

/**
 * A short key for the index by id: 48 bits. Digests are random, so a full index of them is written at random places, a
 * page an order: the smaller it is, the more orders of one batch share a page. Rows of two ids with the same key differ
 * by their id.
 */
export function idKey(id: string): number {
  return isDigest(id) ? Number.parseInt(id.slice(-2 * KEY_BYTES), 16) : textKey(id);
}

/** The key of an id from its value. */
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
  for (let at = 2; at < id.length; at += 1) if (digitAt(id, at) === NONE) return false;
  return true;
}

function digestBytes(id: string): Buffer | undefined {
  if (id.length !== 2 * BYTES + 2 || !id.startsWith('0x')) return undefined;
  const bytes = Buffer.allocUnsafe(BYTES);
  for (let at = 0; at < BYTES; at += 1) {
    const high = digitAt(id, 2 * at + 2);
    const low = digitAt(id, 2 * at + 3);
    if (high === NONE || low === NONE) return undefined;
    bytes[at] = 16 * high + low;
  }
  return bytes;
}

function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? DIGITS[code]! : NONE;
}
