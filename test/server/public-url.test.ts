/** The URL that a start prints is one at which people can log in, wherever the venue listens. */
import { expect, test } from 'vitest';
import { startVenue, type VenueOptions } from '../../src/embed.ts';
import { keyOf, login, openSigningTools, queryVenue } from './trader.ts';

const PLACES: readonly (readonly [text: string, listen: VenueOptions, url: RegExp])[] = [
  ['127.0.0.1', { host: '127.0.0.1' }, /^http:\/\/127\.0\.0\.1:\d+$/],
  ['every address of version 4', { host: '0.0.0.0' }, /^http:\/\/localhost:\d+$/],
  ['every address', { host: '::' }, /^http:\/\/localhost:\d+$/],
  ['this machine by version 6', { host: '::1' }, /^http:\/\/\[::1\]:\d+$/],
  ['a path below', { host: '::1', base: '/venue/one' }, /^http:\/\/\[::1\]:\d+\/venue\/one$/],
];

test.each(PLACES)('listening on %s', async (_, listen, url) => {
  const server = await startVenue(listen);
  try {
    expect(server.url).toMatch(url);
    const tools = await openSigningTools();
    const key = keyOf(tools, 1);
    const offered = await queryVenue(
      server.url,
      undefined,
      'query ($a: Hex!) { authChallenge(address: $a) { typedData } }',
      {
        a: key.address,
      },
    );
    expect(offered.authChallenge.typedData.message.audience).toBe(server.url);
    const token = await login(server.url, tools, key);
    const { me } = await queryVenue(server.url, token, '{ me { address } }', {});
    expect(me.address).toBe(key.address);
  } finally {
    await server.close(0);
  }
});
