/** A signed order as it arrives, read field by field into what was signed. */
import type { RawSignedOrder } from '../generated/schema-types.ts';
import { badArgument, readOutcome } from './argument.ts';
import { BYTES, readHex } from './hex.ts';
import { readMarketId } from './ids.ts';
import { readSafeUint, testUint } from './integers.ts';

/** @throws WireFault on what cannot be part of an order at all; the message names the field */
export function readSignedOrder(raw: RawSignedOrder) {
  testUint('salt', raw.salt);
  return {
    maker: readHex('maker', raw.maker, BYTES.address),
    signer: readHex('signer', raw.signer, BYTES.address),
    marketId: readMarketId(raw.marketId),
    outcome: readOutcome('outcome', raw.outcome),
    side: raw.side,
    /** 0..65535 */
    priceBps: uint16('priceBps', raw.priceBps),
    /** Micro-shares within 2^53, in whole lots or not. */
    shares: readSafeUint('shares', raw.shares),
    timeInForce: raw.timeInForce,
    postOnly: raw.postOnly,
    /** Milliseconds since 1970, 0 for none. */
    expiration: readSafeUint('expiration', raw.expiration),
    timestampMs: readSafeUint('timestampMs', raw.timestampMs),
    epoch: readSafeUint('epoch', raw.epoch),
    /** 0..65535 */
    maxFeeBps: uint16('maxFeeBps', raw.maxFeeBps),
    replaces: readHex('replaces', raw.replaces, BYTES.hash),
    /** Of any length. */
    signature: readHex('signature', raw.signature),
  };
}

/**
 * An order's signed fields but the salt, on which nothing but the hash depends, and its signature as it came. Price, size, times and epoch are any that can be signed: whether
 * the venue takes them is a typed refusal and not an error of the argument.
 */
export type SignedOrderFields = Readonly<ReturnType<typeof readSignedOrder>>;

function uint16(field: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value < 65_536) return value;
  throw badArgument(field, value, 'an integer from 0 to 65535');
}
