/**
 * A HALTED venue accepts only reads, logins, heartbeats and requests that end a key or a session
 * (docs/spec/venue.md#venue-modes).
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { type Caller, logIn, openVenue, unwrap, type Venue } from './harness.ts';

const REFUSED = 'refused: the current mode of the venue does not allow this: retry in 1000 ms';
let venue: Venue;
let caller: Caller;

beforeEach(async () => {
  venue = await openVenue();
  ({ caller } = await logIn(venue));
});
afterEach(() => venue.close());

const setMode = (mode: 'NORMAL' | 'CANCEL_ONLY' | 'HALTED') =>
  venue.queue.execute({ type: 'setMode', time: venue.clock.now(), mode });
const KEY = { input: { label: 'bot', scopes: ['READ'] } } as const;

const changeErrors = async (): Promise<readonly (string | undefined)[]> => {
  const answers = [
    await venue.request(ALL_OPERATIONS.createApiKey, KEY, caller),
    await venue.request(ALL_OPERATIONS.provisionWallet, { chainId: 31_337 }, caller),
    await venue.request(ALL_OPERATIONS.requestEmailVerification, { email: 'alice@example.org' }, caller),
    await venue.request(ALL_OPERATIONS.verifyEmail, { email: 'alice@example.org', code: '000000' }, caller),
  ];
  return answers.map(({ errors }) => errors[0]?.message);
};

it('a halted venue refuses and does not store new keys, wallets and email addresses', async () => {
  await setMode('HALTED');
  expect(await changeErrors()).toEqual([REFUSED, REFUSED, REFUSED, REFUSED]);
  expect(venue.mails).toEqual([]);
  const { data } = await venue.request(ALL_OPERATIONS.me, {}, caller);
  expect(data?.me).toMatchObject({ apiKeys: [], email: null });
  expect((await venue.request(ALL_OPERATIONS.wallets, {}, caller)).data?.wallets).toEqual([]);
});

it.each(['NORMAL', 'CANCEL_ONLY'] as const)(
  'a venue in mode %s accepts requests for keys, wallets and email verification',
  async (mode) => {
    await setMode(mode);
    expect(await changeErrors()).toEqual([undefined, undefined, undefined, undefined]);
  },
);

it('a halted venue allows logins and the revocation of keys and sessions', async () => {
  const { data } = await venue.request(ALL_OPERATIONS.createApiKey, KEY, caller);
  const { id } = unwrap(data?.createApiKey).apiKey;
  await setMode('HALTED');
  const { caller: again } = await logIn(venue);
  expect((await venue.request(ALL_OPERATIONS.me, {}, again)).errors).toEqual([]);
  expect((await venue.request(ALL_OPERATIONS.revokeApiKey, { id }, again)).data?.revokeApiKey).toEqual({
    revokedId: id,
  });
  expect((await venue.request(ALL_OPERATIONS.revokeSession, {}, again)).data?.revokeSession).toEqual({ revoked: true });
  expect((await venue.request(ALL_OPERATIONS.me, {}, again)).errors[0]?.message).toBe('UNAUTHORIZED');
});
