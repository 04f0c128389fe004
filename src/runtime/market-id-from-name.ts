import { createHash } from 'node:crypto';
import { type MarketId, marketId } from '../domain/index.ts';

/**
 * Derives a market id from a name, so that every import of a recording gives the same id. The id is the first 16 bytes
 * of sha256("halfspread market\n" + name), marked as version 8 (RFC 9562, "custom").
 */
export function marketIdFromName(name: string): MarketId {
  const bytes = createHash('sha256').update(`halfspread market\n${name}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return marketId(bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
}

/** Returns the id of a Polymarket market. @param condition condition id, lower case */
export function polymarketMarketId(condition: string): MarketId {
  return marketIdFromName(`polymarket-${condition}`);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CONDITION = /^0x[0-9a-f]{64}$/i;

/**
 * Converts a market's name in a configuration or a command to its id or slug, as `MarketInfo` has them. An id is a UUID
 * or a condition id of Polymarket, in upper or lower case. Returns any other name unchanged.
 */
export function toIdOrSlug(name: string): string {
  if (CONDITION.test(name)) return polymarketMarketId(name.toLowerCase());
  return UUID.test(name) ? name.toLowerCase() : name;
}

/** Whether a market's name in a configuration is an id, as for `toIdOrSlug`. */
export function isMarketId(name: string): boolean {
  return CONDITION.test(name) || UUID.test(name);
}
