import { areHexDigits } from '../domain/index.ts';

/** `0x` and two hex digits per byte. This folder writes lower case. */
export type Hex = `0x${string}`;

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Accepts either case. @param bytes expected length. Default: any length */
export function isHex(value: unknown, bytes?: number): value is Hex {
  if (typeof value !== 'string' || (bytes !== undefined && value.length !== 2 + 2 * bytes)) return false;
  return value.startsWith('0x') && value.length % 2 === 0 && areHexDigits(value, 2);
}

export function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
}

/** Compares in a loop, because a built-in method takes longer for so few bytes. */
export function areEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

export function hexBytes(text: string): Uint8Array | undefined {
  if (!isHex(text)) return undefined;
  const bytes = new Uint8Array((text.length - 2) / 2);
  writeHexBytes(text, 2, bytes, 0, bytes.length);
  return bytes;
}

/** Returns `undefined` unless the address has 20 bytes of hex. Does not verify an EIP-55 checksum. */
export function lowerAddress(text: string): Hex | undefined {
  return isHex(text, 20) ? lowerHex(text) : undefined;
}

export function lowerHex(text: Hex): Hex {
  return `0x${text.slice(2).toLowerCase()}`;
}

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Returns the UUID's 32 digits without dashes, in lower case; `undefined` for another text. */
export function uuidToBytes16(uuid: string): Hex | undefined {
  return isUuid(uuid) ? `0x${uuid.replaceAll('-', '').toLowerCase()}` : undefined;
}

/** Returns 8-4-4-4-12 digits in lower case; `undefined` unless the text has 16 bytes of hex. */
export function bytes16ToUuid(bytes16: string): string | undefined {
  if (!isHex(bytes16, 16)) return undefined;
  const digits = bytes16.slice(2).toLowerCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Writes `count` bytes from the hex digits at `from`. Check the digits with `isHex` or `isUuid` first. */
export function writeHexBytes(text: string, from: number, into: Uint8Array, at: number, count: number): void {
  for (let byte = 0; byte < count; byte += 1) {
    into[at + byte] = (nibble(text.charCodeAt(from + 2 * byte)) << 4) | nibble(text.charCodeAt(from + 2 * byte + 1));
  }
}

/** Returns a hex digit's value: the low four bits of its code, plus nine for a letter, whose code exceeds 63. */
function nibble(code: number): number {
  return (code & 15) + (code >> 6) * 9;
}
