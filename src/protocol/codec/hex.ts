/** Bytes as `0x` and hex digits. Reads either case, writes lower case. */
import { areLowerHexDigits, InputFault } from '../../domain/index.ts';
import type { Raw } from '../field.ts';
import { asArgument, textOf } from './argument.ts';

/** `0x` and an even number of lower-case hex digits. */
export type HexText = `0x${string}`;

/** Lengths in bytes. */
export const BYTES = { address: 20, hash: 32, nonce: 32 } as const;

export function isHexText(text: string): text is HexText {
  return text.startsWith('0x') && text.length % 2 === 0 && areLowerHexDigits(text, 2);
}

/** Returns the text in lower case. @param bytes expected length. Default: any. @throws InputFault */
export function parseHex(field: string, text: string, bytes?: number): HexText {
  const hex = isHexText(text) ? text : lowered(text);
  if (hex === undefined || (bytes !== undefined && hex.length !== 2 + 2 * bytes)) {
    throw new InputFault(field, text, `0x and ${bytes === undefined ? 'pairs of' : 2 * bytes} hex digits`);
  }
  return hex;
}

/** A `Hex` argument in lower case. @param bytes expected length. @throws WireFault */
export function readHex(field: string, raw: Raw<'Hex'>, bytes?: number): HexText {
  return asArgument(() => parseHex(field, textOf(raw), bytes));
}

export function hexOf(bytes: Uint8Array): HexText {
  let digits = '';
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0');
  return `0x${digits}`;
}

export function bytesOf(hex: HexText): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 - 1 }, (_, at) =>
    Number.parseInt(hex.slice(2 + 2 * at, 4 + 2 * at), 16),
  );
}

/** Keeps the case of the first two characters, as `0X` is invalid. */
function lowered(text: string): HexText | undefined {
  const lower = text.slice(0, 2) + text.slice(2).toLowerCase();
  return isHexText(lower) ? lower : undefined;
}
