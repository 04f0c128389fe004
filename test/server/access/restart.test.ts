/** State of the access layer after the server was stopped, or killed with SIGKILL at any moment. */

import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { durationMs, Fault, unchecked } from '../../../src/domain/index.ts';
import type { ExecuteWithdrawalInput } from '../../../src/protocol/generated/schema-types.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import {
  ALICE,
  bearer,
  logIn,
  MINUTE,
  openVenue,
  unauthorizedFor,
  unwrap,
  type Venue,
  type VenueOptions,
} from './harness.ts';
import { afterEachTransaction, cashOf, signedWithdrawal, sumOfLedger, walletFor } from './withdrawing.ts';

const alice = unwrap(ALICE);
const CREDIT_MICRO_USD = 10_000_000_000;
let folder: string;
let file: string;
let running: Venue[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'access-'));
  file = join(folder, 'venue.db');
  running = [];
});
afterEach(async () => {
  for (const venue of running) await venue.close();
  rmSync(folder, { recursive: true });
});

async function start(options: VenueOptions = {}): Promise<Venue> {
  const venue = await openVenue({ file, ...options });
  running.push(venue);
  return venue;
}

async function stop(venue: Venue): Promise<number> {
  running = running.filter((each) => each !== venue);
  const now = venue.clock.now();
  await venue.close();
  return now;
}

/** Stops the venue and starts it again at the same simulated time. */
async function restart(venue: Venue, options: VenueOptions = {}): Promise<Venue> {
  return start({ ...options, start: await stop(venue) });
}

