import { Wallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VariablesOf } from '../../../src/protocol/operation.ts';
import { loginDomain, signedMessages } from '../../../src/signing/index.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { DOMAINS, etherTypes } from '../../signing/harness.ts';
import {
  ALICE,
  AUDIENCE,
  BOB,
  bearer,
  logIn,
  MINUTE,
  openVenue,
  requestChallenge,
  START,
  signerOf,
  unauthorizedFor,
  unwrap,
  type Venue,
} from './harness.ts';

const alice = unwrap(ALICE);
const bob = unwrap(BOB);
let venue: Venue;

beforeEach(async () => {
  venue = await openVenue();
});
afterEach(() => venue.close());

const readAccount = (token: string) => venue.request(ALL_OPERATIONS.me, {}, bearer(token));

describe('a challenge', () => {
  it('is a Login message for this venue that is valid for five minutes', async () => {
    const { challenge, typedData } = await requestChallenge(venue, alice.address, () => '0x');
    expect(typedData.primaryType).toBe('Login');
    expect(typedData.domain).toEqual({ name: 'Prediction Market Login', version: '1', chainId: 31_337 });
    expect(typedData.message).toMatchObject({
      account: alice.address,
      audience: AUDIENCE,
      nonce: challenge.nonce,
      issuedAt: String(START),
      expiresAt: String(START + 5 * MINUTE),
    });
    expect(challenge.expiresAt).toBe(new Date(START + 5 * MINUTE).toISOString().replace('.000Z', 'Z'));
  });

  it('has a new nonce each time and opens no session', async () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 200; count += 1) {
      const { challenge } = await requestChallenge(venue, alice.address, () => '0x');
      nonces.add(challenge.nonce);
    }
    expect(nonces.size).toBe(200);
    expect(venue.access.sessions.size).toBe(0);
  });

  it('refuses an invalid address', async () => {
    const { data, errors } = await venue.request(ALL_OPERATIONS.authChallenge, { address: '0x1234' });
    expect(data).toEqual({ authChallenge: null });
    expect(errors).toEqual([
      { message: 'invalid argument: address: expected 0x and 40 hex digits, got "0x1234"', path: ['authChallenge'] },
    ]);
  });
});

describe('a login', () => {
  it('accepts a signature of viem', async () => {
    const account = privateKeyToAccount(alice.privateKey);
    const { input } = await requestChallenge(venue, alice.address, ({ types, domain, primaryType, message }) =>
      account.signTypedData({ types, domain, primaryType, message }),
    );
    const { data, errors } = await venue.request(ALL_OPERATIONS.createSession, { input });
    expect(errors).toEqual([]);
    expect(data?.createSession.tokenType).toBe('Bearer');
  });

  it('accepts a signature of ethers and an address in any case', async () => {
    const wallet = new Wallet(alice.privateKey);
    const { input } = await requestChallenge(venue, wallet.address, (typedData) =>
      wallet.signTypedData({ ...typedData.domain }, etherTypes(typedData), { ...typedData.message }),
    );
    const { data } = await venue.request(ALL_OPERATIONS.createSession, { input });
    expect(data?.createSession.account.address).toBe(alice.address);
  });

  it('opens the account and credits its play money once', async () => {
    await logIn(venue);
    await logIn(venue);
    const { view } = venue.queue;
    expect(view.accountCount).toBe(1);
    expect(view.account(view.accountOf(alice.address))?.available).toBe(10_000_000_000);
  });

  it('opens one account when two logins arrive at once', async () => {
    const sign = signerOf(venue, alice.privateKey);
    const challenges = [
      await requestChallenge(venue, alice.address, sign),
      await requestChallenge(venue, alice.address, sign),
    ];
    const answers = await Promise.all(
      challenges.map(({ input }) => venue.request(ALL_OPERATIONS.createSession, { input })),
    );
    expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
    expect(venue.queue.view.account(1)?.available).toBe(10_000_000_000);
    expect(venue.access.sessions.size).toBe(2);
  });

  it('credits nothing when the configured credit is 0', async () => {
    await venue.close();
    venue = await openVenue({ settings: { creditCents: 0 } });
    await logIn(venue);
    expect(venue.queue.view.account(1)?.available).toBe(0);
  });

  it('returns tokens that the database does not contain', async () => {
    const { accessToken, refreshToken } = await logIn(venue);
    const rows = JSON.stringify([...venue.store.registry.load('session'), ...venue.store.registry.load('secret')]);
    for (const part of [...accessToken.split('_'), ...refreshToken.split('_')].filter(({ length }) => length > 8)) {
      expect(rows).not.toContain(part);
    }
    expect(accessToken).toMatch(/^pma_[0-9a-f]{64}$/);
    expect(refreshToken).toMatch(/^pmr_[0-9a-f]{32}_[0-9a-f]{64}$/);
  });
});

