import { expect, it, vi } from 'vitest';
import { type Clock, wallClock } from '../../../src/clock/index.ts';
import { getMember } from '../../../src/network/index.ts';
import { DirectAccess, VenueHttp } from '../../../src/ops/index.ts';
import { OPERATIONS } from '../../../src/protocol/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { openLiveVenue } from '../../server/live-venue.ts';
import { keyOf, pinsOf } from '../../server/trader.ts';
import { SILENT } from '../../venues/service/harness.ts';

it('ends the session of a login that the venue answers after the close, and hands out no token of it', async () => {
  const venue = await openLiveVenue();
  afterThisTest.add(() => venue.close());
  const http = new VenueHttp({ url: venue.url, clock: wallClock() });
  const send = http.requestOnce.bind(http);
  const logins: string[] = [];
  const answers: (() => void)[] = [];
  vi.spyOn(http, 'requestOnce').mockImplementation(async (operation, variables) => {
    const answer = await send(operation, variables);
    if (operation.field !== 'createSession') return answer;
    logins.push(String(getMember(answer, 'accessToken')));
    if (logins.length > 1) await new Promise<void>((resolve) => void answers.push(resolve));
    return answer;
  });
  let renew = (): void => {};
  const clock: Clock = {
    ...wallClock(),
    schedule(_when, fire) {
      renew = fire;
      return () => {};
    },
  };
  const received: string[] = [];
  const direct = new DirectAccess({
    http,
    clock,
    log: SILENT,
    credentials: { key: keyOf(venue.tools, 1) },
    pins: pinsOf(venue.tools, venue.url),
    onToken: (token) => void received.push(token),
  });
  await direct.open();
  renew();
  await expect.poll(() => answers.length).toBe(1);
  await direct.close();
  const useSession = (token = '') => http.withToken(token).request(OPERATIONS.balance);
  await expect(useSession(logins[0])).rejects.toThrow('UNAUTHORIZED');
  await useSession(logins[1]);
  for (const answer of answers) answer();
  await expect.poll(() => useSession(logins[1]).then(() => 'open', String)).toContain('UNAUTHORIZED');
  expect(received).toEqual(logins.slice(0, 1));
});

it('schedules no renewal when it is closed during its first login', async () => {
  const venue = await openLiveVenue();
  afterThisTest.add(() => venue.close());
  const schedule = vi.fn(() => () => {});
  const direct = new DirectAccess({
    http: new VenueHttp({ url: venue.url, clock: wallClock() }),
    clock: { ...wallClock(), schedule },
    log: SILENT,
    credentials: { key: keyOf(venue.tools, 1) },
    pins: pinsOf(venue.tools, venue.url),
    onToken: () => {},
  });
  const opening = direct.open();
  await direct.close();
  await opening;
  expect(schedule).not.toHaveBeenCalled();
});
