/**
 * A HALTED venue takes reads, logins and heartbeats only (docs/spec/venue.md#venue-modes); beside them only what ends
 * something.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/protocol/index.ts';
import { type Caller, logIn, openVenue, present, type Venue } from './harness.ts';

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

const changes = async (): Promise<readonly (string | undefined)[]> => {
  const answers = [
    await venue.ask(OPERATIONS.createApiKey, KEY, caller),
    await venue.ask(OPERATIONS.provisionWallet, { chainId: 31_337 }, caller),
    await venue.ask(OPERATIONS.requestEmailVerification, { email: 'alice@example.org' }, caller),
    await venue.ask(OPERATIONS.verifyEmail, { email: 'alice@example.org', code: '000000' }, caller),
  ];
  return answers.map(({ errors }) => errors[0]?.message);
};

it('a halted venue refuses new keys, wallets and email addresses and stores nothing of them', async () => {
  await setMode('HALTED');
  expect(await changes()).toEqual([REFUSED, REFUSED, REFUSED, REFUSED]);
  expect(venue.mails).toEqual([]);
  const { data } = await venue.ask(OPERATIONS.me, {}, caller);
  expect(data?.me).toMatchObject({ apiKeys: [], email: null });
  expect((await venue.ask(OPERATIONS.wallets, {}, caller)).data?.wallets).toEqual([]);
});

it.each(['NORMAL', 'CANCEL_ONLY'] as const)(
  'a venue creates keys, wallets and email addresses in mode %s',
  async (mode) => {
    await setMode(mode);
    expect(await changes()).toEqual([undefined, undefined, undefined, undefined]);
  },
);

it('a halted venue allows logins and the end of keys and sessions', async () => {
  const { data } = await venue.ask(OPERATIONS.createApiKey, KEY, caller);
  const { id } = present(data?.createApiKey).apiKey;
  await setMode('HALTED');
  const { caller: again } = await logIn(venue);
  expect((await venue.ask(OPERATIONS.me, {}, again)).errors).toEqual([]);
  expect((await venue.ask(OPERATIONS.revokeApiKey, { id }, again)).data?.revokeApiKey).toEqual({ revokedId: id });
  expect((await venue.ask(OPERATIONS.revokeSession, {}, again)).data?.revokeSession).toEqual({ revoked: true });
  expect((await venue.ask(OPERATIONS.me, {}, again)).errors[0]?.message).toBe('UNAUTHORIZED');
});
