/** Orders to sign and verify with our code and with viem, and a check that both give the same results. */
import { hashTypedData, recoverTypedDataAddress, type Hex as ViemHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  createSigner,
  exchangeDomain,
  LOCAL_CONTRACT,
  loadPrimitives,
  loginDomain,
  NO_HASH,
  type OrderMessage,
  type SignedMessage,
  type SigningKey,
  signedMessages,
  signingBackend,
  toHex,
} from '../../src/signing/index.ts';
import { LOCAL_CHAIN_ID } from '../../src/signing/messages.ts';
import type { SigningBackend } from '../../src/signing/primitives.ts';
import type { TypedData } from '../../src/signing/struct-hasher.ts';

/** A public test key. */
const SECRET = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const DOMAINS = { exchange: exchangeDomain(LOCAL_CHAIN_ID, LOCAL_CONTRACT), login: loginDomain(LOCAL_CHAIN_ID) };

/** One order in the input forms of all implementations. */
export interface SignedCase {
  readonly message: OrderMessage;
  readonly wire: Readonly<Record<string, unknown>>;
  readonly typedData: Omit<TypedData, 'domain'> & { readonly domain: typeof DOMAINS.exchange };
  readonly signature: ViemHex;
  readonly hash: string;
}

/** Orders and their signer. */
export interface SigningHarness {
  /** Description of the signer. */
  readonly backend: string;
  readonly cases: readonly SignedCase[];
  readonly orders: SignedMessage<OrderMessage>;
  readonly key: SigningKey;
  readonly account: ReturnType<typeof privateKeyToAccount>;
}

/** Returns `count` different orders on one backend. */
export async function signingHarness(count: number, backend: SigningBackend['kind']): Promise<SigningHarness> {
  const signer = createSigner(await loadPrimitives({ blinding: new Uint8Array(32).fill(1), backend }));
  const { order: orders } = signedMessages(signer, DOMAINS);
  const key = signer.key(SECRET);
  const cases = Array.from({ length: count }, (_, at): SignedCase => {
    const salt = signer.keccak256(Uint8Array.of(at, at >> 8));
    const fields = { salt: BigInt(toHex(salt)), priceBps: 100 + at, timestampMs: 1_795_176_000_000 + at };
    const message = { ...sampleOrder(key), ...fields };
    const { hash, signature } = orders.sign(message, key);
    const typedData = { ...orders.typedData(message), domain: DOMAINS.exchange };
    return { message, wire: { ...orders.wire(message), signature }, typedData, signature, hash };
  });
  return { backend: signingBackend(signer), cases, orders, key, account: privateKeyToAccount(SECRET) };
}

/** Checks that our code and viem give equal hashes, signatures and addresses. @throws Error if not */
export async function assertSameBytes({ cases, account }: SigningHarness): Promise<void> {
  for (const { typedData, signature, hash } of cases.slice(0, 5)) {
    const theirs = await account.signTypedData(typedData);
    const recovered = await recoverTypedDataAddress({ ...typedData, signature });
    if (theirs !== signature || hashTypedData(typedData) !== hash || recovered !== account.address) {
      throw new Error(`Invariant: viem and ours differ about ${hash}`);
    }
  }
}

/** The timed functions of our code. They return checks of their results, so that V8 cannot remove the work. */
export const ours = {
  hash: ({ orders }: SigningHarness, { message }: SignedCase): boolean => orders.digest(message).length === 32,
  sign: ({ orders, key }: SigningHarness, { message, signature }: SignedCase): boolean =>
    orders.sign(message, key).signature === signature,
  recover: ({ orders }: SigningHarness, { wire, signature }: SignedCase): boolean => orders.verify(wire, signature).ok,
} as const;

/** The timed functions of viem. */
export const viems = {
  hash: (_: SigningHarness, { typedData, hash }: SignedCase): boolean => hashTypedData(typedData) === hash,
  sign: async ({ account }: SigningHarness, { typedData, signature }: SignedCase): Promise<boolean> =>
    (await account.signTypedData(typedData)) === signature,
  recover: async ({ account }: SigningHarness, { typedData, signature }: SignedCase): Promise<boolean> =>
    (await recoverTypedDataAddress({ ...typedData, signature })) === account.address,
} as const;

/** Returns an order to sign. */
export function sampleOrder({ address }: SigningKey): OrderMessage {
  return {
    salt: 0,
    maker: address,
    signer: address,
    marketId: '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b',
    outcome: 'YES',
    side: 'BUY',
    priceBps: 5250,
    shares: 100_000_000,
    timeInForce: 'GTC',
    postOnly: false,
    expiration: 0,
    timestampMs: 0,
    epoch: 0,
    maxFeeBps: 0,
    replaces: NO_HASH,
  };
}
