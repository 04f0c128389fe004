/** Bytes as `0x` and hex digits, UUIDs, and orders by hash. Reads either case, writes lower case. */
import { areLowerHexDigits, InputFault, type MarketId, marketId } from '../../domain/index.ts';
import { type IdKind, invalidId } from '../errors.ts';
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
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** Keeps the case of the first two characters, as `0X` is invalid. */
function lowered(text: string): HexText | undefined {
  const lower = text.slice(0, 2) + text.slice(2).toLowerCase();
  return isHexText(lower) ? lower : undefined;
}

/** Reads a market's id. @throws WireFault `invalid market ID: …` */
export function readMarketId(raw: Raw<'ID'>): MarketId {
  return asId('market', () => marketId(textOf(raw)));
}

/** Reads any other UUID, as 8-4-4-4-12 lower-case hex digits. @throws WireFault `invalid <kind> ID: …` */
export function readUuid(kind: Exclude<IdKind, 'market' | 'order'>, raw: Raw<'ID'>): string {
  return asId(kind, () => marketId(textOf(raw)));
}

/** An order's id, which is its hash. @throws WireFault `invalid order ID: …` */
export function readOrderId(raw: Raw<'ID'>): HexText {
  return asId('order', () => parseHex('', textOf(raw), BYTES.hash));
}

/** The UUID of 16 bytes. @throws RangeError when there are not 16 */
export function uuidText(bytes: Uint8Array): string {
  if (bytes.length !== 16) throw new RangeError(`Invariant: a UUID has 16 bytes, not ${bytes.length}`);
  const hex = hexOf(bytes).slice(2);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Drops the domain's name of the value from the message, which already has the kind. */
function asId<T>(kind: IdKind, parse: () => T): T {
  try {
    return parse();
  } catch (fault) {
    if (!(fault instanceof InputFault)) throw fault;
    throw invalidId(kind, fault.message.slice(fault.field === '' ? 0 : fault.field.length + 2));
  }
}
