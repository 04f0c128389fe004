/** What stands after the server has ended, by itself or by kill -9 at any moment. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { counted, durationMs, Fault } from '../../../src/domain/index.ts';
import { type ExecuteWithdrawalInput, OPERATIONS } from '../../../src/protocol/index.ts';
import {
  ALICE,
  bearer,
  logIn,
  MINUTE,
  openVenue,
  present,
  unauthorizedFor,
  type Venue,
  type VenueOptions,
} from './harness.ts';
import { cashOf, signedWithdrawal, walletFor } from './withdrawing.ts';

const alice = present(ALICE);
const CREDIT = 10_000_000_000;
let folder: string;
let file: string;
let open: Venue[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'access-'));
  file = join(folder, 'venue.db');
  open = [];
});
afterEach(async () => {
  for (const venue of open) await venue.close();
  rmSync(folder, { recursive: true });
});

async function start(options: VenueOptions = {}): Promise<Venue> {
  const venue = await openVenue({ file, ...options });
  open.push(venue);
  return venue;
}

async function stop(venue: Venue): Promise<number> {
  open = open.filter((each) => each !== venue);
  const now = venue.clock.now();
  await venue.close();
  return now;
}

/** Ends it and starts it again at the same time. */
async function restarted(venue: Venue, options: VenueOptions = {}): Promise<Venue> {
  return start({ ...options, start: await stop(venue) });
}

describe('after a restart', () => {
  it('sessions continue with access tokens, refresh tokens and used refresh tokens', async () => {
    let venue = await start();
    const { accessToken, refreshToken } = await logIn(venue);
    venue = await restarted(venue);
    expect((await venue.ask(OPERATIONS.me, {}, bearer(accessToken))).errors).toEqual([]);
    const { data } = await venue.ask(OPERATIONS.refreshSession, { refreshToken });
    const renewed = present(data?.refreshSession);
    venue = await restarted(venue);
    for (const token of [accessToken, renewed.accessToken]) {
      expect((await venue.ask(OPERATIONS.me, {}, bearer(token))).errors).toEqual([]);
    }
    await venue.ask(OPERATIONS.refreshSession, { refreshToken });
    venue = await restarted(venue);
    expect(await venue.ask(OPERATIONS.me, {}, bearer(renewed.accessToken))).toEqual(unauthorizedFor('me'));
  });

  it('keys keep scopes, address lists, expiry, revocations and grants', async () => {
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
    const made = present((await venue.ask(OPERATIONS.createApiKey, { input }, caller)).data?.createApiKey);
    const gone = present(
      (await venue.ask(OPERATIONS.createApiKey, { input: { label: 'x', scopes: ['READ'] } }, caller)).data,
    );
    await venue.ask(OPERATIONS.revokeApiKey, { id: present(gone.createApiKey).apiKey.id }, caller);
    venue = await restarted(venue);
    expect((await venue.ask(OPERATIONS.me, {}, caller)).data?.me.apiKeys).toEqual([made.apiKey]);
    expect(venue.context({ ...bearer(made.secret), ip: '10.1.1.1' }).viewer?.scopes).toEqual(['READ']);
    expect(venue.context({ ...bearer(made.secret), ip: '11.1.1.1' }).viewer).toBeUndefined();
    expect(venue.context(bearer(present(gone.createApiKey).secret)).viewer).toBeUndefined();
    expect(venue.access.isDelegate(alice.address, grant.delegate)).toBe(true);
    const again = await venue.ask(OPERATIONS.createApiKey, { input }, caller);
    expect(again.errors[0]?.message).toContain('this grant was used before');
    await venue.pass(2 * MINUTE);
    expect(venue.context({ ...bearer(made.secret), ip: '10.1.1.1' }).viewer).toBeUndefined();
    venue = await restarted(venue);
    expect(venue.store.registry.load('usedDigest'), 'grants that have expired are let go').toEqual([]);
  });

  it('a revocation that the exchange missed is sent to it', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    const { data } = await venue.ask(OPERATIONS.createApiKey, { input: { label: 'x', scopes: ['TRADE'] } }, caller);
    const { apiKey, secret } = present(data?.createApiKey);
    const { id } = apiKey;
    venue.context(bearer(secret));
    const number = present(venue.access.keys.get(id)).number;
    venue.access.keys.revoke(id, venue.clock.now());
    venue = await restarted(venue);
    expect(venue.queue.view.switchOf(number)).toMatchObject({ revoked: true });
  });

  it('a dead-man switch of an ended session is disarmed, whether it fired before or fires after the restart', async () => {
    let venue = await start();
    const { caller, refreshToken } = await logIn(venue);
    const credential = venue.access.credentialNo(present(venue.context(caller).viewer));
    const asked = { time: venue.clock.now(), account: counted.account(1), credential };
    await venue.queue.execute({ type: 'heartbeat', ...asked, timeout: durationMs(MINUTE) });
    for (let count = 0; count < 2; count += 1) await venue.ask(OPERATIONS.refreshSession, { refreshToken });
    venue = await restarted(venue);
    expect(venue.access.switches.size).toBe(1);
    expect(venue.queue.view.switchOf(credential)).toMatchObject({ lapsed: false });
    await stop(venue);
    venue = await start({ start: venue.clock.now() + 2 * MINUTE });
    await venue.pass(0);
    expect(venue.queue.view.switchOf(credential)).toBeUndefined();
    expect(venue.store.registry.load('orphanedSwitch')).toEqual([]);
  });

  it('numbers of deleted credentials are not used again', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    await venue.ask(OPERATIONS.revokeSession, {}, caller);
    venue = await restarted(venue);
    const { caller: later } = await logIn(venue);
    expect(venue.access.credentialNo(present(venue.context(later).viewer))).toBe(2);
  });

  it('wrong guesses of a code still count', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    const email = 'a@b.example';
    await venue.ask(OPERATIONS.requestEmailVerification, { email }, caller);
    const { code } = present(venue.mails[0]);
    for (let guess = 0; guess < 5; guess += 1) {
      await venue.ask(OPERATIONS.verifyEmail, { email, code: 'wrong' }, caller);
      venue = await restarted(venue);
    }
    const { data } = await venue.ask(OPERATIONS.verifyEmail, { email, code }, caller);
    expect(data?.verifyEmail).toEqual({ email, verified: false, expiresAt: null });
  });

  it('withdrawals stored by an older version without an index are found and continue', async () => {
    let venue = await start();
    const { caller } = await logIn(venue);
    const walletId = await walletFor(venue, caller);
    const sign = (nonce: number) =>
      signedWithdrawal(venue, { walletId, key: alice.privateKey, nonce, clientWithdrawalId: `w${nonce}` });
    const inputs = [sign(1), sign(2)];
    await venue.ask(OPERATIONS.executeWithdrawal, { input: present(inputs[0]) }, caller);
    await venue.pass(MINUTE / 4);
    await venue.ask(OPERATIONS.executeWithdrawal, { input: present(inputs[1]) }, caller);
    const { registry } = venue.store;
    for (const table of ['withdrawalIndex', 'unfinishedWithdrawal'] as const) {
      expect(registry.load(table).length).toBeGreaterThan(0);
      for (const { key } of registry.load(table)) registry.put({ table, key, value: undefined });
    }
    registry.put({ table: 'setting', key: 'access.withdrawals', value: undefined });
    venue = await restarted(venue);
    const { data } = await venue.ask(OPERATIONS.withdrawals, { first: 1 }, caller);
    expect(data?.withdrawals).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true } });
    expect(data?.withdrawals?.edges.map(({ node }) => node.status)).toEqual(['PENDING']);
    await venue.pass(MINUTE / 4);
    for (const input of inputs) {
      const again = await venue.ask(OPERATIONS.executeWithdrawal, { input }, caller);
      expect(again.data?.executeWithdrawal).toMatchObject({ duplicate: true, withdrawal: { status: 'CONFIRMED' } });
    }
    const third = await venue.ask(OPERATIONS.executeWithdrawal, { input: sign(3) }, caller);
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
    expect(cashOf(venue)).toBe(CREDIT);
  });
});