describe('a login is refused as UNAUTHORIZED', () => {
  type Input = VariablesOf<typeof ALL_OPERATIONS.createSession>['input'];
  const attempt = (input: Input) => venue.request(ALL_OPERATIONS.createSession, { input });
  const refused = unauthorizedFor('createSession');
  const validLogin = () => requestChallenge(venue, alice.address, signerOf(venue, alice.privateKey));

  it('with a nonce that was used', async () => {
    const { input } = await validLogin();
    expect((await attempt(input)).errors).toEqual([]);
    expect(await attempt(input)).toEqual(refused);
  });

  it('with a used nonce in upper case', async () => {
    const { input } = await validLogin();
    await attempt(input);
    const upper = { ...input, nonce: `0x${input.nonce.slice(2).toUpperCase()}` };
    expect(await attempt(upper)).toEqual(refused);
  });

  it('for one of two concurrent requests with the same signature', async () => {
    const { input } = await validLogin();
    const answers = await Promise.all([attempt(input), attempt(input)]);
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
  });

  it('when the challenge is five minutes old, but not a millisecond earlier', async () => {
    const { input: early } = await validLogin();
    const { input: late } = await validLogin();
    await venue.pass(5 * MINUTE - 1);
    expect((await attempt(early)).errors).toEqual([]);
    await venue.pass(1);
    expect(await attempt(late)).toEqual(refused);
  });

  it('with an expiry other than that of the challenge', async () => {
    const sign = signerOf(venue, alice.privateKey);
    const { input, typedData } = await validLogin();
    const expiresAt = String(START + 50 * MINUTE);
    const signature = await sign({ ...typedData, message: { ...typedData.message, expiresAt } });
    expect(await attempt({ ...input, expiresAt, signature })).toEqual(refused);
  });

  it('with a nonce that the venue did not issue', async () => {
    const sign = signerOf(venue, alice.privateKey);
    const { input, typedData } = await validLogin();
    const nonce = `0x${'ab'.repeat(32)}`;
    const signature = await sign({ ...typedData, message: { ...typedData.message, nonce } });
    expect(await attempt({ ...input, nonce, signature })).toEqual(refused);
  });

  it('with a nonce that was issued to another address', async () => {
    const { input, typedData } = await validLogin();
    const signature = await signerOf(
      venue,
      bob.privateKey,
    )({
      ...typedData,
      message: { ...typedData.message, account: bob.address },
    });
    expect(await attempt({ ...input, address: bob.address, signature })).toEqual(refused);
  });

  it.each([
    ['audience', 'https://elsewhere.example'],
    ['statement', 'Log in to somewhere else.'],
  ])('when another %s was signed', async (field, value) => {
    const { input, typedData } = await validLogin();
    const signature = await signerOf(
      venue,
      alice.privateKey,
    )({
      ...typedData,
      message: { ...typedData.message, [field]: value },
    });
    expect(await attempt({ ...input, signature })).toEqual(refused);
  });

  it('when the message was signed for another chain', async () => {
    const other = signedMessages(venue.messages.signer, { ...DOMAINS, login: loginDomain(1) });
    const { input, typedData } = await validLogin();
    const { login } = venue.messages;
    const read = login.compare(typedData, {});
    if (!read.ok) throw new Error(read.field);
    const { signature } = other.login.sign(read.message, venue.messages.signer.key(alice.privateKey));
    expect(await attempt({ ...input, signature })).toEqual(refused);
  });

  it('when another account signed', async () => {
    const { input } = await requestChallenge(venue, alice.address, signerOf(venue, bob.privateKey));
    expect(await attempt(input)).toEqual(refused);
  });

  it.each(['0x', '0x1234', `0x${'00'.repeat(65)}`])('with %s as the signature', async (signature) => {
    const { input } = await validLogin();
    expect(await attempt({ ...input, signature })).toEqual(refused);
  });

  it('with a wrong signature, which neither uses the nonce nor opens an account', async () => {
    const { input } = await validLogin();
    expect(await attempt({ ...input, signature: '0x' })).toEqual(refused);
    expect(venue.queue.view.accountCount).toBe(0);
    expect((await attempt(input)).errors).toEqual([]);
  });

  it('with a challenge of an earlier run of the server', async () => {
    const { input } = await validLogin();
    const later = await openVenue();
    expect((await later.request(ALL_OPERATIONS.createSession, { input })).errors[0]?.message).toBe('UNAUTHORIZED');
    await later.close();
  });
});

describe('an access token', () => {
  it('is valid for fifteen minutes', async () => {
    const { accessToken, expiresAt } = await logIn(venue);
    expect(Date.parse(expiresAt)).toBe(START + 15 * MINUTE);
    await venue.pass(15 * MINUTE - 1);
    expect((await readAccount(accessToken)).errors).toEqual([]);
    await venue.pass(1);
    expect(await readAccount(accessToken)).toEqual(unauthorizedFor('me'));
  });

  it.each([
    ['Bearer', 'Bearer '],
    ['bearer', 'bearer '],
    ['BEARER and two spaces', 'BEARER  '],
  ])('is read after %s', async (_, scheme) => {
    const { accessToken } = await logIn(venue);
    const { errors } = await venue.request(ALL_OPERATIONS.me, {}, { authorization: `${scheme}${accessToken}` });
    expect(errors).toEqual([]);
  });

  it.each([
    '',
    'Bearer',
    'Basic YTpi',
    'Bearer  ',
    'Bearer pma_00',
    `Bearer pma_${'0'.repeat(64)}`,
    'x'.repeat(100_000),
  ])('that is invalid leaves public fields readable: %.30s', async (authorization) => {
    const { errors } = await venue.request(ALL_OPERATIONS.geoCheck, {}, { authorization });
    expect(errors).toEqual([]);
    expect(await venue.request(ALL_OPERATIONS.me, {}, { authorization })).toEqual(unauthorizedFor('me'));
  });

  it('is refused as a refresh token, and a refresh token is refused as an access token', async () => {
    const { accessToken, refreshToken } = await logIn(venue);
    expect(await readAccount(refreshToken)).toEqual(unauthorizedFor('me'));
    expect(await venue.request(ALL_OPERATIONS.refreshSession, { refreshToken: accessToken })).toEqual(
      unauthorizedFor('refreshSession'),
    );
  });
});
