/** Reads a signed order of a request field by field. */
import type { RawSignedOrder } from '../generated/schema-types.ts';
import { badArgument, readOutcome } from './argument.ts';
import { BYTES, readHex, readMarketId } from './bytes.ts';
import { checkUint, readSafeUint } from './integers.ts';

/** @throws WireFault that names the field, for a value that no order can have */
export function readSignedOrder(raw: RawSignedOrder) {
  checkUint('salt', raw.salt);
  return {
    maker: readHex('maker', raw.maker, BYTES.address),
    signer: readHex('signer', raw.signer, BYTES.address),
    marketId: readMarketId(raw.marketId),
    outcome: readOutcome('outcome', raw.outcome),
    side: raw.side,
    /** 0..65535 */
    priceBps: uint16('priceBps', raw.priceBps),
    /** Micro-shares up to 2^53, not always whole lots. */
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
    /** Hex of any length. */
    signature: readHex('signature', raw.signature),
  };
}

/**
 * An order's signed fields, without the salt, which only affects the hash, and its unchecked signature. Price, size, times and
 * epoch may be any signable value: the venue refuses invalid ones with a typed refusal, not with an error of the argument.
 */
export type SignedOrderFields = Readonly<ReturnType<typeof readSignedOrder>>;

function uint16(field: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value < 65_536) return value;
  throw badArgument(field, value, 'an integer from 0 to 65535');
}