describe('killed after any of its transactions', () => {
  it('a venue pays or refunds each withdrawal once and returns it when it is sent again', async () => {
    const copies: string[] = [];
    const original = await start({
      chain: { failure: ({ amountCents }) => (amountCents === 2_000 ? 'no gas' : undefined) },
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
    for (const input of inputs) await original.ask(OPERATIONS.executeWithdrawal, { input }, caller);
    await original.pass(MINUTE / 2);
    const end = await stop(original);

    expect(copies.length).toBeGreaterThan(10);
    for (const copied of copies) {
      const venue = await openVenue({
        file: copied,
        start: end,
        chain: { failure: ({ amountCents }) => (amountCents === 2_000 ? 'no gas' : undefined) },
      });
      await venue.pass(MINUTE / 4);
      const kept = [1, 2].flatMap((nonce) => venue.access.withdrawals.byClientId(alice.address, `w${nonce}`) ?? []);
      for (const { amountCents, status } of kept) expect(status).toBe(amountCents === 2_000 ? 'FAILED' : 'CONFIRMED');
      const { caller: again } = await logIn(venue);
      expect(cashOf(venue)).toBe(CREDIT - (kept.length > 0 ? 10_000_000 : 0));
      if (venue.access.wallets.get(alice.address, walletId)?.status === 'ACTIVE') {
        for (const input of inputs) {
          const { data } = await venue.ask(OPERATIONS.executeWithdrawal, { input }, again);
          const known = kept.some(({ clientWithdrawalId }) => clientWithdrawalId === input.clientWithdrawalId);
          expect(data?.executeWithdrawal).toMatchObject({ duplicate: known, rejection: null });
        }
        await venue.pass(MINUTE / 4);
        expect(cashOf(venue)).toBe(CREDIT - 10_000_000);
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

describe('when the disk fails', () => {
  it('no login is acknowledged', async () => {
    const venue = await openVenue();
    const { registry } = venue.store;
    await logIn(venue);
    registry.sync = (done) => done(new Fault('JOURNAL_FAILED', 'the disk is full'));
    await expect(logIn(venue)).rejects.toThrow('internal error r1');
    expect(JSON.stringify(venue.logged)).not.toContain('pma_');
  });
});

/** Calls after each commit, before anything is sent about it. */
function afterEachTransaction({ store: { journal, registry } }: Venue, call: () => void): void {
  const append = journal.append.bind(journal);
  journal.append = (batch, done) =>
    append(batch, (fault) => {
      call();
      done(fault);
    });
  const sync = registry.sync.bind(registry);
  registry.sync = (done) =>
    sync((fault) => {
      call();
      done(fault);
    });
}

function sumOfLedger({ store: { archive } }: Venue): number {
  const { rows } = archive.ledger(1, {}, { take: 1_000, direction: 'forward', from: undefined });
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}