describe('after a restart', () => {
  it('sessions continue with access tokens, refresh tokens and used refresh tokens', async () => {
    let venue = await start();
    const { accessToken, refreshToken } = await logIn(venue);
    venue = await restart(venue);
    expect((await venue.request(ALL_OPERATIONS.me, {}, bearer(accessToken))).errors).toEqual([]);
    const { data } = await venue.request(ALL_OPERATIONS.refreshSession, { refreshToken });
    const renewed = unwrap(data?.refreshSession);
    venue = await restart(venue);
    for (const token of [accessToken, renewed.accessToken]) {
      expect((await venue.request(ALL_OPERATIONS.me, {}, bearer(token))).errors).toEqual([]);
    }
    await venue.request(ALL_OPERATIONS.refreshSession, { refreshToken });
    venue = await restart(venue);
    expect(await venue.request(ALL_OPERATIONS.me, {}, bearer(renewed.accessToken))).toEqual(unauthorizedFor('me'));
  });

  it('a shorter lifetime of refresh tokens also applies to older sessions', async () => {
    let venue = await start();
    await logIn(venue);
    venue = await restart(venue, { settings: { refreshTokenMs: durationMs(60 * MINUTE) } });
    await logIn(venue);
    await venue.pass(60 * MINUTE);
    await logIn(venue);
    expect(venue.access.sessions.size).toBe(1);
  });

  it('keys have the same scopes, address lists, expiry, revocations and grants', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    const { delegate, signer } = venue.messages;
    const key = signer.key(alice.privateKey);
    const grant = {
      account: key.address,
      delegate: `0x${'ee'.repeat(20)}` as const,
      nonce: 1,
      expiresAt: venue.clock.now() + MINUTE,
    };
    const input = {
      label: 'bot',
      scopes: ['READ'] as const,
      ipAllowList: ['10.0.0.0/8'],
      expiresAt: new Date(venue.clock.now() + 2 * MINUTE).toISOString(),
      delegate: {
        address: grant.delegate,
        nonce: '1',
        expiresAt: String(grant.expiresAt),
        signature: delegate.sign(grant, key).signature,
      },
    };
    const created = unwrap((await venue.request(ALL_OPERATIONS.createApiKey, { input }, caller)).data?.createApiKey);
    const revokedKey = unwrap(
      (await venue.request(ALL_OPERATIONS.createApiKey, { input: { label: 'x', scopes: ['READ'] } }, caller)).data,
    );
    await venue.request(ALL_OPERATIONS.revokeApiKey, { id: unwrap(revokedKey.createApiKey).apiKey.id }, caller);
    venue = await restart(venue);
    expect((await venue.request(ALL_OPERATIONS.me, {}, caller)).data?.me.apiKeys).toEqual([created.apiKey]);
    expect(venue.context({ ...bearer(created.secret), ip: '10.1.1.1' }).viewer?.scopes).toEqual(['READ']);
    expect(venue.context({ ...bearer(created.secret), ip: '11.1.1.1' }).viewer).toBeUndefined();
    expect(venue.context(bearer(unwrap(revokedKey.createApiKey).secret)).viewer).toBeUndefined();
    expect(venue.access.isDelegate(alice.address, grant.delegate)).toBe(true);
    const again = await venue.request(ALL_OPERATIONS.createApiKey, { input }, caller);
    expect(again.errors[0]?.message).toContain('this grant was used before');
    await venue.pass(2 * MINUTE);
    expect(venue.context({ ...bearer(created.secret), ip: '10.1.1.1' }).viewer).toBeUndefined();
    venue = await restart(venue);
    expect(venue.store.registry.load('usedDigest'), 'expired grants are deleted').toEqual([]);
  });

  it('a revocation that the exchange did not receive is sent to it', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    const { data } = await venue.request(
      ALL_OPERATIONS.createApiKey,
      { input: { label: 'x', scopes: ['TRADE'] } },
      caller,
    );
    const { apiKey, secret } = unwrap(data?.createApiKey);
    const { id } = apiKey;
    venue.context(bearer(secret));
    const number = unwrap(venue.access.keys.get(id)).number;
    venue.access.keys.revoke(id, venue.clock.now());
    venue = await restart(venue);
    expect(venue.queue.view.credentialState(number)).toMatchObject({ revoked: true });
  });

  it('the dead-man switch of an ended session fires and is then deleted', async () => {
    let venue = await start();
    const { caller, refreshToken } = await logIn(venue);
    const credential = venue.access.credentialNo(unwrap(venue.context(caller).viewer));
    const sender = { time: venue.clock.now(), account: unchecked.account(1), credential };
    await venue.queue.execute({ type: 'heartbeat', ...sender, timeout: durationMs(MINUTE) });
    for (let count = 0; count < 2; count += 1) await venue.request(ALL_OPERATIONS.refreshSession, { refreshToken });
    venue = await restart(venue);
    expect(venue.access.switches.size).toBe(1);
    expect(venue.queue.view.credentialState(credential)).toMatchObject({ lapsed: false });
    await stop(venue);
    venue = await start({ start: venue.clock.now() + 2 * MINUTE });
    await venue.pass(0);
    expect(venue.queue.view.credentialState(credential)).toBeUndefined();
    expect(venue.store.registry.load('orphanedSwitch')).toEqual([]);
  });

  it('numbers of deleted credentials are not reused', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    await venue.request(ALL_OPERATIONS.revokeSession, {}, caller);
    venue = await restart(venue);
    const { caller: later } = await logIn(venue);
    expect(venue.access.credentialNo(unwrap(venue.context(later).viewer))).toBe(2);
  });

  it('wrong guesses of a code from before the restart count', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    const email = 'a@b.example';
    await venue.request(ALL_OPERATIONS.requestEmailVerification, { email }, caller);
    const { code } = unwrap(venue.mails[0]);
    for (let guess = 0; guess < 5; guess += 1) {
      await venue.request(ALL_OPERATIONS.verifyEmail, { email, code: 'wrong' }, caller);
      venue = await restart(venue);
    }
    const { data } = await venue.request(ALL_OPERATIONS.verifyEmail, { email, code }, caller);
    expect(data?.verifyEmail).toEqual({ email, verified: false, expiresAt: null });
  });

  it('withdrawals that an older version stored without an index are listed and completed', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    const walletId = await walletFor(venue, caller);
    const sign = (nonce: number) =>
      signedWithdrawal(venue, { walletId, key: alice.privateKey, nonce, clientWithdrawalId: `w${nonce}` });
    const inputs = [sign(1), sign(2)];
    await venue.request(ALL_OPERATIONS.executeWithdrawal, { input: unwrap(inputs[0]) }, caller);
    await venue.pass(MINUTE / 4);
    await venue.request(ALL_OPERATIONS.executeWithdrawal, { input: unwrap(inputs[1]) }, caller);
    const { registry } = venue.store;
    for (const table of ['withdrawalIndex', 'unfinishedWithdrawal'] as const) {
      expect(registry.load(table).length).toBeGreaterThan(0);
      for (const { key } of registry.load(table)) registry.put({ table, key, value: undefined });
    }
    registry.put({ table: 'setting', key: 'access.withdrawals', value: undefined });
    venue = await restart(venue);
    const { data } = await venue.request(ALL_OPERATIONS.withdrawals, { first: 1 }, caller);
    expect(data?.withdrawals).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
    expect(data?.withdrawals?.edges.map(({ node }) => node.status)).toEqual(['PENDING']);
    await venue.pass(MINUTE / 4);
    for (const input of inputs) {
      const again = await venue.request(ALL_OPERATIONS.executeWithdrawal, { input }, caller);
      expect(again.data?.executeWithdrawal).toMatchObject({ duplicate: true, withdrawal: { status: 'CONFIRMED' } });
    }
    const third = await venue.request(ALL_OPERATIONS.executeWithdrawal, { input: sign(3) }, caller);
    expect(third.data?.executeWithdrawal).toMatchObject({ duplicate: false, rejection: null });
    expect(venue.access.withdrawals.ofAccount(alice.address).at(2)).toMatchObject({ number: 3, status: 'PENDING' });
  });

  it('an account that was opened without its credit gets it at the next login', async () => {
    const venue = await start();
    await venue.queue.execute({
      type: 'openAccount',
      time: venue.clock.now(),
      address: alice.address,
      unlimited: false,
    });
    await logIn(venue);
    expect(cashOf(venue)).toBe(CREDIT_MICRO_USD);
  });
});

