import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { durationMs, unchecked } from '../../../src/domain/index.ts';
import type { ExchangeEvent } from '../../../src/exchange/index.ts';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import {
  ALICE,
  BOB,
  bearer,
  type Caller,
  logIn,
  MINUTE,
  openVenue,
  unauthorizedFor,
  unwrap,
  type Venue,
} from './harness.ts';

const DAY = 1_440 * MINUTE;
let venue: Venue;

beforeEach(async () => {
  venue = await openVenue();
});
afterEach(() => venue.close());

const refresh = (refreshToken: string) => venue.request(ALL_OPERATIONS.refreshSession, { refreshToken });
const readAccount = (token: string) => venue.request(ALL_OPERATIONS.me, {}, bearer(token));
const credentialOf = (token: string) => unwrap(venue.context(bearer(token)).viewer?.credential);

async function renew(refreshToken: string) {
  return unwrap((await refresh(refreshToken)).data?.refreshSession);
}

describe('a refresh token', () => {
  it('returns new tokens for the same session', async () => {
    const first = await logIn(venue);
    const second = await renew(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(credentialOf(second.accessToken)).toBe(credentialOf(first.accessToken));
    expect(second.account.address).toBe(unwrap(ALICE).address);
  });

  it('does not end the previous access token, which requests in flight may use', async () => {
    const first = await logIn(venue);
    await venue.pass(10 * MINUTE);
    const second = await renew(first.refreshToken);
    expect((await readAccount(first.accessToken)).errors).toEqual([]);
    await venue.pass(5 * MINUTE);
    expect(await readAccount(first.accessToken)).toEqual(unauthorizedFor('me'));
    expect((await readAccount(second.accessToken)).errors).toEqual([]);
  });

  it('that is used twice ends the session', async () => {
    const first = await logIn(venue);
    const second = await renew(first.refreshToken);
    expect(await refresh(first.refreshToken)).toEqual(unauthorizedFor('refreshSession'));
    expect(await refresh(second.refreshToken)).toEqual(unauthorizedFor('refreshSession'));
    expect(await readAccount(second.accessToken)).toEqual(unauthorizedFor('me'));
    expect(venue.access.sessions.size).toBe(0);
    expect(venue.store.registry.load('session')).toEqual([]);
  });

  it('that is used again after many refreshes ends the session', async () => {
    const first = await logIn(venue);
    let token = first.refreshToken;
    for (let count = 0; count < 40; count += 1) token = (await renew(token)).refreshToken;
    await refresh(first.refreshToken);
    expect(await refresh(token)).toEqual(unauthorizedFor('refreshSession'));
  });

  it('that is used twice at once ends the session', async () => {
    const { refreshToken } = await logIn(venue);
    await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
    expect(venue.access.sessions.size).toBe(0);
  });

  it('that is used twice does not end other sessions', async () => {
    const [session, other] = [await logIn(venue), await logIn(venue)];
    await renew(session.refreshToken);
    await refresh(session.refreshToken);
    expect((await readAccount(other.accessToken)).errors).toEqual([]);
  });

  it('that is forged ends no session', async () => {
    const { accessToken } = await logIn(venue);
    await refresh(`pmr_${'0'.repeat(32)}_${'0'.repeat(64)}`);
    await refresh('');
    await refresh('x'.repeat(50_000));
    expect((await readAccount(accessToken)).errors).toEqual([]);
  });

  it('is valid for thirty days', async () => {
    const [session, other] = [await logIn(venue), await logIn(venue)];
    await venue.pass(30 * DAY - 1);
    const renewedLate = await renew(session.refreshToken);
    await venue.pass(1);
    expect(await refresh(other.refreshToken)).toEqual(unauthorizedFor('refreshSession'));
    await venue.pass(29 * DAY);
    expect((await refresh(renewedLate.refreshToken)).errors).toEqual([]);
  });

  it('is stored as a hash before it is returned', async () => {
    const { refreshToken } = await logIn(venue);
    const [{ value } = { value: null }] = venue.store.registry.load('session');
    const second = await renew(refreshToken);
    const [{ value: later } = { value: null }] = venue.store.registry.load('session');
    expect(later).not.toEqual(value);
    expect(JSON.stringify(later)).not.toContain(second.refreshToken.slice(-64));
  });
});

/** Arms the dead-man's switch of a session for one minute. @returns the session's number at the exchange */
async function armSwitch(caller: Caller): Promise<number> {
  const credential = venue.access.credentialNo(unwrap(venue.context(caller).viewer));
  const sender = { time: venue.clock.now(), account: unchecked.account(1), credential };
  await venue.queue.execute({ type: 'heartbeat', ...sender, timeout: durationMs(MINUTE) });
  return credential;
}

/** Records the types of all events from now on. */
function recordEvents(): readonly string[] {
  const reported: string[] = [];
  const note = (event: ExchangeEvent): void => {
    if (event.type === 'rareEvent') reported.push(event.event.type);
  };
  venue.queue.watch({ onCommitted: (events) => events.forEach(note) });
  return reported;
}

describe('a logout', () => {
  it('ends the session and its refresh token at once', async () => {
    const { accessToken, refreshToken, caller } = await logIn(venue);
    const { data } = await venue.request(ALL_OPERATIONS.revokeSession, {}, caller);
    expect(data?.revokeSession).toEqual({ revoked: true });
    expect(await readAccount(accessToken)).toEqual(unauthorizedFor('me'));
    expect(await refresh(refreshToken)).toEqual(unauthorizedFor('refreshSession'));
  });

  it('disarms and deletes the dead-man switch of the session, so that it does not cancel orders later', async () => {
    const { caller } = await logIn(venue);
    const credential = await armSwitch(caller);
    expect(venue.queue.view.credentialState(credential)?.deadline).toBe(venue.clock.now() + MINUTE);
    expect((await venue.request(ALL_OPERATIONS.revokeSession, {}, caller)).errors).toEqual([]);
    expect(venue.queue.view.credentialState(credential)).toBeUndefined();
    await venue.pass(0);
    expect(venue.access.switches.size).toBe(0);
    expect(venue.store.registry.load('orphanedSwitch')).toEqual([]);
  });

  it('due to a reused refresh token leaves the dead-man switch armed until the switch fires', async () => {
    const { caller, refreshToken } = await logIn(venue);
    const credential = await armSwitch(caller);
    await refresh(refreshToken);
    await refresh(refreshToken);
    await venue.pass(MINUTE - 1);
    expect(venue.queue.view.credentialState(credential)).toMatchObject({ lapsed: false });
    expect(venue.access.switches.size).toBe(1);
    const events = recordEvents();
    await venue.pass(1);
    expect(events).toEqual(['heartbeatLapsed', 'heartbeatDisarmed']);
    expect(venue.queue.view.credentialState(credential)).toBeUndefined();
    expect(venue.access.switches.size).toBe(0);
    expect(venue.store.registry.load('orphanedSwitch')).toEqual([]);
  });

  it('deletes a dead-man switch that has fired', async () => {
    const { caller, refreshToken } = await logIn(venue);
    const credential = await armSwitch(caller);
    await venue.pass(MINUTE);
    expect(venue.queue.view.credentialState(credential)).toMatchObject({ lapsed: true });
    await refresh(refreshToken);
    await refresh(refreshToken);
    await venue.pass(0);
    expect(venue.queue.view.credentialState(credential)).toBeUndefined();
    expect(venue.store.registry.load('orphanedSwitch')).toEqual([]);
  });

  it('does not end other sessions', async () => {
    const [session, other] = [await logIn(venue), await logIn(venue)];
    await venue.request(ALL_OPERATIONS.revokeSession, {}, session.caller);
    expect((await readAccount(other.accessToken)).errors).toEqual([]);
  });
});

describe('the sessions of an account', () => {
  it('are limited, so a login above the limit ends the least recently refreshed session', async () => {
    await venue.close();
    venue = await openVenue({ settings: { maxSessions: 2 } });
    const [first, second] = [await logIn(venue), await logIn(venue)];
    const again = await renew(first.refreshToken);
    const stranger = await logIn(venue, unwrap(BOB));
    await logIn(venue);
    expect(await readAccount(second.accessToken)).toEqual(unauthorizedFor('me'));
    for (const token of [again.accessToken, stranger.accessToken])
      expect((await readAccount(token)).errors).toEqual([]);
  });

  it('are deleted at the next login after they expire', async () => {
    for (let count = 0; count < 5; count += 1) await logIn(venue);
    await venue.pass(30 * DAY);
    await logIn(venue);
    expect(venue.access.sessions.size).toBe(1);
    expect(venue.store.registry.load('session')).toHaveLength(1);
  });

  it('have numbers at the exchange that are never reused', async () => {
    const session = await logIn(venue);
    const first = venue.access.credentialNo(unwrap(venue.context(session.caller).viewer));
    await venue.request(ALL_OPERATIONS.revokeSession, {}, session.caller);
    const next = await logIn(venue);
    expect(venue.access.credentialNo(unwrap(venue.context(next.caller).viewer))).toBe(first + 1);
  });
});

describe('a watcher of a session', () => {
  const watch = (credential: string) => {
    const reported: string[] = [];
    const remove = venue.access.credentials.onEnd(credential, () => reported.push(credential));
    return { reported, remove };
  };

  it('is notified once at logout', async () => {
    const { caller, accessToken } = await logIn(venue);
    const { reported } = watch(credentialOf(accessToken));
    await venue.request(ALL_OPERATIONS.revokeSession, {}, caller);
    await venue.pass(60 * DAY);
    expect(reported).toHaveLength(1);
  });

  it('is notified when a refresh token is used twice', async () => {
    const { accessToken, refreshToken } = await logIn(venue);
    const { reported } = watch(credentialOf(accessToken));
    await renew(refreshToken);
    expect(reported).toEqual([]);
    await refresh(refreshToken);
    expect(reported).toHaveLength(1);
  });

  it('is notified when the session expires, not when its access token does', async () => {
    const { accessToken, refreshToken } = await logIn(venue);
    const { reported } = watch(credentialOf(accessToken));
    await venue.pass(20 * DAY);
    await renew(refreshToken);
    await venue.pass(30 * DAY - 1);
    expect(reported).toEqual([]);
    await venue.pass(1);
    expect(reported).toHaveLength(1);
  });

  it('is notified soon after its registration when the session has already ended', async () => {
    const { accessToken, caller } = await logIn(venue);
    const credential = credentialOf(accessToken);
    await venue.request(ALL_OPERATIONS.revokeSession, {}, caller);
    const { reported } = watch(credential);
    expect(reported).toEqual([]);
    await venue.pass(0);
    expect(reported).toHaveLength(1);
  });

  it('is not notified after its removal, and leaves no timer', async () => {
    const { accessToken, caller } = await logIn(venue);
    const pending = venue.clock.pending;
    const [first, second] = [watch(credentialOf(accessToken)), watch(credentialOf(accessToken))];
    expect(venue.clock.pending).toBe(pending + 1);
    first.remove();
    first.remove();
    await venue.request(ALL_OPERATIONS.revokeSession, {}, caller);
    second.remove();
    expect(first.reported).toEqual([]);
    expect(second.reported).toHaveLength(1);
    expect(venue.clock.pending).toBe(pending);
  });
});
