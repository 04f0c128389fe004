import type { RawSignedOrder } from '../generated/schema-types.ts';
import { badArgument, readOutcome } from './argument.ts';
import { BYTE_LENGTHS, readHex, readMarketId } from './bytes.ts';
import { readSafeUint, readUint } from './integers.ts';

/** Reads a signed order of a request. @throws WireFault that names the field, for a value that the field cannot hold */
export function readSignedOrder(raw: RawSignedOrder) {
  readUint('salt', raw.salt);
  return {
    maker: readHex('maker', raw.maker, BYTE_LENGTHS.address),
    signer: readHex('signer', raw.signer, BYTE_LENGTHS.address),
    marketId: readMarketId(raw.marketId),
    outcome: readOutcome('outcome', raw.outcome),
    side: raw.side,
    priceBps: readUint16('priceBps', raw.priceBps),
    /** Micro-shares up to 2^53, not always whole lots. */
    shares: readSafeUint('shares', raw.shares),
    timeInForce: raw.timeInForce,
    postOnly: raw.postOnly,
    /** Milliseconds since 1970; 0 for none. */
    expiration: readSafeUint('expiration', raw.expiration),
    timestampMs: readSafeUint('timestampMs', raw.timestampMs),
    epoch: readSafeUint('epoch', raw.epoch),
    maxFeeBps: readUint16('maxFeeBps', raw.maxFeeBps),
    replaces: readHex('replaces', raw.replaces, BYTE_LENGTHS.hash),
    /** Hex of any length. */
    signature: readHex('signature', raw.signature),
  };
}

/**
 * An order's signed fields and its unchecked signature. Omits the salt, which only affects the hash. Price, size,
 * times and epoch may still be invalid: the venue answers such values with a typed refusal.
 */
export type SignedOrderFields = Readonly<ReturnType<typeof readSignedOrder>>;

function readUint16(field: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value < 65_536) return value;
  throw badArgument(field, value, 'an integer from 0 to 65535');
}