describe('after a kill between any two transactions', () => {
  it('a venue pays or refunds each withdrawal once, and a repeated request returns the stored withdrawal', async () => {
    const copies: string[] = [];
    const original = await start({
      getFailureReason: ({ amountCents }) => (amountCents === 2_000 ? 'no gas' : undefined),
    });
    const copy = (): void => {
      const to = join(folder, `copy-${copies.length}.db`);
      for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${to}${end}`);
      copies.push(to);
    };
    afterEachTransaction(original, copy);
    const { caller } = await logIn(original);
    const walletId = await walletFor(original, caller);
    const sign = (nonce: number, amountCents: number) =>
      signedWithdrawal(original, {
        walletId,
        key: alice.privateKey,
        nonce,
        amountCents,
        clientWithdrawalId: `w${nonce}`,
      });
    const inputs: readonly ExecuteWithdrawalInput[] = [sign(1, 1_000), sign(2, 2_000)];
    for (const input of inputs) await original.request(ALL_OPERATIONS.executeWithdrawal, { input }, caller);
    await original.pass(MINUTE / 2);
    const end = await stop(original);

    expect(copies.length).toBeGreaterThan(10);
    for (const copied of copies) {
      const venue = await openVenue({
        file: copied,
        start: end,
        getFailureReason: ({ amountCents }) => (amountCents === 2_000 ? 'no gas' : undefined),
      });
      await venue.pass(MINUTE / 4);
      const stored = [1, 2].flatMap(
        (nonce) => venue.access.withdrawals.findByClientId(alice.address, `w${nonce}`) ?? [],
      );
      for (const { amountCents, status } of stored) expect(status).toBe(amountCents === 2_000 ? 'FAILED' : 'CONFIRMED');
      const { caller: again } = await logIn(venue);
      expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - (stored.length > 0 ? 10_000_000 : 0));
      if (venue.access.wallets.get(alice.address, walletId)?.status === 'ACTIVE') {
        for (const input of inputs) {
          const { data } = await venue.request(ALL_OPERATIONS.executeWithdrawal, { input }, again);
          const isStored = stored.some(({ clientWithdrawalId }) => clientWithdrawalId === input.clientWithdrawalId);
          expect(data?.executeWithdrawal).toMatchObject({ duplicate: isStored, rejection: null });
        }
        await venue.pass(MINUTE / 4);
        expect(cashOf(venue)).toBe(CREDIT_MICRO_USD - 10_000_000);
      }
      expect(sumOfLedger(venue)).toBe(cashOf(venue));
      expect([venue.stops, venue.logged.filter((line) => JSON.stringify(line).includes('could not'))]).toEqual([
        [],
        [],
      ]);
      await venue.close();
    }
  });
});

describe('when a commit fails', () => {
  it('logins are not acknowledged', async () => {
    const venue = await openVenue();
    const { registry } = venue.store;
    await logIn(venue);
    registry.sync = (done) => done(new Fault('JOURNAL_FAILED', 'the disk is full'));
    await expect(logIn(venue)).rejects.toThrow('internal error r1');
    expect(JSON.stringify(venue.logged)).not.toContain('pma_');
  });
});
