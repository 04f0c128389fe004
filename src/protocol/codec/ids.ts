/** Ids: UUIDs as text and as their 16 signed bytes, orders by hash. Reads any case, writes lower case. */
import { InputFault, type MarketId, marketId } from '../../domain/index.ts';
import { type IdKind, invalidId } from '../errors.ts';
import type { Raw } from '../field.ts';
import { textOf } from './argument.ts';
import { BYTES, type HexText, hexOf, parseHex } from './hex.ts';

/** 8-4-4-4-12 lower-case hex digits. */
export type UuidText = string;

/** Reads a market's id. @throws WireFault `invalid market ID: …` */
export function readMarketId(raw: Raw<'ID'>): MarketId {
  return asId('market', () => marketId(textOf(raw)));
}

/** Reads any other UUID. @throws WireFault `invalid <kind> ID: …` */
export function readUuid(kind: Exclude<IdKind, 'market' | 'order'>, raw: Raw<'ID'>): UuidText {
  return asId(kind, () => marketId(textOf(raw)));
}

/** An order's id, which is its hash. @throws WireFault `invalid order ID: …` */
export function readOrderId(raw: Raw<'ID'>): HexText {
  return asId('order', () => parseHex('', textOf(raw), BYTES.hash));
}

/** The UUID of 16 bytes. @throws RangeError when there are not 16 */
export function uuidText(bytes: Uint8Array): UuidText {
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
