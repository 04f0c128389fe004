/** Shared helpers of signing tests: vectors, both backends, and random orders and keys. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Message } from '../../src/signing/field-kinds.ts';
import {
  createSigner,
  exchangeDomain,
  type Hex,
  LOCAL_CONTRACT,
  loadPrimitives,
  loginDomain,
  type OrderMessage,
  type SignedMessage,
  type SignedMessages,
  type Signer,
  signedMessages,
  toHex,
} from '../../src/signing/index.ts';
import { LOCAL_CHAIN_ID } from '../../src/signing/messages.ts';
import type { TypedData } from '../../src/signing/struct-hasher.ts';

export interface MessageVector {
  readonly name: string;
  readonly wire?: Readonly<Record<string, unknown>> & { readonly signature: string };
  readonly typedData: TypedData;
  readonly digest: string;
  readonly signer: string;
  readonly signature: string;
}

export interface SigningVectors {
  readonly keys: readonly { readonly privateKey: Hex; readonly address: Hex }[];
  readonly eip712: readonly MessageVector[];
  readonly refusedSignatures: {
    readonly of: string;
    readonly cases: readonly { readonly why: string; readonly signature: string }[];
  };
}

export const vectors: SigningVectors = JSON.parse(
  readFileSync(new URL('../fixtures/spec/signing.json', import.meta.url), 'utf8'),
);

export const DOMAINS = {
  exchange: exchangeDomain(LOCAL_CHAIN_ID, LOCAL_CONTRACT),
  login: loginDomain(LOCAL_CHAIN_ID),
} as const;

const blinding = new Uint8Array(32).fill(5);

export const BACKENDS = ['native', 'javascript'] as const;

export async function openSigner(backend: (typeof BACKENDS)[number]): Promise<Signer> {
  return createSigner(await loadPrimitives({ blinding, backend }));
}

export async function openMessages(): Promise<SignedMessages & { readonly signer: Signer }> {
  const signer = await openSigner('native');
  return { ...signedMessages(signer, DOMAINS), signer };
}

/** Digest and typed data that our code computes for the message of a vector. */
export function messageOf({ order, login, withdrawal, delegate }: SignedMessages, { typedData }: MessageVector) {
  switch (typedData.primaryType) {
    case 'Order':
      return describeMessage(order, typedData);
    case 'Login':
      return describeMessage(login, typedData);
    case 'Withdrawal':
      return describeMessage(withdrawal, typedData);
    case 'Delegate':
      return describeMessage(delegate, typedData);
    default:
      throw new Error(`no message ${typedData.primaryType}`);
  }
}

function describeMessage<M extends Message>(kind: SignedMessage<M>, typedData: TypedData) {
  const read = kind.compare(typedData, {});
  if (!read.ok) throw new Error(`${read.field} differs: ${read.offered}`);
  return { digest: toHex(kind.digest(read.message)), typedData: kind.typedData(read.message) };
}

/** Verifies a `SignedOrder` of the wire, which contains its signature. */
export function verifyOrder(orders: SignedMessage<OrderMessage>, wire: unknown) {
  const { signature } = Object(wire);
  return orders.verify(wire, typeof signature === 'string' ? signature : '');
}

/** Random bytes as hex. */
export function hexOf(count: number): fc.Arbitrary<Hex> {
  return fc
    .uint8Array({ minLength: count, maxLength: count })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`);
}

const uint64 = fc.oneof(fc.maxSafeNat(), fc.bigInt(0n, 2n ** 64n - 1n));

/** Random orders with any values that can be signed. */
export const orders: fc.Arbitrary<OrderMessage> = fc.record({
  salt: fc.oneof(fc.maxSafeNat(), fc.bigInt(0n, 2n ** 256n - 1n)),
  maker: hexOf(20),
  signer: hexOf(20),
  marketId: fc.uuid(),
  outcome: fc.constantFrom('YES', 'NO'),
  side: fc.constantFrom('BUY', 'SELL'),
  priceBps: fc.nat(65_535),
  shares: uint64,
  timeInForce: fc.constantFrom('GTC', 'GTD', 'FOK', 'FAK'),
  postOnly: fc.boolean(),
  expiration: uint64,
  timestampMs: uint64,
  epoch: uint64,
  maxFeeBps: fc.nat(65_535),
  replaces: hexOf(32),
});

/** Random private keys. */
export const secrets: fc.Arbitrary<Hex> = fc
  .bigInt(1n, 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140n)
  .map((key): Hex => `0x${key.toString(16).padStart(64, '0')}`);

/** The types without `EIP712Domain`, as ethers expects them. */
export function etherTypes({ types }: TypedData): Record<string, { name: string; type: string }[]> {
  const { EIP712Domain: _, ...rest } = types;
  return Object.fromEntries(Object.entries(rest).map(([name, fields]) => [name, fields.map((each) => ({ ...each }))]));
}
