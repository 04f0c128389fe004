import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { BOB, type Caller, logIn, MINUTE, openVenue, START, unwrap, type Venue } from './harness.ts';

const EMAIL = 'alice@example.org';
let venue: Venue;
let caller: Caller;

beforeEach(async () => {
  venue = await openVenue();
  ({ caller } = await logIn(venue));
});
afterEach(() => venue.close());

const request = (email = EMAIL) => venue.request(ALL_OPERATIONS.requestEmailVerification, { email }, caller);
const verify = async (code: string, email = EMAIL) =>
  (await venue.request(ALL_OPERATIONS.verifyEmail, { email, code }, caller)).data?.verifyEmail;
const lastCode = () => unwrap(venue.mails.at(-1)).code;
const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const EXPIRES_AT = new Date(START + 15 * MINUTE).toISOString().replace('.000', '');

describe('a code', () => {
  it('has six digits, is sent to the address and is stored as a hash', async () => {
    const { data } = await request();
    expect(data?.requestEmailVerification).toEqual({ email: EMAIL, verified: false, expiresAt: EXPIRES_AT });
    expect(venue.mails).toEqual([
      { to: EMAIL, code: expect.stringMatching(/^\d{6}$/), expiresAt: START + 15 * MINUTE },
    ]);
    expect(JSON.stringify(venue.store.registry.load('emailCode'))).not.toContain(lastCode());
    const { data: mine } = await venue.request(ALL_OPERATIONS.me, {}, caller);
    expect(mine?.me).toMatchObject({ email: EMAIL, emailVerified: false });
  });

  it('verifies the address', async () => {
    await request();
    expect(await verify(lastCode())).toEqual({ email: EMAIL, verified: true, expiresAt: null });
    const { data } = await venue.request(ALL_OPERATIONS.me, {}, caller);
    expect(data?.me).toMatchObject({ email: EMAIL, emailVerified: true });
    expect(await verify('000000')).toEqual({ email: EMAIL, verified: true, expiresAt: null });
    expect((await request()).data?.requestEmailVerification?.verified).toBe(true);
    expect(venue.mails).toHaveLength(1);
  });

  it('is valid for fifteen minutes', async () => {
    await request();
    await venue.pass(15 * MINUTE - 1);
    expect(await verify(wrongCode(lastCode()))).toMatchObject({ verified: false, expiresAt: EXPIRES_AT });
    await venue.pass(1);
    const { caller: later } = await logIn(venue);
    const { data } = await venue.request(ALL_OPERATIONS.verifyEmail, { email: EMAIL, code: lastCode() }, later);
    expect(data?.verifyEmail).toEqual({ email: EMAIL, verified: false, expiresAt: null });
  });

  it('is invalid after the fifth wrong guess', async () => {
    await request();
    const code = lastCode();
    for (let guess = 0; guess < 4; guess += 1)
      expect(await verify(wrongCode(code))).toMatchObject({ expiresAt: EXPIRES_AT });
    expect(await verify(wrongCode(code))).toEqual({ email: EMAIL, verified: false, expiresAt: null });
    expect(await verify(code)).toEqual({ email: EMAIL, verified: false, expiresAt: null });
  });

  it('is invalid after the fifth wrong guess when all guesses arrive at once', async () => {
    await request();
    const code = lastCode();
    const guesses = [wrongCode(code), wrongCode(code), wrongCode(code), wrongCode(code), wrongCode(code), code];
    const results = await Promise.all(guesses.map((guess) => verify(guess)));
    expect(results.map((each) => each?.verified)).toEqual([false, false, false, false, false, false]);
  });

  it('is valid only for its address and account', async () => {
    await request();
    const code = lastCode();
    expect(await verify(code, 'mallory@example.org')).toMatchObject({ verified: false, expiresAt: null });
    const { caller: other } = await logIn(venue, unwrap(BOB));
    const { data } = await venue.request(ALL_OPERATIONS.verifyEmail, { email: EMAIL, code }, other);
    expect(data?.verifyEmail).toMatchObject({ verified: false });
    expect(await verify(code)).toMatchObject({ verified: true });
  });

  it('is invalid when a newer code was sent', async () => {
    await request();
    const code = lastCode();
    await request();
    if (code !== lastCode()) expect(await verify(code)).toMatchObject({ verified: false });
    expect(await verify(lastCode())).toMatchObject({ verified: true });
  });

  it('is sent at most five times an hour', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect((await request()).errors).toEqual([]);
      await venue.pass(MINUTE);
    }
    const { data, errors } = await request();
    expect(data).toEqual({ requestEmailVerification: null });
    expect(errors).toEqual([
      { message: `rate limited: retry in ${55 * MINUTE} ms`, path: ['requestEmailVerification'] },
    ]);
    expect(venue.mails).toHaveLength(5);
  });

  it.each([
    '',
    'alice',
    'alice@',
    '@example.org',
    'alice@example',
    'a b@example.org',
    'alice@example.org\nBcc: all@example.org',
    'alice@example.org,bob@example.org',
    '<alice@example.org>',
    `${'a'.repeat(250)}@example.org`,
  ])('is not sent to %j', async (email) => {
    const { data, errors } = await request(email);
    expect(data).toEqual({ requestEmailVerification: null });
    expect(errors[0]?.message).toMatch(/^invalid argument: email: expected an e-mail address/);
    expect(venue.mails).toEqual([]);
  });
});
