/** Reads and writes the body of `POST /order` (docs/spec/polymarket.md#order-body). */
import { z } from 'zod';
import { readFields } from '../wire/fields.ts';
import { SIDE } from './fields.ts';

/** @throws InputFault that names the field */
export function readPolymarketOrder(json: unknown) {
  const { order, ...body } = readFields(BODY, json);
  return {
    ...body,
    order: {
      ...order,
      salt: BigInt(order.salt),
      tokenId: BigInt(order.tokenId),
      makerAmount: BigInt(order.makerAmount),
      takerAmount: BigInt(order.takerAmount),
      /** Milliseconds since 1970. `expiration` is in seconds; 0 for none. */
      timestamp: BigInt(order.timestamp),
      expiration: Number(order.expiration),
    },
  };
}

/** All members of `order` are signed, except `expiration` and `signature`. */
export type PolymarketOrderBody = Readonly<ReturnType<typeof readPolymarketOrder>>;

/** Returns compact JSON with the keys in the official client's order. The L2 signature covers this text. */
export function polymarketOrderText({ deferExec, postOnly, order, owner, orderType }: PolymarketOrderBody): string {
  const { salt, maker, signer, tokenId, makerAmount, takerAmount, side, signatureType } = order;
  const { timestamp, expiration, metadata, builder, signature } = order;
  // The salt is a number on the wire, so it must be below 2^53.
  return JSON.stringify({
    deferExec,
    postOnly,
    order: {
      salt: Number(salt),
      maker,
      signer,
      tokenId: String(tokenId),
      makerAmount: String(makerAmount),
      takerAmount: String(takerAmount),
      side,
      signatureType,
      timestamp: String(timestamp),
      expiration: String(expiration),
      metadata,
      builder,
      signature,
    },
    owner,
    orderType,
  });
}

const UINT_LIMIT = 1n << 256n;
/** A deposit wallet's signature (type 3) has 317 bytes, which are 636 characters. */
const MAX_SIGNATURE_CHARACTERS = 2_000;

/** The schemas have no transforms, because transforms would create most of an order's garbage (bench/polymarket.ts). */
function createTextSchema<Text extends string>(isValid: (value: string) => boolean, expected: string) {
  return z.custom<Text>((value) => typeof value === 'string' && isValid(value), expected);
}

function createHexSchema(bytes: number) {
  const digits = new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`);
  return createTextSchema<`0x${string}`>((value) => digits.test(value), `0x and ${2 * bytes} hex digits`);
}

function isUint(value: string): boolean {
  return /^\d{1,78}$/.test(value) && (value.length < 78 || BigInt(value) < UINT_LIMIT);
}

const UINT = createTextSchema(isUint, 'a decimal below 2^256');
const AMOUNT = createTextSchema(
  (value) => isUint(value) && Number(value) > 0 && Number(value) <= Number.MAX_SAFE_INTEGER,
  'an amount of 1 to 2^53 - 1',
);

const BODY = z.object({
  deferExec: z.boolean().default(false),
  postOnly: z.boolean().default(false),
  order: z.object({
    salt: z.custom<number | string>(
      (value) => (typeof value === 'string' ? isUint(value) : Number.isSafeInteger(value) && Number(value) >= 0),
      'a whole number',
    ),
    maker: createHexSchema(20),
    signer: createHexSchema(20),
    tokenId: UINT,
    makerAmount: AMOUNT,
    takerAmount: AMOUNT,
    side: SIDE,
    signatureType: z.int().min(0).max(3),
    timestamp: UINT,
    expiration: createTextSchema((value) => /^\d{1,11}$/.test(value), 'seconds since 1970'),
    metadata: createHexSchema(32),
    builder: createHexSchema(32),
    signature: createTextSchema<`0x${string}`>(
      (value) => value.length <= MAX_SIGNATURE_CHARACTERS && /^0x([0-9a-fA-F]{2})+$/.test(value),
      'a signature in hex',
    ),
  }),
  /** Id of the API key that sends the order. */
  owner: z.string().max(100),
  orderType: z.enum(['GTC', 'GTD', 'FOK', 'FAK'], '"GTC", "GTD", "FOK" or "FAK"'),
});
