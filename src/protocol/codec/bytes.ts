/** Reads hex texts, UUIDs and order ids in either case. Writes lower case. */
import { areLowerHexDigits, InputFault, type MarketId, marketId } from '../../domain/index.ts';
import { type IdKind, invalidId } from '../errors.ts';
import type { Raw } from '../field.ts';
import { parseArgument, unwrapRaw } from './argument.ts';

/** `0x` and an even number of lower-case hex digits. */
export type HexText = `0x${string}`;

/** Lengths in bytes. */
export const BYTE_LENGTHS = { address: 20, hash: 32, nonce: 32 } as const;

export function isHexText(text: string): text is HexText {
  return text.startsWith('0x') && text.length % 2 === 0 && areLowerHexDigits(text, 2);
}

/** Returns the text in lower case. @param bytes expected length. Default: any length. @throws InputFault */
export function parseHex(field: string, text: string, bytes?: number): HexText {
  const hex = isHexText(text) ? text : toLowerCaseHex(text);
  if (hex === undefined || (bytes !== undefined && hex.length !== 2 + 2 * bytes))
    throw new InputFault(field, text, `0x and ${bytes === undefined ? 'pairs of' : 2 * bytes} hex digits`);
  return hex;
}

/** Like `parseHex`, for an argument. @throws WireFault */
export function readHex(field: string, raw: Raw<'Hex'>, bytes?: number): HexText {
  return parseArgument(() => parseHex(field, unwrapRaw(raw), bytes));
}

export function toHex(bytes: Uint8Array): HexText {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** Keeps the case of the first two characters, because `0X` is invalid. */
function toLowerCaseHex(text: string): HexText | undefined {
  const lower = text.slice(0, 2) + text.slice(2).toLowerCase();
  return isHexText(lower) ? lower : undefined;
}

/** @throws WireFault `invalid market ID: …` */
export function readMarketId(raw: Raw<'ID'>): MarketId {
  return parseId('market', () => marketId(unwrapRaw(raw)));
}

/** Returns a UUID as 8-4-4-4-12 lower-case hex digits, like a market id. @throws WireFault `invalid <kind> ID: …` */
export function readUuid(kind: Exclude<IdKind, 'market' | 'order'>, raw: Raw<'ID'>): string {
  return parseId(kind, () => marketId(unwrapRaw(raw)));
}

/** Reads an order's id, which is the hash of the order. @throws WireFault `invalid order ID: …` */
export function readOrderId(raw: Raw<'ID'>): HexText {
  return parseId('order', () => parseHex('', unwrapRaw(raw), BYTE_LENGTHS.hash));
}

/** Formats 16 bytes as a UUID. @throws RangeError for another number of bytes */
export function uuidText(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new RangeError(`Invariant: a UUID has 16 bytes, not ${bytes.length}`);
  const hex = toHex(bytes).slice(2);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Converts an InputFault of `parse` to a WireFault. Replaces the field in the message by the kind of id. */
function parseId<T>(kind: IdKind, parse: () => T): T {
  try {
    return parse();
  } catch (fault) {
    if (!(fault instanceof InputFault)) throw fault;
    throw invalidId(kind, fault.message.slice(fault.field === '' ? 0 : fault.field.length + 2));
  }
}
