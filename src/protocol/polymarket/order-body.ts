/** The body of `POST /order`: a signed order and its time in force (docs/spec/polymarket.md#order-body). */
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
      /** Milliseconds since 1970. */
      timestamp: BigInt(order.timestamp),
      /** Seconds since 1970, 0 for none. */
      expiration: Number(order.expiration),
    },
  };
}

/** An order on the wire: the signed fields, and `expiration`, which is not signed. */
export type PolymarketOrderBody = Readonly<ReturnType<typeof readPolymarketOrder>>;

/** Compact JSON with the keys in the order of the official client: the bytes that L2 signs. */
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

const MAX_UINT = 1n << 256n;
/** Above the hex of a signature by a wallet, which has 317 bytes. */
const MAX_SIGNATURE = 2_000;

/** Schemas without transforms, which would create most of an order's garbage (bench/polymarket.ts). */
function text<Text extends string>(isValid: (value: string) => boolean, expected: string) {
  return z.custom<Text>((value) => typeof value === 'string' && isValid(value), expected);
}

function hexOf(bytes: number) {
  const digits = new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`);
  return text<`0x${string}`>((value) => digits.test(value), `0x and ${2 * bytes} hex digits`);
}

function isUint(value: string): boolean {
  return /^\d{1,78}$/.test(value) && (value.length < 78 || BigInt(value) < MAX_UINT);
}

const UINT = text(isUint, 'a decimal below 2^256');
const AMOUNT = text(
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
    maker: hexOf(20),
    signer: hexOf(20),
    tokenId: UINT,
    makerAmount: AMOUNT,
    takerAmount: AMOUNT,
    side: SIDE,
    signatureType: z.int().min(0).max(3),
    timestamp: UINT,
    expiration: text((value) => /^\d{1,11}$/.test(value), 'seconds since 1970'),
    metadata: hexOf(32),
    builder: hexOf(32),
    signature: text<`0x${string}`>(
      (value) => value.length <= MAX_SIGNATURE && /^0x([0-9a-fA-F]{2})+$/.test(value),
      'a signature in hex',
    ),
  }),
  /** Id of the API key that sends the order. */
  owner: z.string().max(100),
  orderType: z.enum(['GTC', 'GTD', 'FOK', 'FAK'], '"GTC", "GTD", "FOK" or "FAK"'),
});
