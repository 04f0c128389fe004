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
