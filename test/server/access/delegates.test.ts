import { Wallet } from 'ethers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CreateApiKeyInput, DelegateGrant } from '../../../src/protocol/generated/schema-types.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { etherTypes } from '../../signing/harness.ts';
import { ALICE, BOB, type Caller, logIn, MINUTE, openVenue, START, unwrap, type Venue } from './harness.ts';

const alice = unwrap(ALICE);
const bob = unwrap(BOB);
let venue: Venue;
let caller: Caller;

beforeEach(async () => {
  venue = await openVenue();
  ({ caller } = await logIn(venue));
});
afterEach(() => venue.close());

const create = (input: CreateApiKeyInput) => venue.request(ALL_OPERATIONS.createApiKey, { input }, caller);
const revoke = (id: string) => venue.request(ALL_OPERATIONS.revokeApiKey, { id }, caller);

async function createKey(input: CreateApiKeyInput) {
  const { data, errors } = await create(input);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return unwrap(data?.createApiKey);
}

describe('a delegate', () => {
  const carol = new Wallet(`0x${'5'.repeat(64)}`);
  const signGrant = (privateKey: string, expiresAt = START + 10 * MINUTE, nonce: number | bigint = 2n ** 255n + 1n) => {
    const { signer, delegate } = venue.messages;
    const key = signer.key(privateKey);
    const message = {
      account: key.address,
      delegate: `0x${carol.address.slice(2).toLowerCase()}` as const,
      nonce,
      expiresAt,
    };
    const { signature } = delegate.sign(message, key);
    return { address: carol.address, nonce: String(nonce), expiresAt: String(expiresAt), signature };
  };
  const isDelegate = () => venue.access.isDelegate(alice.address, carol.address.toLowerCase());
  const trader: CreateApiKeyInput = { label: 'bot', scopes: ['TRADE'] };

  it('can sign for the account while its key is valid', async () => {
    expect(isDelegate()).toBe(false);
    const { apiKey } = await createKey({ ...trader, delegate: signGrant(alice.privateKey) });
    expect(apiKey.delegateAddress).toBe(carol.address.toLowerCase());
    expect(isDelegate()).toBe(true);
    expect(venue.access.isDelegate(bob.address, carol.address.toLowerCase())).toBe(false);
    expect(venue.access.isDelegate(alice.address, bob.address)).toBe(false);
    await revoke(apiKey.id);
    expect(isDelegate()).toBe(false);
  });

  it('cannot sign when its grant or its key has expired', async () => {
    await createKey({ ...trader, delegate: signGrant(alice.privateKey, START + 2 * MINUTE, 1) });
    await createKey({
      ...trader,
      expiresAt: new Date(START + 3 * MINUTE).toISOString(),
      delegate: signGrant(alice.privateKey, START + 9 * MINUTE, 2),
    });
    await venue.pass(3 * MINUTE - 1);
    expect(isDelegate()).toBe(true);
    await venue.pass(1);
    expect(isDelegate()).toBe(false);
  });

  it('can be granted with a signature of ethers', async () => {
    const grant = signGrant(alice.privateKey);
    const typed = venue.messages.delegate.typedData({
      account: alice.address,
      delegate: `0x${carol.address.slice(2).toLowerCase()}`,
      nonce: BigInt(grant.nonce),
      expiresAt: Number(grant.expiresAt),
    });
    const signature = await new Wallet(alice.privateKey).signTypedData({ ...typed.domain }, etherTypes(typed), {
      ...typed.message,
    });
    expect(signature).toBe(grant.signature);
    expect((await create({ ...trader, delegate: { ...grant, signature } })).errors).toEqual([]);
  });

  it('is granted only once by a message, even after its key was revoked', async () => {
    const grant = signGrant(alice.privateKey);
    const { apiKey } = await createKey({ ...trader, delegate: grant });
    const usedBefore = 'invalid argument: delegate.nonce: this grant was used before';
    expect((await create({ ...trader, delegate: grant })).errors[0]?.message).toBe(usedBefore);
    await revoke(apiKey.id);
    expect((await create({ ...trader, delegate: grant })).errors[0]?.message).toBe(usedBefore);
    expect(venue.store.registry.load('usedDigest')).toHaveLength(1);
  });

  it('is granted once when two requests arrive at once', async () => {
    const delegate = signGrant(alice.privateKey);
    const answers = await Promise.all([create({ ...trader, delegate }), create({ ...trader, delegate })]);
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
  });

  it.each<[string, () => DelegateGrant]>([
    ['signed by another account', () => signGrant(bob.privateKey)],
    ['for another address', () => ({ ...signGrant(alice.privateKey), address: bob.address })],
    [
      'with a later expiry than was signed',
      () => ({ ...signGrant(alice.privateKey), expiresAt: String(START + 99 * MINUTE) }),
    ],
    ['with another nonce than was signed', () => ({ ...signGrant(alice.privateKey), nonce: '7' })],
    ['that has expired', () => signGrant(alice.privateKey, START)],
    ['without a signature', () => ({ ...signGrant(alice.privateKey), signature: '0x' })],
  ])('is not granted by a message %s', async (_, delegate) => {
    const { data, errors } = await create({ ...trader, delegate: delegate() });
    expect(data).toEqual({ createApiKey: null });
    expect(errors[0]?.message).toMatch(/^invalid argument: delegate\./);
    expect(isDelegate()).toBe(false);
    expect(venue.access.keys.ofAccount(alice.address)).toEqual([]);
  });
});
