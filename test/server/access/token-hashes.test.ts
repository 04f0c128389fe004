import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/protocol/index.ts';
import { ALICE, BOB, logIn, MINUTE, openVenue, present, type Venue } from './harness.ts';

let venue: Venue;
/** A connection is whatever it is remembered by. */
const [first, second] = [{}, {}];

beforeEach(async () => {
  venue = await openVenue();
});
afterEach(() => venue.close());

const identify = (authorization: string, connection: object | undefined, ip = '192.0.2.1') =>
  venue.access.credentials.identify({
    authorization,
    ip,
    now: venue.clock.now(),
    ...(connection === undefined ? {} : { connection }),
  });

describe('a connection with a remembered token', () => {
  it('has the same viewer for the same token', async () => {
    const { caller } = await logIn(venue);
    const authorization = present(caller.authorization);
    const viewer = present(identify(authorization, undefined));
    expect(viewer.account).toBe(present(ALICE).address.toLowerCase());
    expect([identify(authorization, first), identify(authorization, first)]).toEqual([viewer, viewer]);
    expect(identify(authorization.replace('Bearer ', 'bearer   '), first)).toEqual(viewer);
  });

  it('has another viewer for another token of the same length', async () => {
    const [alice, bob] = [await logIn(venue), await logIn(venue, present(BOB))];
    const tokens = [alice, bob, alice].map(({ caller }) => present(caller.authorization));
    const accounts = tokens.map((token) => identify(token, first)?.account);
    expect(accounts).toEqual([ALICE, BOB, ALICE].map((key) => present(key).address.toLowerCase()));
    expect(identify(present(tokens[1]), second)?.account).toBe(present(BOB).address.toLowerCase());
  });

  it('has no viewer for an invalid token, no token, or one that differs in its last digit', async () => {
    const { caller } = await logIn(venue);
    const authorization = present(caller.authorization);
    const isGood = (shown: string) => identify(shown, first) !== undefined;
    expect(isGood(authorization)).toBe(true);
    const other = authorization.endsWith('0') ? '1' : '0';
    expect(isGood(authorization.slice(0, -1) + other)).toBe(false);
    expect(isGood(authorization)).toBe(true);
    // The same bytes but for the upper half of a character.
    const far = String.fromCharCode(authorization.charCodeAt(0) + 0x100) + authorization.slice(1);
    expect([isGood(far), isGood(''), isGood('Bearer'), isGood(authorization.slice(1))]).toEqual(Array(4).fill(false));
    expect(isGood(`${authorization}${' '.repeat(300)}`)).toBe(false);
    expect(isGood(authorization)).toBe(true);
  });

  it('has no viewer when the session has ended or the token has expired', async () => {
    const [ends, expires] = [await logIn(venue), await logIn(venue, present(BOB))];
    const shown = [ends, expires].map(({ caller }) => present(caller.authorization));
    const known = () => [identify(present(shown[0]), first), identify(present(shown[1]), second)].map(Boolean);
    expect(known()).toEqual([true, true]);
    await venue.ask(OPERATIONS.revokeSession, {}, ends.caller);
    expect(known()).toEqual([false, true]);
    await venue.pass(15 * MINUTE);
    expect(known()).toEqual([false, false]);
  });
});
