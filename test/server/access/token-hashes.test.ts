import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../protocol/generated/operations.ts';
import { ALICE, BOB, logIn, MINUTE, openVenue, unwrap, type Venue } from './harness.ts';

let venue: Venue;
/** The cache identifies a connection by its object. */
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

describe('a connection with a cached token', () => {
  it('has the same viewer for the same token', async () => {
    const { caller } = await logIn(venue);
    const authorization = unwrap(caller.authorization);
    const viewer = unwrap(identify(authorization, undefined));
    expect(viewer.account).toBe(unwrap(ALICE).address.toLowerCase());
    expect([identify(authorization, first), identify(authorization, first)]).toEqual([viewer, viewer]);
    expect(identify(authorization.replace('Bearer ', 'bearer   '), first)).toEqual(viewer);
  });

  it('has another viewer for another token of the same length', async () => {
    const [alice, bob] = [await logIn(venue), await logIn(venue, unwrap(BOB))];
    const tokens = [alice, bob, alice].map(({ caller }) => unwrap(caller.authorization));
    const accounts = tokens.map((token) => identify(token, first)?.account);
    expect(accounts).toEqual([ALICE, BOB, ALICE].map((key) => unwrap(key).address.toLowerCase()));
    expect(identify(unwrap(tokens[1]), second)?.account).toBe(unwrap(BOB).address.toLowerCase());
  });

  it('has no viewer for a missing token, an invalid token or a token that differs in its last digit', async () => {
    const { caller } = await logIn(venue);
    const authorization = unwrap(caller.authorization);
    const isAccepted = (token: string) => identify(token, first) !== undefined;
    expect(isAccepted(authorization)).toBe(true);
    const other = authorization.endsWith('0') ? '1' : '0';
    expect(isAccepted(authorization.slice(0, -1) + other)).toBe(false);
    expect(isAccepted(authorization)).toBe(true);
    // Differs only in the upper byte of the first character.
    const wideCharacter = String.fromCharCode(authorization.charCodeAt(0) + 0x100) + authorization.slice(1);
    expect([
      isAccepted(wideCharacter),
      isAccepted(''),
      isAccepted('Bearer'),
      isAccepted(authorization.slice(1)),
    ]).toEqual(Array(4).fill(false));
    expect(isAccepted(`${authorization}${' '.repeat(300)}`)).toBe(false);
    expect(isAccepted(authorization)).toBe(true);
  });

  it('has no viewer when the session has ended or the token has expired', async () => {
    const [logsOut, expires] = [await logIn(venue), await logIn(venue, unwrap(BOB))];
    const tokens = [logsOut, expires].map(({ caller }) => unwrap(caller.authorization));
    const hasViewer = () => [identify(unwrap(tokens[0]), first), identify(unwrap(tokens[1]), second)].map(Boolean);
    expect(hasViewer()).toEqual([true, true]);
    await venue.request(ALL_OPERATIONS.revokeSession, {}, logsOut.caller);
    expect(hasViewer()).toEqual([false, true]);
    await venue.pass(15 * MINUTE);
    expect(hasViewer()).toEqual([false, false]);
  });
});
