import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import type { CreateApiKeyInput } from '../../../src/protocol/generated/schema-types.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import {
  ALICE,
  BOB,
  bearer,
  type Caller,
  logIn,
  MINUTE,
  openVenue,
  START,
  unauthorizedFor,
  unwrap,
  type Venue,
} from './harness.ts';

const alice = unwrap(ALICE);
const bob = unwrap(BOB);
let venue: Venue;
let caller: Caller;

beforeEach(async () => {
  venue = await openVenue();
  ({ caller } = await logIn(venue));
});
afterEach(() => venue.close());

const READ: CreateApiKeyInput = { label: 'reader', scopes: ['READ'] };
const create = (input: CreateApiKeyInput = READ, client = caller) =>
  venue.request(ALL_OPERATIONS.createApiKey, { input }, client);
const readAccount = (client: Caller) => venue.request(ALL_OPERATIONS.me, {}, client);
const revoke = (id: string, client = caller) => venue.request(ALL_OPERATIONS.revokeApiKey, { id }, client);
const timeAfterStart = (ms: number) => new Date(START + ms).toISOString();

async function createKey(input: CreateApiKeyInput = READ) {
  const { data, errors } = await create(input);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return unwrap(data?.createApiKey);
}

describe('a new key', () => {
  it('is returned once, contains its id and is stored as a hash', async () => {
    const { apiKey, secret } = await createKey();
    expect(secret).toMatch(/^pmk_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}_[0-9a-f]{64}$/);
    expect(secret.split('_')[1]).toBe(apiKey.id);
    expect(JSON.stringify(venue.store.registry.load('apiKey'))).not.toContain(secret.slice(-64));
    const { data } = await readAccount(caller);
    expect(data?.me.apiKeys).toEqual([apiKey]);
    expect(JSON.stringify(data)).not.toContain(secret.slice(-64));
  });

  it('authorizes requests', async () => {
    const { secret } = await createKey();
    const { data } = await readAccount(bearer(secret));
    expect(data?.me).toMatchObject({ address: alice.address, scopes: ['READ'] });
  });

  it('has each scope once in the order of the schema', async () => {
    const { apiKey } = await createKey({ label: 'all', scopes: ['TRADE', 'READ', 'TRADE'] });
    expect(apiKey.scopes).toEqual(['READ', 'TRADE']);
  });

  it('cannot be created by a caller who authenticates with a key', async () => {
    const { secret } = await createKey({ label: 'all', scopes: ['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'] });
    const { data, errors } = await create(READ, bearer(secret));
    expect(data).toBeNull();
    expect(errors).toEqual([{ message: 'forbidden: needs scope SESSION', path: ['createApiKey'] }]);
  });

  it('cannot have more scopes than its creator', async () => {
    const viewer = { ...unwrap(venue.context(caller).viewer), scopes: ['READ'] as const };
    const { apiKeyService } = venue.access;
    const input = { label: 'x', scopes: ['READ', 'TRADE'] as const };
    await expect(apiKeyService.create(viewer, input, venue.clock.now())).rejects.toThrow(
      'forbidden: needs scope TRADE',
    );
  });

  it.each<[string, CreateApiKeyInput, string]>([
    ['no scope', { label: 'x', scopes: [] }, 'invalid argument: scopes: expected at least one scope, got a list'],
    ['no label', { label: ' ', scopes: ['READ'] }, 'invalid argument: label: expected 1 to 64 characters, got " "'],
    [
      'an expiry in the past',
      { ...READ, expiresAt: timeAfterStart(0) },
      'invalid argument: expiresAt: expected a time in the future, got "2027-01-15T08:00:00Z"',
    ],
    [
      'an invalid address',
      { ...READ, ipAllowList: ['10.0.0.300'] },
      'invalid argument: ipAllowList: expected an IPv4 or IPv6 address, or a range such as 10.0.0.0/8 or 2001:db8::/32, got "10.0.0.300"',
    ],
  ])('is refused with %s', async (_, input, message) => {
    const { data, errors } = await create(input);
    expect(data).toEqual({ createApiKey: null });
    expect(errors).toEqual([{ message, path: ['createApiKey'] }]);
    expect(venue.store.registry.load('apiKey')).toEqual([]);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    'fe80::1%eth0',
    '',
    'localhost',
    '10.0.0.0/-1',
  ])('is refused with %j in its address list', async (entry) => {
    const { errors } = await create({ ...READ, ipAllowList: [entry] });
    expect(errors[0]?.message).toContain('invalid argument: ipAllowList');
  });

  it('is refused when the account has too many keys', async () => {
    await venue.close();
    venue = await openVenue({ settings: { maxKeys: 2 } });
    ({ caller } = await logIn(venue));
    const { apiKey } = await createKey();
    await createKey();
    expect((await create()).errors[0]?.message).toContain('the maximum');
    await revoke(apiKey.id);
    expect((await create()).errors[0]?.message, 'a revoked key still counts for a day').toContain('counts for a day');
    await venue.pass(1_440 * MINUTE);
    ({ caller } = await logIn(venue));
    expect((await create()).errors).toEqual([]);
  });
});

