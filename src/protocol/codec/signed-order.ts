/** A signed order as it arrives, read field by field into what was signed. */
import type { MarketId, Outcome, Side, TimeInForce } from '../../domain/index.ts';
import type { RawSignedOrder } from '../generated/schema-types.ts';
import { badArgument, readOutcome } from './argument.ts';
import { BYTES, type HexText, readHex } from './hex.ts';
import { readMarketId } from './ids.ts';
import { readSafeUint, testUint } from './integers.ts';

/**
 * An order's signed fields but the salt, on which nothing but the hash depends, and its signature as it came. Price, size, times and epoch are any that can be signed: whether
 * the venue takes them is a typed refusal and not an error of the argument.
 */
export interface SignedOrderFields {
  readonly maker: HexText;
  readonly signer: HexText;
  readonly marketId: MarketId;
  readonly outcome: Outcome;
  readonly side: Side;
  /** 0..65535 */
  readonly priceBps: number;
  /** Micro-shares within 2^53, in whole lots or not. */
  readonly shares: number;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Milliseconds since 1970, 0 for none. */
  readonly expiration: number;
  readonly timestampMs: number;
  readonly epoch: number;
  /** 0..65535 */
  readonly maxFeeBps: number;
  readonly replaces: HexText;
  /** Of any length. */
  readonly signature: HexText;
}

/** @throws WireFault on what cannot be part of an order at all; the message names the field */
export function readSignedOrder(raw: RawSignedOrder): SignedOrderFields {
  testUint('salt', raw.salt);
  return {
    maker: readHex('maker', raw.maker, BYTES.address),
    signer: readHex('signer', raw.signer, BYTES.address),
    marketId: readMarketId(raw.marketId),
    outcome: readOutcome('outcome', raw.outcome),
    side: raw.side,
    priceBps: uint16('priceBps', raw.priceBps),
    shares: readSafeUint('shares', raw.shares),
    timeInForce: raw.timeInForce,
    postOnly: raw.postOnly,
    expiration: readSafeUint('expiration', raw.expiration),
    timestampMs: readSafeUint('timestampMs', raw.timestampMs),
    epoch: readSafeUint('epoch', raw.epoch),
    maxFeeBps: uint16('maxFeeBps', raw.maxFeeBps),
    replaces: readHex('replaces', raw.replaces, BYTES.hash),
    signature: readHex('signature', raw.signature),
  };
}

function uint16(field: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value < 65_536) return value;
  throw badArgument(field, value, 'an integer from 0 to 65535');
}