describe('a key', () => {
  it('is refused from its expiry on', async () => {
    const { secret } = await createKey({ ...READ, expiresAt: timeAfterStart(MINUTE) });
    await venue.pass(MINUTE - 1);
    expect((await readAccount(bearer(secret))).errors).toEqual([]);
    await venue.pass(1);
    expect(await readAccount(bearer(secret))).toEqual(unauthorizedFor('me'));
  });

  it('notifies its watchers when it expires', async () => {
    const { apiKey } = await createKey({ ...READ, expiresAt: timeAfterStart(MINUTE) });
    const reported: string[] = [];
    venue.access.credentials.onEnd(apiKey.id, () => reported.push('ended'));
    await venue.pass(MINUTE - 1);
    expect(reported).toEqual([]);
    await venue.pass(1);
    expect(reported).toEqual(['ended']);
  });

  it('is watched without a timer when it never expires', async () => {
    const { apiKey } = await createKey();
    const { pending } = venue.clock;
    const reported: string[] = [];
    venue.access.credentials.onEnd(apiKey.id, () => reported.push('ended'));
    expect(venue.clock.pending).toBe(pending);
    await revoke(apiKey.id);
    expect(reported).toEqual(['ended']);
  });

  it.each([
    ['192.0.2.1', true],
    ['192.0.2.2', false],
    ['10.200.3.4', true],
    ['11.0.0.1', false],
    ['2001:db8:77::1', true],
    ['2001:db9::1', false],
    ['::1', true],
    ['unknown', false],
  ])('with an address list is valid from %s: %s', async (ip, isGood) => {
    const { secret, apiKey } = await createKey({
      ...READ,
      ipAllowList: ['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1'],
    });
    expect(apiKey.ipAllowList).toEqual(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', '::1']);
    const answer = await venue.request(ALL_OPERATIONS.me, {}, { ...bearer(secret), ip });
    if (isGood) expect(answer.errors).toEqual([]);
    else expect(answer).toEqual(unauthorizedFor('me'));
  });

  it('shows its last use and stores it at most once a minute', async () => {
    const { secret } = await createKey();
    await venue.pass(MINUTE);
    let writes = 0;
    const { registry } = venue.store;
    const put = registry.put.bind(registry);
    registry.put = (change) => {
      if (change.table === 'apiKey') writes += 1;
      put(change);
    };
    for (let count = 0; count < 50; count += 1) {
      await readAccount(bearer(secret));
      await venue.pass(1_000);
    }
    expect(writes).toBe(1);
    const { data } = await readAccount(caller);
    expect(data?.me.apiKeys[0]?.lastUsedAt).toBe(new Date(START + MINUTE + 49_000).toISOString().replace('.000', ''));
    await venue.pass(MINUTE);
    await readAccount(bearer(secret));
    expect(writes).toBe(2);
  });
});

describe('a revoked key', () => {
  it('is refused, and the exchange revokes its credential', async () => {
    const { apiKey, secret } = await createKey({ label: 'trader', scopes: ['READ', 'TRADE'] });
    const { number } = unwrap(venue.access.keys.get(apiKey.id));
    await readAccount(bearer(secret));
    const { data } = await revoke(apiKey.id);
    expect(data?.revokeApiKey).toEqual({ revokedId: apiKey.id });
    expect(await readAccount(bearer(secret))).toEqual(unauthorizedFor('me'));
    expect(venue.queue.view.credentialState(number)).toMatchObject({ account: 1, revoked: true });
    expect((await readAccount(caller)).data?.me.apiKeys).toEqual([]);
  });

  it.each<[string, CreateApiKeyInput, boolean]>([
    ['could not place orders', { label: 'r', scopes: ['READ', 'WITHDRAW'] }, true],
    ['was never used', { label: 't', scopes: ['TRADE'] }, false],
  ])('changes nothing at the exchange when it %s', async (_, input, isUsed) => {
    const { apiKey, secret } = await createKey(input);
    if (isUsed) venue.context(bearer(secret));
    const { seq } = venue.queue.view;
    await revoke(apiKey.id);
    expect(venue.queue.view.seq).toBe(seq);
    expect(venue.context(bearer(secret)).viewer).toBeUndefined();
  });

  it('stays revoked and returns an error when the exchange cannot cancel its orders', async () => {
    const { apiKey, secret } = await createKey({ label: 'trader', scopes: ['TRADE'] });
    venue.context(bearer(secret));
    const run = venue.queue.run.bind(venue.queue);
    venue.queue.run = (task) =>
      run({ ...task, command: () => ({ ...unwrap(task.command()), account: unchecked.account(7) }) });
    const { errors } = await revoke(apiKey.id);
    expect(errors).toEqual([{ message: 'internal error r1', path: ['revokeApiKey'] }]);
    expect(venue.context(bearer(secret)).viewer).toBeUndefined();
    venue.queue.run = run;
    expect((await revoke(apiKey.id)).errors).toEqual([]);
    expect(venue.queue.view.credentialState(unwrap(venue.access.keys.get(apiKey.id)).number)).toMatchObject({
      revoked: true,
    });
  });

  it('keeps its credential number, which its commands in flight still use', async () => {
    const { apiKey, secret } = await createKey({ label: 'trader', scopes: ['TRADE'] });
    const viewer = unwrap(venue.context(bearer(secret)).viewer);
    const before = venue.access.credentialNo(viewer);
    await revoke(apiKey.id);
    expect(venue.access.credentialNo(viewer)).toBe(before);
  });

  it('is not changed by a second revocation', async () => {
    const { apiKey } = await createKey();
    await revoke(apiKey.id);
    const { seq } = venue.queue.view;
    expect((await revoke(apiKey.id.toUpperCase())).data?.revokeApiKey?.revokedId).toBe(apiKey.id);
    expect(venue.queue.view.seq).toBe(seq);
  });

  it('can only be revoked by its own account', async () => {
    const { apiKey, secret } = await createKey();
    const stranger = await logIn(venue, bob);
    for (const id of [apiKey.id, '00000000-0000-4000-8000-000000000000']) {
      const { errors } = await revoke(id, stranger.caller);
      expect(errors).toEqual([{ message: 'invalid key ID: the account has no such key', path: ['revokeApiKey'] }]);
    }
    expect((await revoke('x')).errors[0]?.message).toMatch(/^invalid key ID: expected a UUID/);
    expect((await readAccount(bearer(secret))).errors).toEqual([]);
  });
});

it('a request for the number of a deleted credential throws UNAUTHORIZED', async () => {
  const viewer = unwrap(venue.context(caller).viewer);
  expect(venue.access.credentialNo(viewer)).toBe(unchecked.credential(1));
  await venue.request(ALL_OPERATIONS.revokeSession, {}, caller);
  expect(() => venue.access.credentialNo(viewer)).toThrow('UNAUTHORIZED');
});
